"""Bring together in process 0 what belongs in files: the ids of all nodes, and the learned edge weights.

Tables arrive a block at a time and are written or kept as they come: process 0 never holds the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

from halflabel.distributed.group import Group
from halflabel.distributed.part import Part
from halflabel.edges.memory import EdgeMemory
from halflabel.ids import NodeIds
from halflabel.methods.inductive import InductiveNetwork

BLOCK = 1_000_000  # rows in a message


def collected(group: Group, table: pa.Table) -> Iterator[pa.Table]:
    """In process 0, the tables of all processes, in blocks; the others send theirs, and yield nothing.

    >>> [block.num_rows for block in collected(Group.join("cpu"), pa.table({"a": [1, 2]}))]
    [2]
    """
    blocks = _blocks(table)
    if group.rank:
        for block in (*blocks, None):
            group.send(b"" if block is None else _to_bytes(block))
        return
    yield from blocks
    for rank in range(1, group.size):
        while message := group.receive(rank):
            yield pa.ipc.open_stream(message).read_all()


def collect_ids(group: Group, part: Part) -> NodeIds | None:
    """In process 0, the ids of all nodes in the order in which the data listed them."""
    own = part.ids.to_arrow().slice(0, len(part.place))
    tables = list(collected(group, pa.table({"listed": pa.array(part.listed), "id": own})))
    if group.rank:
        return None
    whole = pa.concat_tables(tables).sort_by("listed")
    ids = NodeIds.__new__(NodeIds)  # unique already
    ids.values = whole["id"].combine_chunks()
    return ids


def collect_memory(group: Group, model: InductiveNetwork) -> None:
    """In process 0, the model remembers the weights of all edges, as `save` and other graphs need them."""
    own = model.edge_memory_
    columns = {"key": pa.array(own.keys), **{f"{i}": pa.array(mask) for i, mask in enumerate(own.masks)}}
    tables = list(collected(group, pa.table(columns)))
    if group.rank:
        return
    whole = pa.concat_tables(tables)
    # An edge between two parts comes twice, with the same weight.
    keys, first = np.unique(whole["key"].to_numpy(), return_index=True)
    masks = np.stack([whole[f"{i}"].to_numpy()[first] for i in range(len(own.masks))])
    model._memory = EdgeMemory(keys, masks)


def _blocks(table: pa.Table) -> Iterable[pa.Table]:
    return (table.slice(first, BLOCK) for first in range(0, max(table.num_rows, 1), BLOCK))


def _to_bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue().to_pybytes()
