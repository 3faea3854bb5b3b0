"""halflabel: positive-unlabelled learning on graphs.

>>> import halflabel as hl
>>> graph, y = hl.load_dataset("payments")
>>> known = hl.payments_positives(y)
>>> model = hl.GPL(warmup=20, epochs=5).fit(graph, known)
>>> 0 < model.prior_ < 1
True
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from halflabel.checkpoint import checkpointed
    from halflabel.comparison import Comparison, compare
    from halflabel.convert import append, as_graph, neighbour_graph, read_graph
    from halflabel.crossfit import cross_fit
    from halflabel.datasets import (
        add_heterophilic_edges,
        edge_heterophily,
        list_datasets,
        load_dataset,
        payments_positives,
        synthetic,
    )
    from halflabel.errors import (
        CollapseWarning,
        DataError,
        DivergedError,
        DoubtWarning,
        DriftWarning,
        NotEnoughMemoryError,
    )
    from halflabel.export import to_data, to_edge_frame, to_frame, to_networkx
    from halflabel.graph import Graph
    from halflabel.graphfiles import load_graph, save_graph
    from halflabel.labels import hide_positives
    from halflabel.methods import method_classes as methods
    from halflabel.methods.auto import Auto
    from halflabel.methods.bld import BLD
    from halflabel.methods.blp import BLP
    from halflabel.methods.cvir import CVIR
    from halflabel.methods.distpu import DistPU
    from halflabel.methods.gpl import GPL
    from halflabel.methods.grab import GRAB
    from halflabel.methods.labelprop import LabelProp
    from halflabel.methods.lsdan import LSDAN
    from halflabel.methods.naive import Naive
    from halflabel.methods.nnpu import NNPU
    from halflabel.methods.pugnn import PUGNN
    from halflabel.methods.pulp import PULP
    from halflabel.methods.ted import TED
    from halflabel.methods.upu import UPU
    from halflabel.metrics import score_unlabelled
    from halflabel.modelfiles import load
    from halflabel.priors import Prior, estimate_prior
    from halflabel.run.opened import Run, open_run
    from halflabel.thresholds import flag
    from halflabel.viewprior import prior_from_views

__version__ = "0.1.0"

# Large tensors in large pages, where Linux gives them; torch looks here when it first needs memory.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")

# Loaded on first use: `import halflabel` and `halflabel --help` must not wait for torch.
_HOME = {
    "Graph": "halflabel.graph",
    "as_graph": "halflabel.convert",
    "append": "halflabel.convert",
    "neighbour_graph": "halflabel.convert",
    "read_graph": "halflabel.convert",
    "save_graph": "halflabel.graphfiles",
    "load_graph": "halflabel.graphfiles",
    "load_dataset": "halflabel.datasets",
    "list_datasets": "halflabel.datasets",
    "payments_positives": "halflabel.datasets",
    "synthetic": "halflabel.datasets",
    "edge_heterophily": "halflabel.datasets",
    "add_heterophilic_edges": "halflabel.datasets",
    "hide_positives": "halflabel.labels",
    "flag": "halflabel.thresholds",
    "Auto": "halflabel.methods.auto",
    "GPL": "halflabel.methods.gpl",
    "Naive": "halflabel.methods.naive",
    "TED": "halflabel.methods.ted",
    "CVIR": "halflabel.methods.cvir",
    "NNPU": "halflabel.methods.nnpu",
    "UPU": "halflabel.methods.upu",
    "DistPU": "halflabel.methods.distpu",
    "PUGNN": "halflabel.methods.pugnn",
    "LSDAN": "halflabel.methods.lsdan",
    "GRAB": "halflabel.methods.grab",
    "BLP": "halflabel.methods.blp",
    "BLD": "halflabel.methods.bld",
    "LabelProp": "halflabel.methods.labelprop",
    "PULP": "halflabel.methods.pulp",
    "methods": "halflabel.methods",
    "cross_fit": "halflabel.crossfit",
    "load": "halflabel.modelfiles",
    "checkpointed": "halflabel.checkpoint",
    "estimate_prior": "halflabel.priors",
    "Prior": "halflabel.priors",
    "prior_from_views": "halflabel.viewprior",
    "score_unlabelled": "halflabel.metrics",
    "compare": "halflabel.comparison",
    "Comparison": "halflabel.comparison",
    "to_data": "halflabel.export",
    "to_networkx": "halflabel.export",
    "to_frame": "halflabel.export",
    "to_edge_frame": "halflabel.export",
    "open_run": "halflabel.run.opened",
    "Run": "halflabel.run.opened",
    "DataError": "halflabel.errors",
    "DivergedError": "halflabel.errors",
    "NotEnoughMemoryError": "halflabel.errors",
    "CollapseWarning": "halflabel.errors",
    "DoubtWarning": "halflabel.errors",
    "DriftWarning": "halflabel.errors",
}

__all__ = [
    "Graph", "as_graph", "read_graph", "append", "neighbour_graph", "save_graph", "load_graph",
    "load_dataset", "list_datasets", "payments_positives", "synthetic",
    "edge_heterophily", "add_heterophilic_edges", "hide_positives",
    "Auto", "GPL", "Naive", "TED", "CVIR", "NNPU", "UPU", "DistPU", "PUGNN", "LSDAN", "GRAB",
    "LabelProp", "PULP", "BLP", "BLD", "methods", "cross_fit", "load", "checkpointed",
    "estimate_prior", "prior_from_views", "Prior", "score_unlabelled", "compare", "Comparison", "flag",
    "to_data", "to_networkx", "to_frame", "to_edge_frame",
    "open_run", "Run", "DataError", "DivergedError", "NotEnoughMemoryError",
    "CollapseWarning", "DoubtWarning", "DriftWarning", "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'halflabel' has no attribute {name!r}")
    home = import_module(_HOME[name])
    value = globals()[name] = home if name == "methods" else getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
