"""How often new nodes are said to have drifted: hidden nodes of the real graphs, as they are and shifted.

    python benchmarks/drift/alarms.py        writes results/alarms.json

A tenth of the nodes, drawn at random, is hidden; what the others are like is remembered; the hidden ones come
back. A warning then is a false alarm. The same nodes are then changed, and a warning is what is wanted.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy import sparse

import halflabel as hl
from halflabel.drift import Seen
from halflabel.graph import Features, Graph

sys.path.insert(0, str(Path(__file__).parents[1]))
from machine import describe_machine, write_json

GRAPHS = ("cora", "citeseer", "pubmed", "cornell", "texas", "wisconsin", "chameleon", "squirrel", "actor")
SPLITS = 20


def without(graph: Graph, hidden: np.ndarray) -> Graph:
    """The graph of the other nodes only."""
    kept = np.flatnonzero(~hidden)
    part = graph.adjacency[kept][:, kept].tocoo()
    return Graph.from_edges(part.row, part.col, graph.X[kept])


def changed(graph: Graph, hidden: np.ndarray, how: str, rng: np.random.Generator) -> Graph:
    """The graph with its hidden nodes changed."""
    X, n = graph.X, graph.n_nodes
    rows = np.flatnonzero(hidden)
    if how == "one value a hundred times as large":
        changed = sparse.lil_array(X)
        column = int(np.argmax(np.asarray((X != 0).sum(axis=0)).ravel()))
        changed[rows[0], column] = 100 * max(float(X.max()), 1.0)
        return replace(graph, X=_like(X, changed))
    if how == "features doubled":
        return replace(graph, X=_like(X, sparse.diags_array(1.0 + hidden) @ sparse.csr_array(X)))
    if how == "words of other nodes added":
        donors = sparse.csr_array(X)[rng.permutation(n)] + sparse.csr_array(X)[rng.permutation(n)]
        moved = sparse.csr_array(X) + sparse.diags_array(hidden.astype(float)) @ donors
        return replace(graph, X=_like(X, moved))
    if how == "columns exchanged":
        order = rng.permutation(X.shape[1])
        mixed = sparse.csr_array(X)[:, order]
        mine, others = sparse.diags_array(hidden.astype(float)), sparse.diags_array(1.0 - hidden)
        return replace(graph, X=_like(X, mine @ mixed + others @ sparse.csr_array(X)))
    degree = int(np.diff(graph.symmetric().indptr).max())
    source = np.repeat(rows, degree)
    edges = graph.adjacency.tocoo()
    return Graph.from_edges(np.concatenate([edges.row, source]),
                            np.concatenate([edges.col, rng.integers(n, size=len(source))]), X)


def _like(X: Features, new: sparse.sparray) -> Features:
    new = sparse.csr_array(new, dtype=np.float32)
    return new.toarray() if isinstance(X, np.ndarray) else new


SHIFTS = ("one value a hundred times as large", "features doubled", "words of other nodes added",
          "columns exchanged", "edges to everybody")


def main() -> None:
    rows = []
    for name in GRAPHS:
        graph, _ = hl.load_dataset(name)
        alarms = {"none": 0, "none, one node": 0, **dict.fromkeys(SHIFTS, 0)}
        for split in range(SPLITS):
            rng = np.random.default_rng(split)
            hidden = np.zeros(graph.n_nodes, dtype=bool)
            hidden[rng.choice(graph.n_nodes, graph.n_nodes // 10, replace=False)] = True
            seen, focus = Seen.of(without(graph, hidden)), np.flatnonzero(hidden)
            drifts = seen.drifts(graph[focus])
            alarms["none"] += bool(drifts)
            alarms["none, one node"] += bool(seen.drifts(graph[focus[:1]]))
            if split < 5:
                for how in SHIFTS:
                    alarms[how] += bool(seen.drifts(changed(graph, hidden, how, rng)[focus]))
        rows.append({"graph": name, "splits": SPLITS, "shifted_splits": 5, "warned": alarms})
        print(name, alarms, [str(d) for d in drifts[:2]], flush=True)
    place = Path(__file__).parent / "results" / "alarms.json"
    write_json(place, {"machine": describe_machine(1), "rows": rows})


if __name__ == "__main__":
    main()
