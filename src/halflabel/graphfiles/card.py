"""What graph.json of a stored graph holds, and what its arrays may be, told by their headers."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from halflabel.features.encoding import ENCODING
from halflabel.sealed import FILE, Card
from halflabel.sealed.schema import Check, either, integer, listed, nothing, text

IDS = "ids.arrow"
SPARSE = ("data", "indices", "indptr")
INDEX, VALUE = ("<i4", "<i8"), ("<f4", "<f8")
# The arrays of a graph: which types they may have, and how many axes.
ARRAYS: dict[str, tuple[tuple[str, ...], int]] = {
    "indptr": (INDEX, 1), "indices": (INDEX, 1), "edge_weight": (VALUE, 1), "X": (VALUE, 2),
    "X_data": (VALUE, 1), "X_indices": (INDEX, 1), "X_indptr": (INDEX, 1),
}
REQUIRED = frozenset({"indptr.npy", "indices.npy", IDS})
FILES = frozenset({IDS, *(f"{name}.npy" for name in ARRAYS)})
# The beginning of a .npy file, as numpy writes it; numpy's own reader takes any Python literal.
HEADER = re.compile(
    rb"\x93NUMPY\x01\x00(?P<length>..){'descr': '(?P<type>[<|]\w{2})', 'fortran_order': False, "
    rb"'shape': \((?P<shape>\d{1,19},|\d{1,19}, \d{1,19})\), } *\n", re.DOTALL)
LONGEST = 256


def _files(value: Any, where: str) -> None:
    """Only names that a graph has: no path can lead anywhere else."""
    if not isinstance(value, dict) or not REQUIRED <= value.keys() <= FILES:
        raise ValueError(f"{where}: expected {', '.join(sorted(REQUIRED))} and others of a graph only")
    for name, described in value.items():
        FILE(described, f"{where}: {name}")


COUNT: Check = integer(0)
GRAPH = Card(
    name="graph.json",
    what="graph",
    format=2,
    content={
        "halflabel": text, "nodes": COUNT, "edges": COUNT, "features": COUNT,
        "feature_names": either(nothing, listed(text)), "notes": listed(text),
        "encoding": either(nothing, ENCODING), "files": _files,
    },
    again="Convert the tables again.",
)


def map_array(path: Path) -> np.ndarray:
    """Map an array of a graph into memory, if its header says what such an array is and the file is as long.

    Copy on write: what is written by mistake does not reach the file, and torch takes the array.
    """
    types, axes = ARRAYS[path.stem]
    with path.open("rb") as stream:
        header = HEADER.match(stream.read(LONGEST))
    if header is None or int.from_bytes(header["length"], "little") + 10 != header.end():
        raise ValueError(f"{path.name}: not an array as graphs have them")
    dtype, shape = header["type"].decode(), tuple(map(int, re.findall(rb"\d+", header["shape"])))
    if dtype not in types or len(shape) != axes:
        raise ValueError(f"{path.name}: an array of type {dtype} and shape {shape} is not expected there")
    if header.end() + math.prod(shape) * np.dtype(dtype).itemsize != path.stat().st_size:
        raise ValueError(f"{path.name}: a file of another length than its shape {shape} needs")
    if 0 in shape:  # nothing to map
        return np.empty(shape, dtype)
    return np.asarray(np.memmap(path, dtype, mode="c", offset=header.end(), shape=shape))


def map_ids(path: Path, check: bool) -> pa.Array:
    """The ids of a graph, mapped; `check` looks at every one, for Arrow trusts the offsets in a file."""
    file = pa.ipc.open_file(pa.memory_map(str(path)))
    if file.schema.names != ["id"] or file.num_record_batches != 1 or not _holds_ids(file.schema.types[0]):
        raise ValueError(f"{path.name}: expected one column of ids in one batch")
    ids = file.get_batch(0).column(0)
    ids.validate(full=check)
    if ids.null_count:
        raise ValueError(f"{path.name}: {ids.null_count:,} nodes without an id")
    return ids


def _holds_ids(kind: pa.DataType) -> bool:
    return (pa.types.is_primitive(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind)
            or pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_decimal(kind))
