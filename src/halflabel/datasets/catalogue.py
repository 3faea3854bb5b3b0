"""Every dataset by name."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from halflabel.datasets.cache import data_directory
from halflabel.datasets.paper import PAPER_GRAPHS, read_paper_graph
from halflabel.datasets.payments import ACCOUNTS, FEATURE_NAMES, FRAUDS, payments
from halflabel.errors import DataError, unknown_name
from halflabel.graph import Graph

PAYMENTS = "payments"
PAYMENTS_EDGES = 8724


@dataclass(frozen=True)
class DatasetInfo:
    """What `list_datasets` tells of one dataset.

    `edges` are directed and without self-loops; `prior` is the share of positives among the unlabelled nodes
    when half of the positives (the largest class; frauds in payments) are known; `path` is where the raw
    files are, or are wanted if `available` is false, and None for a dataset that needs none.

    >>> list_datasets()[-1].name
    'payments'
    """

    name: str
    kind: str
    nodes: int
    edges: int
    features: int
    prior: float
    available: bool
    path: Path | None


def list_datasets(*, data_dir: str | os.PathLike[str] | None = None) -> list[DatasetInfo]:
    """The datasets there are, and which of them need no download.

    >>> [row.name for row in list_datasets()][:4]
    ['cora', 'pubmed', 'citeseer', 'wikics']
    """
    place = data_directory(data_dir)
    rows = [
        DatasetInfo(name, graph.kind, graph.nodes, graph.edges, graph.features, graph.prior(),
                    not graph.raw.missing(place), place / graph.raw.folder)
        for name, graph in PAPER_GRAPHS.items()
    ]
    hidden = FRAUDS - FRAUDS // 2
    built_in = DatasetInfo(PAYMENTS, "simulated payments", ACCOUNTS, PAYMENTS_EDGES, len(FEATURE_NAMES),
                           hidden / (ACCOUNTS - FRAUDS // 2), True, None)
    return [*rows, built_in]


def load_dataset(
    name: str, *, data_dir: str | os.PathLike[str] | None = None, symmetric: bool = False
) -> tuple[Graph, np.ndarray]:
    """A graph by name, and the integer class of every node.

    Edges keep their direction unless `symmetric` is true, which gives both directions of each. In the graphs
    of the paper the largest class plays the positives; in "payments" class 1, the frauds.

    >>> graph, y = load_dataset("payments")
    >>> graph
    Graph(2,000 nodes, 8,724 directed edges, 20 features)
    """
    if name == PAYMENTS:
        graph, y = payments()
    elif name in PAPER_GRAPHS:
        graph, y = read_paper_graph(name, data_directory(data_dir))
    else:
        raise DataError(unknown_name("dataset", name, [*PAPER_GRAPHS, PAYMENTS]))
    return (_both_directions(graph) if symmetric else graph), y


def _both_directions(graph: Graph) -> Graph:
    both = graph.symmetric()
    return replace(
        graph,
        indptr=both.indptr.astype(np.int64),
        indices=both.indices.astype(np.int32),
        edge_weight=None if graph.edge_weight is None else both.data.astype(np.float32),
    )
