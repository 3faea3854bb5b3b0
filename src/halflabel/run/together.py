"""The run directory of a fit by several processes: process 0 writes it, the others send their part."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np

from halflabel.base import PUNodeClassifier
from halflabel.distributed.collect import collect_ids, collect_memory, collected
from halflabel.distributed.group import Group
from halflabel.distributed.part import Part
from halflabel.graph import Graph
from halflabel.ids import NodeIds
from halflabel.methods.inductive import InductiveNetwork
from halflabel.run.machine import InputFile
from halflabel.run.record import RunRecord
from halflabel.run.store import edge_table, write_run


def write_run_together(
    directory: str | os.PathLike[str],
    part: Part,
    model: PUNodeClassifier,
    *,
    seconds: float,
    inputs: Mapping[str, InputFile],
) -> tuple[RunRecord, Graph] | None:
    """What `write_run` does, called by every process; in process 0, the record and the nodes.

    `edges.parquet` has the edges part by part, and not in the order of the data.
    """
    group, manifest = Group.join(model.device), part.manifest
    if isinstance(model, InductiveNetwork):
        collect_memory(group, model)
    ids = collect_ids(group, part)
    edges = collected(group, edge_table(part.graph, model))
    if ids is None:
        for _ in edges:
            continue
        return None
    graph = _nodes_only(ids, manifest.notes)
    sizes = {"nodes": manifest.nodes, "edges": manifest.edges, "isolated": manifest.isolated,
             "features": manifest.features}
    record = write_run(directory, graph, model, model.known_, seconds=seconds, inputs=inputs, edges=edges,
                       sizes=sizes)
    return record, graph


def _nodes_only(ids: NodeIds, notes: tuple[str, ...]) -> Graph:
    n = len(ids)
    return Graph(indptr=np.zeros(n + 1, dtype=np.int64), indices=np.empty(0, dtype=np.int32), ids=ids,
                 X=np.empty((n, 0), dtype=np.float32), notes=notes)
