"""From the id of a node, as somebody typed it, to its place in the graph."""

from __future__ import annotations

import difflib
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from halflabel.errors import DataError, quote_some
from halflabel.graph import Graph
from halflabel.ids import NodeIds, as_text

COMPARED = 20_000  # ids that a mistyped one is compared with: all of them, or those that begin alike


def position_of(graph: Graph, node: Any) -> int:
    """Where a node is in the graph; 7 and "7" name the same one.

    >>> from halflabel.datasets import payments
    >>> graph, _ = payments()
    >>> position_of(graph, "ACC-0427")
    427
    >>> position_of(graph, "ACC-427")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    halflabel.errors.DataError: no node 'ACC-427' among 2,000. Did you mean 'ACC-1427', ...
    """
    position = int(graph.ids.positions([node])[0])
    if position >= 0:
        return position
    close = difflib.get_close_matches(str(node), _candidates(graph.ids, str(node)), n=3)
    examples = quote_some(graph.ids[i] for i in range(min(3, len(graph.ids))))
    hint = f"Did you mean {', '.join(map(repr, close))}?" if close else f"Ids look like {examples}."
    raise DataError(f"no node {node!r} among {len(graph.ids):,}. {hint}")


def plain_id(node: Any) -> Any:
    """An id as JSON can hold it.

    >>> plain_id("a"), plain_id(7), plain_id((0, 1))
    ('a', 7, '(0, 1)')
    """
    return node if isinstance(node, (str, int)) else str(node)


def _candidates(ids: NodeIds, wanted: str) -> list[str]:
    names: Any = as_text(ids.values) if isinstance(ids.values, pa.Array) else ids.to_arrow()
    for length in range(1, len(wanted) + 1):
        if len(names) <= COMPARED:
            break
        names = names.filter(pc.starts_with(names, wanted[:length]))
    return names.slice(0, COMPARED).to_pylist()
