"""The views of a graph's nodes that networks learn from.

| view | network | sees |
| --- | --- | --- |
| traits, traits nearby | naive Bayes | which features a node has; its neighbours, and theirs, too |
| own | perceptron | a node's own features |
| hops | perceptron | its own, its neighbours' mean, and its neighbours' neighbours' |
| convolution | GCN | features averaged over the edges, twice |
| pagerank | APPNP | a perceptron's answers, averaged over the wider neighbourhood |
| links to, links from | perceptron | whom it links to, who links to it |
| company, peers | walks | of P and of U, whom walks meet; whom those of even length meet |
| alike | walks | of P and of U, who has most traits in common with it, and who with those in turn |
| trees | random forest | the same as hops, and how many neighbours; of numbers, or of few features |

None of them wins on every graph: docs/auto-study.md tells what each contributes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import torch
from scipy import sparse

from halflabel.edges.memory import hash_ids
from halflabel.features.views import averaging
from halflabel.graph import Features, Graph, dense
from halflabel.stacking.indicators import Indicators
from halflabel.stacking.likeness import Likeness, are_too_many
from halflabel.training.team import ALONE, Alone

MAX_LINKED_NODES = 100_000  # links have a column for every node: weights would outgrow everything else
MAX_NUMBERS = 20_000_000  # that trees are grown of, thrice: at a node, and two means
FEW_FEATURES = 300  # such as categories have: trees are grown of them even if most nodes lack each


@dataclass(frozen=True)
class ViewMaker:
    """Makes the views of a graph, and later those of another one in the same way.

    `nodes` are hashes of the first graph's ids, for which columns of links stand; `indicators` make traits of
    features, and `likeness` tells who has most of them in common.

    >>> graph = Graph.from_edges([0, 1], [1, 2], np.eye(3))
    >>> maker = ViewMaker.of(graph, graph.X)
    >>> {name: X.shape for name, X in maker.views(graph, graph.X, maker.locate(graph))}["links to"]
    (3, 3)
    """

    HOPS: ClassVar[dict[str, int]] = {"traits": 0, "traits nearby": 2}  # counted, not trained
    BACKBONES: ClassVar[dict[str, str]] = {
        "own": "mlp", "hops": "hops", "convolution": "gcn", "pagerank": "appnp", "links to": "mlp",
        "links from": "mlp"}
    STRIDES: ClassVar[dict[str, int]] = {"company": 1, "peers": 2}  # walked, not trained
    ALIKE: ClassVar[str] = "alike"  # walked, likewise
    FOREST: ClassVar[str] = "trees"
    EVERY: ClassVar[tuple[str, ...]] = (*HOPS, *BACKBONES, *STRIDES, ALIKE, FOREST)  # in this order

    names: tuple[str, ...]
    nodes: np.ndarray
    indicators: Indicators
    likeness: Likeness | None = None  # of nodes that are not too many, with traits and not numbers

    @classmethod
    def of(cls, graph: Graph, X: Features, team: Alone = ALONE) -> Self:
        """What this graph offers: links from are links to where edges have no direction."""
        own_ids = graph.ids.to_arrow().slice(0, X.shape[0])
        nodes = team.gather_array(hash_ids(own_ids.to_pylist()).view(np.int64)).view(np.uint64)
        indicators = Indicators.of(X, team)
        linked = bool(team.total(torch.tensor(graph.n_edges)))
        small = len(nodes) <= MAX_LINKED_NODES
        names = ["traits", "own"]
        if linked:
            names = ["traits", "traits nearby", "own", "hops", "convolution", "pagerank"]
        if linked and small:
            forward = team.whole(graph).adjacency != 0
            names += ["links to"] if (forward != forward.T).nnz == 0 else ["links to", "links from"]
        if linked:
            names += cls.STRIDES
        likeness = _likeness(indicators, X, len(nodes), team)
        if likeness:
            names.append(cls.ALIKE)
        wooded = indicators.of_numbers or X.shape[1] <= FEW_FEATURES
        if small and wooded and len(nodes) * X.shape[1] <= MAX_NUMBERS:
            names.append(cls.FOREST)
        return cls(tuple(names), nodes, indicators, likeness)

    def views(
        self, graph: Graph, X: Features, place: np.ndarray, team: Alone = ALONE
    ) -> Iterable[tuple[str, Features]]:
        """Features for each view, one after another: together they may not fit into memory.

        `place` is where :meth:`locate` finds the nodes, of which a team has the rows of its own ones.
        """
        return ((name, self.view(name, graph, X, place, team)) for name in self.names)

    def view(
        self, name: str, graph: Graph, X: Features, place: np.ndarray, team: Alone = ALONE
    ) -> Features:
        """Features for one view."""
        if name in self.HOPS:
            return self.indicators(X)
        if name.startswith("links"):
            return team.own_rows(self._links(team.whole(graph), place, forward=name == "links to"))
        if name in self.STRIDES:
            return team.own_rows(self._themselves(place))
        if name == self.ALIKE and self.likeness:
            return team.own_rows(self.likeness(team.all_rows(self.indicators(X)), place))
        if name == self.FOREST:
            return team.own_rows(_with_means(team.whole(graph), team.all_rows(dense(X))))
        return X

    def _links(self, graph: Graph, place: np.ndarray, forward: bool) -> Features:
        links = sparse.coo_array(graph.adjacency if forward else graph.adjacency.T)
        column = place[links.col]
        seen = column >= 0
        entries = np.ones(int(seen.sum()), dtype=np.float32)
        return sparse.csr_array(
            (entries, (links.row[seen], column[seen])), shape=(graph.n_nodes, len(self.nodes)))

    def _themselves(self, place: np.ndarray) -> Features:
        row = np.flatnonzero(place >= 0)
        entries = np.ones(len(row), dtype=np.float32)
        return sparse.csr_array((entries, (row, place[row])), shape=(len(place), len(self.nodes)))

    def locate(self, graph: Graph) -> np.ndarray:
        """For each node of a graph its position in the first one, or -1."""
        here = hash_ids(graph.ids.to_arrow().to_pylist())
        order = np.argsort(self.nodes, kind="stable")
        position = order[np.searchsorted(self.nodes, here, sorter=order).clip(max=len(self.nodes) - 1)]
        return np.where(self.nodes[position] == here, position, -1)

    def to_arrays(self) -> dict[str, torch.Tensor]:
        """For a saved model."""
        nodes, edges = self.nodes.view(np.int64), self.indicators.edges
        likeness = self.likeness.to_arrays() if self.likeness else {}
        return {"nodes": torch.tensor(nodes), "edges": torch.tensor(edges)} | {
            f"alike.{name}": value for name, value in likeness.items()}

    @classmethod
    def from_arrays(cls, names: tuple[str, ...], arrays: dict[str, torch.Tensor]) -> Self:
        """The inverse of :meth:`to_arrays`."""
        likeness = Likeness.from_arrays(below(arrays, "alike.")) if cls.ALIKE in names else None
        indicators = Indicators(arrays["edges"].numpy())
        return cls(names, arrays["nodes"].numpy().view(np.uint64), indicators, likeness)


def _likeness(indicators: Indicators, X: Features, nodes: int, team: Alone) -> Likeness | None:
    """By traits, if comparing all nodes does not take too long; of numbers, trees tell more."""
    if indicators.of_numbers or are_too_many(nodes):
        return None
    likeness = Likeness.of(team.all_rows(indicators(X)))
    return likeness if likeness.is_affordable else None


def _with_means(graph: Graph, X: np.ndarray) -> np.ndarray:
    """[X, M X, M^2 X], M = D^-1 A, and log(1 + number of neighbours)."""
    M = averaging(graph)
    nearby = M @ X
    return np.column_stack([X, nearby, M @ nearby, np.log1p(np.diff(M.indptr))]).astype(np.float32)


def below(arrays: Mapping[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    """Those whose names begin with it, under the rest of their names.

    >>> below({"a.x": torch.ones(1), "b.x": torch.zeros(1)}, "a.")
    {'x': tensor([1.])}
    """
    return {name.removeprefix(prefix): value for name, value in arrays.items() if name.startswith(prefix)}
