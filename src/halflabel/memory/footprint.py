"""How much memory a fit will take, told before it begins.

The peak of a fit above what the process has already is, for every method, a sum of a few sizes, each times a
number of bytes that was measured (benchmarks/trust/memory.py; the numbers are in footprint.json). A backbone
other than a method's own adds what it adds to `Naive`. What networks learn of each feature counts on top of
it: next to nothing, unless there are tens of thousands of features.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from halflabel.features.diskrows import is_on_disk
from halflabel.graph import Graph

if TYPE_CHECKING:
    from halflabel.base import PUNodeClassifier

SAMPLE = 2_000  # edges that are looked up to learn how many have a reverse
WEIGHT = 16  # bytes: itself, its gradient, and two averages of Adam


@dataclass(frozen=True)
class Shape:
    """What memory depends on: nodes, stored edges (both directions), bytes of features, how many features,
    networks, width."""

    nodes: int
    edges: int
    features: int
    is_sparse: bool
    columns: int
    members: int
    hidden: int

    @property
    def weights(self) -> int:
        """Of a first layer of all networks."""
        return self.columns * self.members * self.hidden

    def terms(self) -> dict[str, float]:
        """The sizes, by name.

        >>> shape = Shape(nodes=10, edges=40, features=80, is_sparse=False, columns=2, members=5, hidden=16)
        >>> shape.terms()["hidden"], shape.weights
        (800, 160)
        """
        kind, other = ("sparse", "dense") if self.is_sparse else ("dense", "sparse")
        return {"fixed": 2**20, "nodes": self.nodes, "members": self.nodes * self.members,
                "hidden": self.nodes * self.members * self.hidden, "edges": self.edges,
                "copies": self.edges * self.members, kind: self.features, other: 0}


def estimated_peak(model: PUNodeClassifier, graph: Graph) -> int:
    """Bytes that fitting the model to the graph will need at its peak, above what is in use now.

    >>> from halflabel import GPL, Naive, synthetic
    >>> graph, _ = synthetic(20_000, degree=10)
    >>> estimated_peak(GPL(), graph) > estimated_peak(Naive(), graph) > 0
    True
    """
    shape = shape_of(model, graph)
    return _by_sizes(model, shape.terms()) + WEIGHT * model.first_layers * shape.weights


def _by_sizes(model: PUNodeClassifier, terms: dict[str, float]) -> int:
    parameters, name = model.get_params(), _name(model)
    if parameters.get("batch_size") is not None:
        return _amount(f"{name}+batches", terms)
    own, backbone = _amount(name, terms), parameters.get("backbone")
    usual = type(model)().get_params().get("backbone")
    if backbone == usual or f"naive+{backbone}" not in _known():  # a module of the user's counts as the usual
        return own
    return max(own // 2, own + _amount(f"naive+{backbone}", terms) - _amount(f"naive+{usual}", terms))


def shape_of(model: PUNodeClassifier, graph: Graph) -> Shape:
    """The sizes of one fit, without touching more than a sample of the edges.

    >>> from halflabel import Naive, synthetic
    >>> shape_of(Naive(folds=3), synthetic(1000, degree=10)[0]).members
    3
    """
    edges = round(graph.n_edges * (2 - _share_with_reverse(graph)))
    members = model.members_for(graph.n_nodes, edges, graph.X.shape[1], graph.X.size)
    return Shape(graph.n_nodes, edges, _bytes(graph.X), not isinstance(graph.X, np.ndarray), graph.X.shape[1],
                 members, getattr(model, "hidden", 16))


def _name(model: PUNodeClassifier) -> str:
    """The method that a model is or is derived from; what is made anew counts as Naive."""
    names = (cls.__name__.lower() for cls in type(model).__mro__)
    return next((name for name in names if name in _known()), "naive")


def _bytes(X: Any) -> int:
    if isinstance(X, np.ndarray):
        return 0 if is_on_disk(X) else X.size * 4
    return X.data.nbytes + X.indices.nbytes


def _share_with_reverse(graph: Graph) -> float:
    """Share of the directed edges whose reverse is there as well, by a sample."""
    some = np.arange(0, graph.n_edges, max(1, graph.n_edges // SAMPLE))
    if not len(some):
        return 1.0
    source = np.searchsorted(graph.indptr, some, side="right") - 1
    found = [i in graph.indices[graph.indptr[j] : graph.indptr[j + 1]]
             for i, j in zip(source, graph.indices[some], strict=True)]
    return float(np.mean(found))


def _amount(key: str, terms: dict[str, float]) -> int:
    return round(sum(_known()[key][name] * size for name, size in terms.items()))


@cache
def _known() -> dict[str, dict[str, float]]:
    return json.loads(files("halflabel.memory").joinpath("footprint.json").read_text(encoding="utf-8"))
