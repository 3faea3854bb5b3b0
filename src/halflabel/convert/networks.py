"""networkx graphs, read without importing networkx."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from halflabel.errors import DataError
from halflabel.ids import NodeIds


@dataclass(frozen=True)
class EdgeArrays:
    """End points as positions, with what else the object knows about its edges and nodes.

    >>> EdgeArrays(np.array([0]), np.array([1])).directed
    True
    """

    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray | None = None
    n_nodes: int | None = None
    ids: NodeIds | None = None
    directed: bool = True
    notes: tuple[str, ...] = ()


def networkx_edges(graph: Any) -> EdgeArrays:
    """The edges of any networkx graph; nodes may be any hashable object.

    >>> import networkx as nx
    >>> edges = networkx_edges(nx.path_graph(["a", "b", "c"]))
    >>> edges.source.tolist(), edges.target.tolist(), edges.directed
    ([0, 1], [1, 2], False)
    """
    place = {node: i for i, node in enumerate(graph.nodes)}
    edges = list(graph.edges(data="weight"))
    ends = np.array([(place[u], place[v]) for u, v, _ in edges], dtype=np.int64).reshape(-1, 2)
    weight = None
    if any(w is not None for _, _, w in edges):
        weight = np.array([_weight(*edge) for edge in edges], dtype=np.float64)
    return EdgeArrays(ends[:, 0], ends[:, 1], weight, ids=NodeIds(list(place)), directed=graph.is_directed())


def _weight(source: Any, target: Any, weight: Any) -> float:
    if weight is None:  # networkx itself counts an edge without a weight as one
        return 1.0
    try:
        return float(weight)
    except (TypeError, ValueError) as error:
        raise DataError(f"edge ({source!r}, {target!r}): weight {weight!r} is not a number.") from error


def node_attributes(graph: Any) -> pa.Table:
    """The attributes of the nodes as a table in node order, null where a node lacks one.

    >>> import networkx as nx
    >>> graph = nx.Graph()
    >>> graph.add_node("a", age=40)
    >>> graph.add_node("b")
    >>> node_attributes(graph).to_pylist()
    [{'age': 40}, {'age': None}]
    """
    rows = [attributes for _, attributes in graph.nodes(data=True)]
    columns = {}
    for name in dict.fromkeys(key for row in rows for key in row):
        try:
            columns[str(name)] = pa.array([row.get(name) for row in rows], from_pandas=True)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
            raise DataError(f"node attribute {name!r} has values of different types ({error}). "
                            "Give it one type, or remove it.") from error
    return pa.table(columns)
