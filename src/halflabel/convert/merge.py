"""Edges of two graphs over the same nodes, in one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from halflabel.graph import Graph


def is_symmetric(graph: Graph) -> bool:
    """Whether there are edges, and the reverse of each is there too.

    >>> [is_symmetric(Graph.from_edges(*ends, np.eye(2))) for ends in (([0, 1], [1, 0]), ([0], [1]))]
    [True, False]
    """
    pattern = graph.adjacency != 0
    return graph.n_edges > 0 and (pattern != pattern.T).nnz == 0


def merge_edges(graph: Graph, added: Graph, both_ways: bool, old: int) -> tuple[Graph, list[str]]:
    """A graph with the edges of another one, of the same nodes, beside its own, which stay as they are.

    `old` nodes were there before: edges between two of them are counted in the notes.

    >>> graph, more = Graph.from_edges([0], [1], np.eye(3)), Graph.from_edges([0, 1], [1, 2], np.eye(3))
    >>> merge_edges(graph, more, both_ways=False, old=2)
    (Graph(3 nodes, 2 directed edges, 3 features), ['1 of the edges was there already'])
    """
    n = graph.n_nodes
    entries = added.adjacency
    if both_ways:
        entries = entries.maximum(entries.T.tocsr())
    entries = sparse.coo_array(entries)
    keys, own = (row.astype(np.int64) * n + col for row, col in (
        (entries.row, entries.col), (np.repeat(np.arange(n), np.diff(graph.indptr)), graph.indices)))
    new = ~np.isin(keys, own, assume_unique=True)
    merged = np.concatenate([own, keys[new]])
    order = np.argsort(merged, kind="stable")
    weight = graph.edge_weight
    if weight is not None:
        weight = np.concatenate([weight, entries.data[new].astype(np.float32)])[order]
    rows = np.bincount(merged // n, minlength=n)
    result = replace(graph, indptr=np.concatenate([[0], np.cumsum(rows)]),
                     indices=(merged[order] % n).astype(np.int32), edge_weight=weight)
    return result, _notes(keys, new, n, old)


def _notes(keys: np.ndarray, new: np.ndarray, n: int, old: int) -> list[str]:
    among_old = int((new & (keys // n < old) & (keys % n < old)).sum())
    there = len(new) - int(new.sum())
    counts = ((there, "there already"), (among_old, "between nodes that were fitted"))
    return [f"{count:,} of the edges {'were' if count > 1 else 'was'} {what}"
            for count, what in counts if count]
