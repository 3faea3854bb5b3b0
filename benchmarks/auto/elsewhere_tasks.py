"""Tasks besides the nine graphs, on which Auto's views and networks were chosen.

Its prior, its way to choose views and whom it flags were changed with other splits of these in sight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from scipy import sparse
from sklearn import datasets as tables
from sklearn.preprocessing import StandardScaler

import halflabel as hl

Task = Callable[[], tuple[hl.Graph, np.ndarray]]  # a graph, and who is positive in truth

GRAPHS = ("texas", "cornell", "wisconsin", "chameleon", "cora", "citeseer", "squirrel", "actor", "pubmed")
FEWEST = 15  # positives of a task
RARE = {"cora": 0.02, "citeseer": 0.03, "chameleon": 0.03, "squirrel": 0.02, "actor": 0.03, "pubmed": 0.03}
TABLES = {
    "digits, threes": (tables.load_digits, [3]), "digits, four of ten": (tables.load_digits, [1, 3, 8, 9]),
    "breast cancer": (tables.load_breast_cancer, [0]), "wine": (tables.load_wine, [1]),
    "iris": (tables.load_iris, [1])}
# Nodes, share of positives, neighbours, chance that the ends of an edge are of one class, features, shift.
PLANTED = (
    (120, 0.4, 8, 0.85, 0, 0.0), (1_000, 0.1, 12, 0.9, 0, 0.0), (10_000, 0.02, 10, 0.7, 0, 0.0),
    (10_000, 0.6, 10, 0.7, 0, 0.0), (20_000, 0.05, 20, 0.2, 0, 0.0), (80_000, 0.03, 12, 0.8, 0, 0.0),
    (5_000, 0.02, 10, 0.3, 32, 0.35), (20_000, 0.07, 80, 0.3, 25, 0.3), (40_000, 0.14, 60, 0.25, 32, 0.2),
    (80_000, 0.02, 10, 0.9, 100, 0.15), (10_000, 0.6, 20, 0.8, 64, 0.15))


def tasks_made_here() -> Iterator[tuple[str, str, Task]]:
    """Kind, name and task; a graph is read or made when its task is called."""
    for name in GRAPHS:
        _, y = hl.load_dataset(name)
        by_size = np.argsort(-np.bincount(y), kind="stable")
        chosen = {"second class": by_size[1:2], "smallest class": by_size[-1:], "two largest": by_size[:2]}
        if len(by_size) > 3:
            chosen["three largest"] = by_size[:3]
        for which, classes in chosen.items():
            if np.isin(y, classes).sum() >= FEWEST:
                yield "other classes", f"{name}, {which}", partial(of_classes, name, classes)
    for name in GRAPHS:
        yield "without features", name, partial(without_features, name)
    for name, share in RARE.items():
        yield "rare positives", f"{name}, {share:.0%} of the nodes", partial(with_few, name, share)
    for name, (load, classes) in TABLES.items():
        yield "tables", name, partial(of_table, load, classes)
    for sizes in PLANTED:
        nodes, share, degree, agreement, features, _ = sizes
        what = f"{nodes:,} nodes of {degree} neighbours, {share:.0%}, {agreement} agree, {features} features"
        yield "planted", what, partial(planted, *sizes)


def of_classes(name: str, classes: np.ndarray) -> tuple[hl.Graph, np.ndarray]:
    """Other positives than the largest class."""
    graph, y = hl.load_dataset(name)
    return graph, np.isin(y, classes)


def without_features(name: str) -> tuple[hl.Graph, np.ndarray]:
    """Nothing but the edges; the largest class is positive."""
    graph, y = hl.load_dataset(name)
    return hl.as_graph(graph.adjacency), y == np.bincount(y).argmax()


def with_few(name: str, share: float) -> tuple[hl.Graph, np.ndarray]:
    """Most of the largest class is taken out of the graph."""
    graph, y = hl.load_dataset(name)
    positive = y == np.bincount(y).argmax()
    count = round(share / (1 - share) * (~positive).sum())
    stay = np.random.default_rng(0).choice(np.flatnonzero(positive), count, replace=False)
    nodes = np.sort(np.r_[np.flatnonzero(~positive), stay])
    return hl.as_graph(graph.adjacency[nodes][:, nodes], graph.X[nodes]), positive[nodes]


def of_table(load: Callable, classes: list[int]) -> tuple[hl.Graph, np.ndarray]:
    """Rows of a table, linked to the rows nearest to them."""
    table = load()
    X = StandardScaler().fit_transform(table.data).astype(np.float32)
    return hl.neighbour_graph(X), np.isin(table.target, classes)


def planted(
    nodes: int, share: float, degree: int, agreement: float, features: int, shift: float
) -> tuple[hl.Graph, np.ndarray]:
    """Random edges, more or fewer of them within a class; features are normal, shifted where positive."""
    rng = np.random.default_rng(0)
    positive = rng.random(nodes) < share
    source = rng.integers(nodes, size=nodes * degree // 2)
    wanted = np.where(rng.random(len(source)) < agreement, positive[source], ~positive[source])
    target = np.where(wanted, rng.choice(np.flatnonzero(positive), len(source)),
                      rng.choice(np.flatnonzero(~positive), len(source)))
    adjacency = sparse.csr_array((np.ones(len(source)), (source, target)), shape=(nodes, nodes))
    if not features:
        return hl.as_graph(adjacency), positive
    X = rng.normal(size=(nodes, features)) + shift * positive[:, None]
    return hl.as_graph(adjacency, X.astype(np.float32)), positive
