"""Making a graph more heterophilic by a controlled amount, by adding edges between classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from scipy import sparse

from halflabel.errors import DataError, unknown_name
from halflabel.graph import Graph

Pattern = Literal["ring", "uniform", "binary"]
PATTERNS = ("ring", "uniform", "binary")


def edge_heterophily(graph: Graph, y: np.ndarray) -> float:
    """Share of undirected edges that join nodes with different labels.

    >>> path = Graph.from_edges([0, 1, 2], [1, 2, 1], X=np.eye(3))
    >>> edge_heterophily(path, np.array([0, 0, 1]))
    0.5
    """
    low, high = _undirected_pairs(graph)
    if not len(low):
        raise DataError("The graph has no edges, so it has no heterophily.")
    y = _labels_of(graph, y)
    return float(np.mean(y[low] != y[high]))


def add_heterophilic_edges(
    graph: Graph,
    y: np.ndarray,
    *,
    heterophily: float,
    pattern: Pattern = "ring",
    positive_class: int | None = None,
    random_state: int = 0,
) -> Graph:
    """Add edges between classes until their share is `heterophily`; nothing is removed.

    The algorithm of Ma, Liu, Shah and Tang (2022), "Is homophily a necessity for graph neural networks?":
    draw i uniformly from all nodes, a class from D(y_i), j uniformly from that class, and draw both again if
    the edge exists. With H of E undirected edges between classes and target t, that makes
    K = (t E - H) / (1 - t) new edges. They go both ways; in a weighted graph they have the mean weight.

    `pattern="ring"`: D(c) is half c - 1, half c + 1 (class-specific, which a graph network can exploit).
    `"uniform"`: any other class by equal chance (noise). `"binary"`: two classes, `positive_class` (the
    largest one if None) against the rest; the heterophily is counted on those two.

    >>> ring = Graph.from_edges(range(8), [1, 2, 3, 4, 5, 6, 7, 0], X=np.eye(8))
    >>> y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> edge_heterophily(ring, y)
    0.25
    >>> edge_heterophily(add_heterophilic_edges(ring, y, heterophily=0.5), y)
    0.5
    """
    if pattern not in PATTERNS:
        raise DataError(unknown_name("pattern", pattern, PATTERNS))
    classes = _classes(_labels_of(graph, y), pattern, positive_class)
    low, high = _undirected_pairs(graph)
    number = _edges_to_add(classes, low, high, heterophily)
    chances = _class_chances(int(classes.max()) + 1, pattern)
    _check_room(classes, chances, low, high, number)
    rng = np.random.default_rng(random_state)
    taken = low.astype(np.int64) * graph.n_nodes + high
    added = _draw_new_pairs(rng, classes, chances, np.sort(taken), number)
    return _with_edges(graph, added // graph.n_nodes, added % graph.n_nodes, pattern)


def _labels_of(graph: Graph, y: np.ndarray) -> np.ndarray:
    y = np.asarray(y)
    if y.shape != (graph.n_nodes,):
        raise DataError(f"y has shape {y.shape}, expected one label for each of {graph.n_nodes:,} nodes.")
    return y


def _undirected_pairs(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    pairs = sparse.triu(graph.symmetric(), k=1, format="coo")
    return pairs.row, pairs.col


def _classes(y: np.ndarray, pattern: Pattern, positive_class: int | None) -> np.ndarray:
    values, classes, counts = np.unique(y, return_inverse=True, return_counts=True)
    if len(values) < 2:
        raise DataError("All labels are equal: there is no other class to join.")
    if pattern != "binary":
        return classes
    positive = values[np.argmax(counts)] if positive_class is None else positive_class
    if positive not in values:
        raise DataError(f"positive_class={positive!r} does not occur in y; there is {values.tolist()}.")
    return (y == positive).astype(np.int64)


def _edges_to_add(classes: np.ndarray, low: np.ndarray, high: np.ndarray, target: float) -> int:
    if not len(low):
        raise DataError("The graph has no edges, so it has no heterophily to raise.")
    different = int(np.sum(classes[low] != classes[high]))
    present = different / len(low)
    if not present <= target < 1:
        raise DataError(f"heterophily={target} is out of reach of added edges: the graph has {present:.4f}. "
                        "Choose a value from there to below 1.")
    return round((target * len(low) - different) / (1 - target))


def _class_chances(number: int, pattern: Pattern) -> np.ndarray:
    """Row c: with what chance an edge from class c goes to each class."""
    if pattern == "ring":
        here = np.eye(number)
        return (np.roll(here, 1, axis=1) + np.roll(here, -1, axis=1)) / 2
    return (1 - np.eye(number)) / (number - 1)


def _check_room(
    classes: np.ndarray, chances: np.ndarray, low: np.ndarray, high: np.ndarray, number: int
) -> None:
    sizes = np.bincount(classes)
    pairs = np.sum(np.triu(chances > 0) * np.outer(sizes, sizes))
    room = pairs - np.sum(chances[classes[low], classes[high]] > 0)
    if number > room:
        raise DataError(f"{number:,} edges would have to be added, but only {room:,} pairs of nodes are "
                        "left to join. Choose a lower heterophily.")


def _draw_new_pairs(
    rng: np.random.Generator, classes: np.ndarray, chances: np.ndarray, taken: np.ndarray, number: int
) -> np.ndarray:
    """Keys low * n + high of that many distinct pairs, none of them taken, in the order drawn."""
    n, sizes = len(classes), np.bincount(classes)
    members, starts = np.argsort(classes, kind="stable"), np.cumsum(sizes) - sizes
    upto = np.cumsum(chances, axis=1)
    upto /= upto[:, -1:]  # exactly one at the end, whatever the rounding
    found = np.empty(0, dtype=np.int64)
    while len(found) < number:
        i = rng.integers(n, size=number - len(found))
        wanted = np.argmax(rng.random(len(i))[:, None] < upto[classes[i]], axis=1)
        j = members[starts[wanted] + rng.integers(sizes[wanted])]
        keys = np.concatenate([found, np.minimum(i, j) * n + np.maximum(i, j)])
        keys = keys[np.sort(np.unique(keys, return_index=True)[1])]
        found = keys[~np.isin(keys, taken)]
    return found


def _with_edges(graph: Graph, low: np.ndarray, high: np.ndarray, pattern: Pattern) -> Graph:
    weight = 1.0 if graph.edge_weight is None else float(np.mean(graph.edge_weight))
    ends = (np.concatenate([low, high]), np.concatenate([high, low]))
    values = np.full(2 * len(low), weight, dtype=np.float32)
    extra = sparse.csr_array((values, ends), shape=(graph.n_nodes, graph.n_nodes))
    merged = sparse.csr_array(graph.adjacency + extra)
    merged.sort_indices()
    return replace(
        graph,
        indptr=merged.indptr.astype(np.int64),
        indices=merged.indices.astype(np.int32),
        edge_weight=None if graph.edge_weight is None else merged.data.astype(np.float32),
        notes=(*graph.notes, f"added {len(low):,} edges between classes ({pattern})"),
    )
