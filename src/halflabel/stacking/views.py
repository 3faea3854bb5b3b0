"""The views of a graph's nodes that networks learn from.

| view | network | sees |
| --- | --- | --- |
| traits, traits nearby | naive Bayes | which features a node has; its neighbours, and theirs, too |
| own | perceptron | a node's own features |
| hops | perceptron | its own, its neighbours' mean, and its neighbours' neighbours' |
| convolution | GCN | features averaged over the edges, twice |
| pagerank | APPNP | a perceptron's answers, averaged over the wider neighbourhood |
| links to, links from | perceptron | whom it links to, who links to it |

None of them wins on every graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import torch
from scipy import sparse
from sklearn.utils.extmath import randomized_svd

from halflabel.edge_memory import hash_ids
from halflabel.graph import Features, Graph
from halflabel.stacking.indicators import Indicators
from halflabel.views import averaging, compact

MAX_LINKED_NODES = 100_000  # links have a column for every node: weights would outgrow everything else
MAX_DENSE = 30_000_000  # numbers in a matrix of neighbours' features, which is hardly ever sparse
COMPONENTS = 256  # to which wider ones are reduced


@dataclass(frozen=True)
class ViewMaker:
    """Makes the views of a graph, and later those of another one in the same way.

    `nodes` are hashes of the first graph's ids, for which columns of links stand; `indicators` make traits of
    features; `components`, where features are too wide for matrices of neighbours' means, are the directions
    of largest spread that they are reduced to.

    >>> graph = Graph.from_edges([0, 1], [1, 2], np.eye(3))
    >>> maker = ViewMaker.of(graph, graph.X)
    >>> {name: X.shape for name, X in maker.views(graph, graph.X)}["hops"]
    (3, 9)
    """

    HOPS: ClassVar[dict[str, int]] = {"traits": 0, "traits nearby": 2}  # counted, not trained
    BACKBONES: ClassVar[dict[str, str]] = {
        "own": "mlp", "hops": "mlp", "convolution": "gcn", "pagerank": "appnp", "links to": "mlp",
        "links from": "mlp"}

    names: tuple[str, ...]
    nodes: np.ndarray
    indicators: Indicators
    components: np.ndarray | None

    @classmethod
    def of(cls, graph: Graph, X: Features) -> Self:
        """What this graph offers: links from are links to where edges have no direction."""
        names = ["traits", "traits nearby", "own", "hops", "convolution", "pagerank"]
        if not graph.n_edges:
            names = ["traits", "own"]
        elif graph.n_nodes <= MAX_LINKED_NODES:
            forward = graph.adjacency != 0
            names += ["links to"] if (forward != forward.T).nnz == 0 else ["links to", "links from"]
        too_wide = X.shape[0] * X.shape[1] > MAX_DENSE and X.shape[1] > COMPONENTS
        components = randomized_svd(X, COMPONENTS, random_state=0)[2].T if too_wide else None
        components = None if components is None else components.astype(np.float32)
        nodes = hash_ids(graph.ids.to_arrow().to_pylist())
        return cls(tuple(names), nodes, Indicators.of(X), components)

    def views(self, graph: Graph, X: Features) -> Iterable[tuple[str, Features]]:
        """Features for each view, one after another: together they may not fit into memory."""
        return ((name, self.view(name, graph, X)) for name in self.names)

    def view(self, name: str, graph: Graph, X: Features) -> Features:
        """Features for one view."""
        if name == "hops":
            return self._hops(graph, X)
        if name in self.HOPS:
            return self.indicators(X)
        if name.startswith("links"):
            return self._links(graph, forward=name == "links to")
        return X

    def _hops(self, graph: Graph, X: Features) -> Features:
        own = X if self.components is None else X @ self.components
        mean = averaging(graph)
        near = compact(mean @ own)
        parts = [own, near, compact(mean @ near)]
        if any(isinstance(part, np.ndarray) for part in parts):
            parts = [part if isinstance(part, np.ndarray) else part.toarray() for part in parts]
            return np.hstack(parts)
        return sparse.csr_array(sparse.hstack(parts, format="csr"))

    def _links(self, graph: Graph, forward: bool) -> Features:
        links = sparse.coo_array(graph.adjacency if forward else graph.adjacency.T)
        column = self.locate(graph)[links.col]
        seen = column >= 0
        entries = np.ones(int(seen.sum()), dtype=np.float32)
        return sparse.csr_array(
            (entries, (links.row[seen], column[seen])), shape=(graph.n_nodes, len(self.nodes)))

    def locate(self, graph: Graph) -> np.ndarray:
        """For each node of a graph its position in the first one, or -1."""
        here = hash_ids(graph.ids.to_arrow().to_pylist())
        order = np.argsort(self.nodes, kind="stable")
        position = order[np.searchsorted(self.nodes, here, sorter=order).clip(max=len(self.nodes) - 1)]
        return np.where(self.nodes[position] == here, position, -1)

    def to_arrays(self) -> dict[str, torch.Tensor]:
        """For a saved model."""
        arrays = {"nodes": torch.tensor(self.nodes.view(np.int64)),
                  "edges": torch.tensor(self.indicators.edges)}
        return arrays if self.components is None else arrays | {"components": torch.tensor(self.components)}

    @classmethod
    def from_arrays(cls, names: tuple[str, ...], arrays: dict[str, torch.Tensor]) -> Self:
        """The inverse of :meth:`to_arrays`."""
        components = arrays["components"].numpy() if "components" in arrays else None
        indicators = Indicators(arrays["edges"].numpy())
        return cls(names, arrays["nodes"].numpy().view(np.uint64), indicators, components)
