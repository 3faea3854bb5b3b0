"""What can be said about a graph and its known positives before anything is learned from them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import connected_components

from halflabel.graph import Graph

FEW_POSITIVES = 20
FEW_LINKS = 5.0  # fewer expected and fewer found say nothing about a tendency
ALARMING = ("it may be the answer", "no node features")


class Links(NamedTuple):
    """Edges between known positives: how many there are, and how many chance would give.

    >>> Links(30, 10.0).ratio
    3.0
    """

    found: int
    expected: float

    @property
    def ratio(self) -> float:
        """How many times as often as by chance."""
        return self.found / self.expected if self.expected else np.nan


def links_among(graph: Graph, known: np.ndarray) -> Links:
    """Edges from one known positive to another, and their expected number if edges kept only their degrees.

    Nothing but the known positives is looked at, so the ratio hints at homophily (above 1) or heterophily
    (below 1) without knowing any negative.

    >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], np.eye(4))
    >>> links_among(ring, np.array([True, True, False, False]))
    Links(found=1, expected=0.5)
    """
    adjacency = graph.adjacency
    sent = np.diff(graph.indptr)[known]
    received = np.bincount(graph.indices, minlength=graph.n_nodes)[known]
    found = adjacency[known][:, known].nnz
    # No edge leads from a node to itself.
    pairs = sent.sum() * received.sum() - sent @ received
    return Links(int(found), float(pairs) / max(graph.n_edges, 1))


def count_isolated(graph: Graph, among: np.ndarray | None = None) -> int:
    """How many nodes, of all or of those in a mask, have no edge, in or out.

    >>> count_isolated(Graph.from_edges([0], [1], np.eye(3)))
    1
    """
    alone = np.diff(graph.indptr) == 0
    alone[graph.indices] = False
    return int(np.count_nonzero(alone if among is None else alone & among))


def count_out_of_reach(graph: Graph, known: np.ndarray) -> int:
    """How many nodes are in a part of the graph that holds no known positive.

    >>> two_pairs = Graph.from_edges([0, 2], [1, 3], np.eye(4))
    >>> count_out_of_reach(two_pairs, np.array([True, False, False, False]))
    2
    """
    _, part = connected_components(graph.adjacency, directed=True, connection="weak")
    return int(np.count_nonzero(~np.isin(part, part[known])))


def warnings_about(graph: Graph, known: np.ndarray) -> list[str]:
    """What a user should know before trusting a fit, most important first."""
    warnings = []
    positives = int(known.sum())
    if positives < FEW_POSITIVES:
        warnings.append(f"only {positives} known positives: the ranking will be rough and the interval wide. "
                        f"From {FEW_POSITIVES} on things improve; label a few more if you can.")
    warnings += [note for note in graph.notes if any(words in note for words in ALARMING)]
    if alone := count_isolated(graph, known):
        warnings.append(f"{alone:,} of {positives:,} known positives have no edge: only their features teach "
                        "anything. Are ids written the same way in all files?")
    if (far := count_out_of_reach(graph, known)) > graph.n_nodes / 100:
        warnings.append(f"{far:,} of {graph.n_nodes:,} nodes are not connected to any known positive: they "
                        "are judged by their features, not by whom they know.")
    return warnings


def describe_links(links: Links) -> str:
    """The homophily hint in one sentence.

    >>> describe_links(Links(30, 10.0))
    'known positives link to each other 3.0 times as often as chance would have it (30 edges, 10.0 expected)'
    """
    if max(links.found, links.expected) < FEW_LINKS:
        return (f"{links.found:,} edges between known positives ({links.expected:.1f} expected by chance): "
                "too few to say whether positives seek each other out")
    times = f"{links.ratio:.1f}" if links.ratio >= 0.1 else f"{links.ratio:.2g}"
    return (f"known positives link to each other {times} times as often as chance would have it "
            f"({links.found:,} edges, {links.expected:,.1f} expected)")
