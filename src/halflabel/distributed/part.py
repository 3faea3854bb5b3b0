"""Part: the nodes that one process owns, with their edges, read from a partitioned graph."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse

from halflabel.distributed.checkpoints import Checkpoints
from halflabel.distributed.group import PATIENCE
from halflabel.distributed.manifest import PARTS, Manifest, part_name
from halflabel.errors import DataError
from halflabel.graph import Features, Graph
from halflabel.ids import NodeIds


@dataclass(frozen=True, eq=False)
class Part:
    """Own nodes have numbers 0 .. len(place) - 1 here; then follow their neighbours elsewhere, the halo.

    `place` and `halo_place` are positions in the whole graph sorted by id; `listed` is where the data listed
    a node. Rows are of the symmetric adjacency; `directed` marks the entries that the data has.
    """

    manifest: Manifest
    rank: int
    place: np.ndarray
    listed: np.ndarray
    ids: NodeIds  # of own nodes and of the halo
    X: Features
    indptr: np.ndarray
    target: np.ndarray
    directed: np.ndarray
    weight: np.ndarray | None
    halo_place: np.ndarray
    halo_owner: np.ndarray
    patience: float = PATIENCE  # seconds that a silent process is waited for
    checkpoints: Checkpoints | None = None

    def fit_together(self, model: Any, positives: Any) -> Any:
        """What `model.fit(part, positives)` does: fit with the processes that have the other parts."""
        from halflabel.distributed.fitting import fit_together

        return fit_together(model, self, positives)

    def with_checkpoints(
        self, directory: str | os.PathLike[str], *, every: int = 10, resume: bool = False
    ) -> Part:
        """The same part, fitted with a checkpoint every so many epochs; `resume` goes on from the last one.

        Without any checkpoint there, `resume` starts at the beginning: the same command serves both.
        """
        if every < 1:
            raise DataError(f"every={every}: expected a number of epochs, 1 or more.")
        return replace(self, checkpoints=Checkpoints(Path(directory), every, resume, self.manifest.content))

    @cached_property
    def graph(self) -> Graph:
        """The edges from own nodes, with halo nodes that have none; the order that `edge_weight_` follows."""
        inside = np.concatenate([[0], np.cumsum(self.directed)])[self.indptr]
        n = len(self.place) + len(self.halo_place)
        indptr = np.concatenate([inside, np.full(n - len(self.place), inside[-1])])
        return Graph(indptr=indptr, indices=self.target[self.directed], ids=self.ids,
                     X=np.empty((n, 0), dtype=np.float32), notes=self.manifest.notes,
                     edge_weight=None if self.weight is None else self.weight[self.directed],
                     encoding=self.manifest.encoding)


def read_part(directory: str | os.PathLike[str], rank: int | None = None) -> Part:
    """Read this process's part of a graph that `partition_graph` wrote, and no other.

    The launcher (torchrun) numbers the processes; `rank` overrides it.

    >>> import tempfile
    >>> from halflabel.datasets import payments
    >>> from halflabel.distributed import partition_graph
    >>> place = tempfile.mkdtemp() + "/parts"
    >>> _ = partition_graph(payments()[0], 2, place)
    >>> part = read_part(place, rank=1)
    >>> len(part.place) == part.manifest.own_nodes[1]
    True
    """
    manifest = Manifest.read(directory)
    if rank is None:
        rank, processes = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
        if processes != manifest.parts:
            raise DataError(f"{directory}: {manifest.parts} parts, number of processes: {processes}. "
                            f"Start {manifest.parts} (torchrun --nproc-per-node {manifest.parts} ...), or "
                            "partition the graph again.")
    if not 0 <= rank < manifest.parts:
        raise DataError(f"{directory}: no part {rank}; there are {manifest.parts}, from 0 on.")
    home = Path(directory) / part_name(rank)
    nodes, edges, halo = (_read(home / f"{name}.parquet") for name in ("nodes", "edges", "halo"))
    try:
        part = _checked(_part(manifest, rank, nodes, edges, halo))
    except (KeyError, TypeError, ValueError, pa.ArrowException) as error:
        raise PARTS.damaged(home, error) from None
    del nodes, edges, halo
    pa.default_memory_pool().release_unused()  # half of what reading took
    return part


def _part(manifest: Manifest, rank: int, nodes: pa.Table, edges: pa.Table, halo: pa.Table) -> Part:
    ids = pa.concat_arrays([_column(nodes, "id"), _column(halo, "id")])
    return Part(
        manifest, rank,
        place=_numpy(nodes, "place"), listed=_numpy(nodes, "listed"), ids=_trusted(ids),
        X=_features(nodes, manifest.features),
        indptr=np.concatenate([[0], np.cumsum(_numpy(nodes, "degree"), dtype=np.int64)]),
        target=_numpy(edges, "target"), directed=_numpy(edges, "directed"),
        weight=_numpy(edges, "weight") if "weight" in edges.column_names else None,
        halo_place=_numpy(halo, "place"), halo_owner=_numpy(halo, "owner"))


def _checked(part: Part) -> Part:
    """A part of which no edge leads outside: what computes with it does not look."""
    n, own, everybody = len(part.ids), part.manifest.own_nodes[part.rank], part.manifest.nodes
    sizes = (len(part.place), part.X.shape, len(part.directed), int(part.indptr[-1]))
    if sizes != (own, (own, part.manifest.features), len(part.target), len(part.target)):
        raise ValueError("its tables do not fit together")
    if part.weight is not None and len(part.weight) != len(part.target):
        raise ValueError("its tables do not fit together")
    for values, end in ((part.target, n), (part.place, everybody), (part.listed, everybody),
                        (part.halo_place, everybody), (part.halo_owner, part.manifest.parts)):
        if values.dtype.kind not in "iu" or (len(values) and not 0 <= values.min() <= values.max() < end):
            raise ValueError("an edge or a node is outside of the graph")
    if bool((np.diff(part.indptr) < 0).any()):
        raise ValueError("a node with fewer edges than none")
    return part


def _read(path: Path) -> pa.Table:
    try:
        return pq.read_table(path, pre_buffer=False)  # which would hold the file beside the table
    except (OSError, pa.ArrowException) as error:
        what = "is missing" if isinstance(error, FileNotFoundError) else f"cannot be read ({error})"
        raise DataError(f"{path}: {what}. Partition the graph again.") from None


def _column(table: pa.Table, name: str) -> pa.Array:
    column = table[name].combine_chunks()
    return column.chunk(0) if isinstance(column, pa.ChunkedArray) else column


def _numpy(table: pa.Table, name: str) -> np.ndarray:
    values = table[name].to_numpy()
    return values if values.flags.writeable else values.copy()  # torch takes no array that it may not change


def _trusted(ids: pa.Array) -> NodeIds:
    """Unique, as those of the whole graph were: not checked again."""
    node_ids = NodeIds.__new__(NodeIds)
    node_ids.values = ids
    return node_ids


def _features(nodes: pa.Table, width: int) -> Features:
    if "values" not in nodes.column_names:
        return np.empty((nodes.num_rows, width), dtype=np.float32)
    values = _column(nodes, "values")
    flat = values.flatten().to_numpy()
    if "columns" not in nodes.column_names:
        return flat.reshape(-1, width)
    indptr = np.concatenate([[0], np.cumsum(values.value_lengths().to_numpy(), dtype=np.int64)])
    columns = _column(nodes, "columns").flatten().to_numpy()
    return sparse.csr_array((flat, columns, indptr), shape=(nodes.num_rows, width))
