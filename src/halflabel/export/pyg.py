"""Answers as attributes of torch_geometric's Data, in the order of whoever's Data it is."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
import torch

from halflabel.base import PUNodeClassifier
from halflabel.convert.objects import pyg_edges
from halflabel.errors import DataError
from halflabel.export.answers import Answers, sources
from halflabel.graph import Graph, dense

REMEDY = "Pass the Data that was fitted, or fit again."


def to_data(model: PUNodeClassifier | Graph, data: Any = None) -> Any:
    """Give a torch_geometric Data back with what the model learned about it; the given one is not changed.

    For every node: `pu_score`, `pu_probability`, `pu_flagged` and `known_positive`. For every edge, in the
    order of `edge_index`: `edge_trust`, from 0 to 1, which layers take as their edge_weight. A self-loop,
    which no method learns a weight for, has trust one; an edge of weight zero, which was left out, zero; and
    each of several edges between the same two nodes what was learned for all of them.

    Without `data`, one is made of the model's graph: dense x, edge_index, edge_weight where there is any, and
    `node_id`, a list of the original ids. Of a Graph, only that.

    >>> from torch_geometric.data import Data
    >>> from halflabel import Naive, as_graph
    >>> ring = torch.arange(40)
    >>> mine = Data(x=torch.eye(40), edge_index=torch.stack([ring, ring.roll(1)]))
    >>> model = Naive(epochs=5, folds=2).fit(mine, torch.arange(6))
    >>> to_data(model, mine)
    Data(x=[40, 40], edge_index=[2, 40], pu_score=[40], pu_probability=[40], pu_flagged=[40], known_positive=[40], edge_trust=[40])
    >>> "pu_score" in mine
    False
    """  # noqa: E501
    if isinstance(model, Graph):
        if data is not None:
            raise DataError("to_data: a Graph has nothing to add to data. Pass a fitted model, or no data.")
        return _new_data(model)
    answers = Answers.of(model)
    if data is None:
        return _with_answers(_new_data(answers.graph), answers, answers.trust)
    _check_features(data, answers.graph)
    return _with_answers(copy(data), answers, _trust_of(data, answers))


def _new_data(graph: Graph) -> Any:
    from torch_geometric.data import Data

    X = np.array(dense(graph.X))
    data = Data(
        x=torch.as_tensor(X),
        edge_index=torch.as_tensor(np.stack([sources(graph), graph.indices]).astype(np.int64)),
    )
    if graph.edge_weight is not None:
        data.edge_weight = torch.as_tensor(graph.edge_weight.astype(np.float32))
    data.node_id = graph.ids.take(np.arange(graph.n_nodes))
    return data


def _with_answers(data: Any, answers: Answers, trust: np.ndarray) -> Any:
    device = data.edge_index.device
    of_all = {"pu_score": answers.score, "pu_probability": answers.probability,
              "pu_flagged": answers.flagged, "known_positive": answers.known, "edge_trust": trust}
    for name, values in of_all.items():
        kind = torch.bool if values.dtype == bool else torch.float32
        # A copy: the model's own arrays must not change with somebody's Data.
        data[name] = torch.tensor(values, dtype=kind, device=device)
    return data


def _check_features(data: Any, graph: Graph) -> None:
    x = getattr(data, "x", None)
    if x is None or not isinstance(graph.X, np.ndarray):  # features made of the structure, or kept sparse
        return
    if x.shape != graph.X.shape or not np.array_equal(x.numpy(force=True).astype(np.float32), graph.X):
        raise DataError(f"data has other features x than the model was fitted on. {REMEDY}")


def _trust_of(data: Any, answers: Answers) -> np.ndarray:
    """Trust of each of the data's edges, which may be repeated, lead to themselves, or weigh nothing."""
    graph, edges = answers.graph, pyg_edges(data)
    n = np.int64(graph.n_nodes)
    if data.num_nodes != n:
        raise DataError(f"data has {data.num_nodes:,} nodes, and the model was fitted on {n:,}. {REMEDY}")
    source, target = edges.source.astype(np.int64), edges.target.astype(np.int64)
    used = source != target
    if edges.weight is not None:
        used &= edges.weight > 0
    # What was learned for an edge is about its two ends, whichever comes first.
    fitted, first = np.unique(_keys(sources(graph), graph.indices, n), return_index=True)
    given, at = np.unique(_keys(source[used], target[used], n), return_inverse=True)
    if not np.array_equal(fitted, given):
        raise DataError(f"data has other edges than the model was fitted on. {REMEDY}")
    trust = (source == target).astype(np.float32)
    trust[used] = answers.trust[first][at]
    return trust


def _keys(first: np.ndarray, second: np.ndarray, n: np.int64) -> np.ndarray:
    return np.minimum(first, second) * n + np.maximum(first, second)
