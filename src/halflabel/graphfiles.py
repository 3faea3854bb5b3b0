"""A graph on disk, as the arrays that it is: read once from tables, mapped into memory ever after.

Arrays are .npy files, the ids an Arrow file, everything else is in graph.json; never pickle, so loading runs
no code.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

from halflabel import __version__
from halflabel.errors import DataError
from halflabel.files import whole_directory
from halflabel.graph import Graph
from halflabel.ids import NodeIds

FORMAT = 1
CARD, IDS = "graph.json", "ids.arrow"
SPARSE = ("data", "indices", "indptr")
ARRAYS = ("indptr", "indices", "edge_weight", "X", *(f"X_{part}" for part in SPARSE))
FILES = frozenset({CARD, IDS, *(f"{name}.npy" for name in ARRAYS)})
AGAIN = "Convert the tables again."


def save_graph(graph: Graph, directory: str | os.PathLike[str]) -> None:
    """Write a graph as a directory that `load_graph` maps into memory, whole or not at all.

    An earlier graph there is replaced; a directory that holds anything else is refused.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "payments.graph"
    >>> save_graph(Graph.from_edges([0, 1], [1, 2], X=np.eye(3)), place)
    >>> sorted(path.name for path in place.iterdir())
    ['X.npy', 'graph.json', 'ids.arrow', 'indices.npy', 'indptr.npy']
    """
    place = check_place(directory)
    if graph.focus is not None:
        raise DataError(f"{graph!r}: only a whole graph can be stored. Store it before slicing.")
    if isinstance(graph.ids.values, list):
        raise DataError(f"Ids such as {graph.ids[0]!r} cannot be stored: they must be of one type, numbers, "
                        "text or dates. Give the nodes text as ids.")
    with whole_directory(place) as filling:
        for name, array in _arrays(graph).items():
            np.save(filling / f"{name}.npy", array, allow_pickle=False)
        _write_ids(graph.ids.values, filling / IDS)
        card = {
            "format": FORMAT,
            "halflabel": __version__,
            "nodes": graph.n_nodes,
            "edges": graph.n_edges,
            "features": graph.X.shape[1],
            "feature_names": graph.feature_names,
            "notes": graph.notes,
            "files": {path.name: _described(path) for path in sorted(filling.iterdir())},
        }
        text = json.dumps(card, indent=2, ensure_ascii=False)
        (filling / CARD).write_text(text + "\n", encoding="utf-8")


def load_graph(directory: str | os.PathLike[str], check: bool = True) -> Graph:
    """Map a stored graph into memory; its arrays are read from disk as they are used, and never written.

    Every file must be the one that was stored: check=False looks at sizes and shapes only, which takes no
    time however large the graph is.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "payments.graph"
    >>> save_graph(Graph.from_edges([0, 1], [1, 2], X=np.eye(3)), place)
    >>> load_graph(place)
    Graph(3 nodes, 2 directed edges, 3 features)
    """
    place = Path(directory)
    card = _read_card(place)
    try:
        for name, described in card["files"].items():
            _check_file(place / name, described, check)
        return _graph(place, card)
    except (KeyError, TypeError, ValueError, AttributeError, OSError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{place}: a damaged graph ({error}). {AGAIN}") from error


def is_stored_graph(path: Any) -> bool:
    """Whether this is the path of a directory that `save_graph` wrote.

    >>> is_stored_graph("edges.csv"), is_stored_graph(7)
    (False, False)
    """
    return isinstance(path, (str, os.PathLike)) and (Path(path) / CARD).is_file()


def check_place(directory: str | os.PathLike[str]) -> Path:
    """The path of a graph to store, if that replaces nothing or only an earlier one; ask before long work.

    >>> check_place(__file__)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    halflabel.errors.DataError: ...graphfiles.py: exists and is not a stored graph, ...
    """
    place = Path(directory)
    empty_or_ours = place.is_dir() and {path.name for path in place.iterdir()} <= FILES
    if place.exists() and not empty_or_ours:
        raise DataError(f"{place}: exists and is not a stored graph, which storing one would destroy. "
                        "Choose another place.")
    return place


def _arrays(graph: Graph) -> dict[str, np.ndarray]:
    arrays = {"indptr": graph.indptr, "indices": graph.indices}
    if graph.edge_weight is not None:
        arrays["edge_weight"] = graph.edge_weight
    if isinstance(graph.X, np.ndarray):
        return arrays | {"X": np.ascontiguousarray(graph.X)}
    return arrays | {f"X_{part}": getattr(graph.X, part) for part in SPARSE}


def _graph(place: Path, card: Mapping[str, Any]) -> Graph:
    # Copy on write: what is written by mistake does not reach the file, and torch takes the arrays.
    arrays = {name: np.asarray(np.load(place / f"{name}.npy", mmap_mode="c", allow_pickle=False))
              for name in ARRAYS if f"{name}.npy" in card["files"]}
    shape = (card["nodes"], card["features"])
    X = arrays["X"] if "X" in arrays else sparse.csr_array(
        tuple(arrays[f"X_{part}"] for part in SPARSE), shape=shape)
    ids, names = _map_ids(place / IDS), card["feature_names"]
    graph = Graph(
        indptr=arrays["indptr"], indices=arrays["indices"], edge_weight=arrays.get("edge_weight"), X=X,
        ids=NodeIds.different(ids), feature_names=None if names is None else tuple(names),
        notes=tuple(card["notes"]))
    sizes = (graph.n_nodes, graph.n_edges, graph.X.shape, len(ids), int(graph.indptr[-1]))
    if sizes != (shape[0], card["edges"], shape, shape[0], card["edges"]):
        raise ValueError("its parts do not fit together")
    return graph


def _write_ids(ids: pa.Array, path: Path) -> None:
    batch = pa.record_batch([ids], names=["id"])
    with pa.OSFile(os.fspath(path), "wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)


def _map_ids(path: Path) -> pa.Array:
    return pa.ipc.open_file(pa.memory_map(os.fspath(path))).get_batch(0).column(0)


def _described(path: Path) -> dict[str, object]:
    return {"bytes": path.stat().st_size, "blake2b": _hash(path)}


def _check_file(path: Path, described: Mapping[str, Any], content: bool) -> None:
    if not path.is_file():
        raise DataError(f"{path}: missing from the stored graph. {AGAIN}")
    if (size := path.stat().st_size) != described["bytes"]:
        raise DataError(f"{path}: {size:,} bytes where {CARD} says {described['bytes']:,}. The file was cut "
                        f"or replaced. {AGAIN}")
    if content and _hash(path) != described["blake2b"]:
        raise DataError(f"{path}: not the file that was stored, its content differs. {AGAIN}")


def _hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _read_card(place: Path) -> dict[str, Any]:
    try:
        card = json.loads((place / CARD).read_text(encoding="utf-8"))
        found = card["format"]
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(f"{place}: not a stored graph, it has no {CARD}. `halflabel convert` writes one from "
                        "tables.") from None
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{place / CARD}: not the description of a graph ({error}). {AGAIN}") from None
    if found != FORMAT:
        raise DataError(f"{place}: a graph of format {found!r}; this version of halflabel reads {FORMAT}. "
                        "Convert the tables again with this version, or install the one that wrote it.")
    return card
