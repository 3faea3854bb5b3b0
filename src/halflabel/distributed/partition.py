"""Cut a graph into parts on disk, one directory of Parquet files for each process that will fit it.

    parts.json              what all processes need: sizes, names, how features are scaled
    part-00000/nodes.parquet    the nodes that process 0 owns: place, id, degree, features
    part-00000/edges.parquet    every edge that touches one of them, by rows
    part-00000/halo.parquet     the neighbours that other processes own: place, owner, id
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse

from halflabel.distributed.assign import How, assign_parts
from halflabel.distributed.manifest import MANIFEST, Manifest, part_name
from halflabel.errors import DataError
from halflabel.features.scaling import Scaling
from halflabel.files import whole_directory
from halflabel.fingerprint import fingerprint
from halflabel.graph import Features, Graph
from halflabel.order import Listing, arrange
from halflabel.progress import track


def partition_graph(
    graph: Graph, parts: int, directory: str | os.PathLike[str], *, how: How = "auto", verbose: bool = False
) -> Manifest:
    """Write a graph in parts, for `read_part`; an earlier partition of that name is replaced whole.

    `how` is "metis" (few edges between parts; needs pymetis), "contiguous" (runs of nodes in the order of
    their ids), or "auto": METIS where it is installed.

    >>> import tempfile
    >>> from halflabel.datasets import payments
    >>> place = Path(tempfile.mkdtemp()) / "parts"
    >>> manifest = partition_graph(payments()[0], 2, place, how="contiguous")
    >>> manifest.nodes, sum(manifest.own_nodes)
    (2000, 2000)
    >>> sorted(path.name for path in place.iterdir())
    ['part-00000', 'part-00001', 'parts.json']
    """
    place = check_partition_place(directory)
    if graph.focus is not None:
        raise DataError(f"{len(graph):,} of {graph.n_nodes:,} nodes are in focus: parts are of whole graphs.")
    ordered, listing = arrange(graph)
    cut = _Cut(ordered, listing, parts, how)
    with whole_directory(place) as filling:
        for part in track(parts, "writing parts", shown=verbose):
            home = filling / part_name(part)
            home.mkdir()
            for name, table in cut.tables(part).items():
                pq.write_table(table, home / f"{name}.parquet")
        manifest = cut.manifest()
        manifest.write(filling)
    return manifest


def check_partition_place(directory: str | os.PathLike[str]) -> Path:
    """The directory, if writing parts there destroys nothing but earlier parts.

    >>> import tempfile
    >>> check_partition_place(tempfile.mkdtemp() + "/parts").name
    'parts'
    """
    place = Path(directory)
    if place.exists() and not (place.is_dir() and ((place / MANIFEST).is_file() or not any(place.iterdir()))):
        raise DataError(f"{place}: exists and does not hold parts of a graph, which writing would destroy. "
                        "Choose another place.")
    return place


class _Cut:
    """A graph in the order of its ids, and who owns which node."""

    def __init__(self, graph: Graph, listing: Listing, parts: int, how: How):
        self.graph, self.parts = graph, parts
        self.symmetric, self.directed = graph.symmetric(), graph.adjacency
        self.owner, self.how = assign_parts(self.symmetric, parts, how)
        self.listed = np.arange(graph.n_nodes) if listing.nodes is None else listing.nodes
        self.ids = graph.ids.to_arrow()
        self.cut_entries = 0

    def tables(self, part: int) -> dict[str, pa.Table]:
        """The three tables of a part. A node's number in its part: own nodes first, then the halo."""
        own = np.flatnonzero(self.owner == part)
        rows = self.symmetric[own]
        halo = np.unique(rows.indices[self.owner[rows.indices] != part])
        halo = halo[np.argsort(self.owner[halo], kind="stable")]  # by owner, then by place
        number = np.full(self.graph.n_nodes, -1, dtype=np.int32)
        number[own] = np.arange(len(own), dtype=np.int32)
        number[halo] = np.arange(len(own), len(own) + len(halo), dtype=np.int32)
        rows, forward = _renumbered(rows, number), _renumbered(self.directed[own], number)
        self.cut_entries += int(np.count_nonzero(rows.indices >= len(own)))
        edges = {"target": pa.array(rows.indices.astype(np.int32)),
                 "directed": pa.array(_contains(rows, forward))}
        if self.graph.edge_weight is not None:
            edges["weight"] = pa.array(rows.data.astype(np.float32))
        nodes = {
            "place": pa.array(own), "listed": pa.array(self.listed[own]), "id": self.ids.take(pa.array(own)),
            "degree": pa.array(np.diff(rows.indptr).astype(np.int32)), **_feature_columns(self.graph.X[own])}
        outside = {"place": pa.array(halo), "owner": pa.array(self.owner[halo]),
                   "id": self.ids.take(pa.array(halo))}
        return {"nodes": pa.table(nodes), "edges": pa.table(edges), "halo": pa.table(outside)}

    def manifest(self) -> Manifest:
        """What all processes need to know of the whole graph."""
        graph, weight = self.graph, self.graph.edge_weight
        return Manifest(
            parts=self.parts, how=self.how, nodes=graph.n_nodes, edges=graph.n_edges,
            stored=self.symmetric.nnz, cut=self.cut_entries // 2,
            isolated=int(np.count_nonzero(np.diff(self.symmetric.indptr) == 0)),
            own_nodes=np.bincount(self.owner, minlength=self.parts).tolist(),
            features=graph.X.shape[1], names=graph.names(), notes=graph.notes,
            weight_unit=1.0 if weight is None or not len(weight) else float(weight.mean()),
            scaling=Scaling.fit(graph.X, graph.names()), encoding=graph.encoding,
            content={name: value.hex() for name, value in fingerprint(graph).items()})


def _renumbered(rows: sparse.csr_array, number: np.ndarray) -> sparse.csr_array:
    """The same rows with columns as they are numbered in the part, sorted."""
    shape = rows.shape[0], int(number.max()) + 1
    renumbered = sparse.csr_array((rows.data, number[rows.indices], rows.indptr), shape=shape)
    renumbered.sort_indices()
    return renumbered


def _contains(rows: sparse.csr_array, some: sparse.csr_array) -> np.ndarray:
    """For every stored entry of `rows`, whether `some`, whose entries are among them, has it."""
    marked = np.zeros(rows.nnz, dtype=bool)
    keys, wanted = _keys(rows), _keys(some)
    marked[np.searchsorted(keys, wanted)] = True
    return marked


def _keys(matrix: sparse.csr_array) -> np.ndarray:
    rows = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    return rows * matrix.shape[1] + matrix.indices


def _feature_columns(X: Features) -> dict[str, pa.Array]:
    """One list of values a node; of sparse features also a list of the columns they are in."""
    if isinstance(X, np.ndarray):
        if not X.shape[1]:
            return {}
        flat = pa.array(np.ascontiguousarray(X, dtype=np.float32).ravel())
        return {"values": pa.FixedSizeListArray.from_arrays(flat, X.shape[1])}
    ends = pa.array(X.indptr.astype(np.int32))
    return {"columns": pa.ListArray.from_arrays(ends, pa.array(X.indices.astype(np.int32))),
            "values": pa.ListArray.from_arrays(ends, pa.array(X.data.astype(np.float32)))}
