"""Papers of one field in a citation graph: from networkx, and the same from data frames.

    python examples/citations.py

Cora if HALFLABEL_DATA has it, otherwise a small made-up library. Some papers are known to be of the field;
which of the others are?
"""

import os

import networkx as nx
import numpy as np
import pandas as pd

import halflabel as hl
from halflabel.errors import DataError


def cora() -> tuple[nx.Graph, set]:
    """The real thing: 2,708 papers, their words, and those of the largest field."""
    graph, y = hl.load_dataset("cora")
    G = nx.from_scipy_sparse_array(graph.symmetric())
    words = np.asarray(graph.X.todense() if hasattr(graph.X, "todense") else graph.X)
    nx.set_node_attributes(G, {node: {"words": words[node]} for node in G})
    return G, set(np.flatnonzero(y == np.bincount(y).argmax()).tolist())


def made_up() -> tuple[nx.Graph, set]:
    """300 papers in three fields that mostly cite their own, with ten numbers each."""
    G = nx.planted_partition_graph(3, 100, 0.06, 0.005, seed=0)
    rng = np.random.default_rng(0)
    for _, of in G.nodes(data=True):
        of["words"] = rng.normal(size=10) + 0.5 * np.eye(3, 10)[of.pop("block")]
    G.graph.clear()
    return G, set(range(100))


try:
    G, field = cora() if os.environ.get("HALFLABEL_DATA") else made_up()
except DataError:  # the directory is there, Cora is not
    G, field = made_up()

# 1. networkx: node attributes are features, node names are ids, and they come back as they were.
graph = hl.as_graph(G)
known = sorted(field)[::3]  # a third of the field is known, spread evenly: nearly a random draw
model = hl.GPL(warmup=50, epochs=20, random_state=0).fit(graph, known)
print(graph)
print(f"{model.prior_:.1%} of the others should be of the field, {model.prior_interval_[0]:.1%} to "
      f"{model.prior_interval_[1]:.1%}; in truth {(len(field) - len(known)) / (len(G) - len(known)):.1%}")

# 2. Data frames: one of edges, one of nodes. The same graph, so the same answer, to the bit.
edges = nx.to_pandas_edgelist(G)[["source", "target"]]
both_ways = pd.concat([edges, edges.rename(columns={"source": "target", "target": "source"})])
width = len(G.nodes[0]["words"])
nodes = pd.DataFrame([G.nodes[n]["words"] for n in G], columns=[f"w{i}" for i in range(width)])
nodes.insert(0, "id", list(G))
from_frames = hl.as_graph((both_ways, nodes))
same = hl.GPL(warmup=50, epochs=20, random_state=0).fit(from_frames, known)
print("from frames the same:", np.allclose(same.scores_, model.scores_))

# 3. Which citations cross the border of the field? Those that were learned to be distrusted.
source = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
inside = np.isin(np.arange(graph.n_nodes), list(field))
crossing = inside[source] != inside[graph.indices]
print(f"mean trust of citations within a side {model.edge_weight_[~crossing].mean():.2f}, across the border "
      f"{model.edge_weight_[crossing].mean():.2f}")
