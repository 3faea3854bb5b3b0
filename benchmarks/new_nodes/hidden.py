"""New nodes: a tenth of Cora's nodes hidden entirely, then appended and scored without training again.

    python benchmarks/new_nodes/hidden.py        writes results/hidden.json

Average precision on the hidden nodes is compared with that of a fit that had them in its graph, unlabelled,
with the same known positives. Cora without its features shows what structure alone carries over.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn.metrics import average_precision_score

import halflabel as hl
from halflabel.graph import Graph
from halflabel.ids import NodeIds

sys.path.insert(0, str(Path(__file__).parents[1]))
from machine import describe_machine, write_json

SPLITS = 3
METHODS = {"naive": hl.Naive, "gpl": hl.GPL, "auto": hl.Auto}


def tables(graph: Graph, nodes: np.ndarray) -> tuple[pa.Table, pa.Table]:
    """All edges that touch these nodes, and the nodes with their features."""
    source = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    touching = np.isin(source, nodes) | np.isin(graph.indices, nodes)
    edges = pa.table({"source": source[touching], "target": graph.indices[touching]})
    X = graph.X[nodes] if isinstance(graph.X, np.ndarray) else graph.X[nodes].toarray()
    columns = dict(zip(graph.names(), X.T, strict=True))
    return edges, pa.table({"id": pa.array(nodes), **columns})


def without(graph: Graph, hidden: np.ndarray) -> Graph:
    """The graph of the other nodes only."""
    kept = np.flatnonzero(~hidden)
    part = graph.adjacency[kept][:, kept].tocoo()
    return Graph.from_edges(part.row, part.col, graph.X[kept], ids=NodeIds(kept))


def bare(graph: Graph) -> Graph:
    """The graph without its features."""
    edges = graph.adjacency.tocoo()
    ids = graph.ids.to_arrow()
    named = pa.table({"source": ids.take(pa.array(edges.row)), "target": ids.take(pa.array(edges.col))})
    return hl.read_graph(named, pa.table({"id": ids}))


def measure(graph: Graph, y: np.ndarray, method: type, split: int, features: bool) -> dict[str, Any]:
    rng = np.random.default_rng(split)
    hidden = np.zeros(graph.n_nodes, dtype=bool)
    hidden[rng.choice(graph.n_nodes, graph.n_nodes // 10, replace=False)] = True
    positive = y == np.bincount(y).argmax()
    known = hl.hide_positives(y, ratio=0.5, random_state=split) & ~hidden
    new = np.flatnonzero(hidden)
    small = without(graph, hidden)
    edges, nodes = tables(graph, new)
    whole = graph if features else bare(graph)
    if not features:
        small, nodes = bare(small), pa.table({"id": pa.array(new)})
    before = method(random_state=split).fit(whole, known).predict_proba()[new, 1]
    model = method(random_state=split).fit(small, known[~hidden])
    grown = hl.append(small, edges, nodes)
    after = model.predict_proba(grown)[:, 1]
    seen, unseen = (float(average_precision_score(positive[new], p)) for p in (before, after))
    return {"transductive": seen, "appended": unseen, "ratio": unseen / seen}


def main() -> None:
    graph, y = hl.load_dataset("cora")
    place = Path(__file__).parent / "results" / "hidden.json"
    rows = json.loads(place.read_text(encoding="utf-8"))["rows"] if place.exists() else []
    cells = [*((True, name) for name in METHODS), (False, "naive")]
    for (features, name), split in product(cells, range(SPLITS)):
        cell = {"method": name, "features": features, "split": split}
        if not any(cell.items() <= row.items() for row in rows):  # a stopped run goes on
            rows.append(cell | measure(graph, y, METHODS[name], split, features))
            print(rows[-1], flush=True)
            write_json(place, {"machine": describe_machine(1), "rows": rows})


if __name__ == "__main__":
    main()
