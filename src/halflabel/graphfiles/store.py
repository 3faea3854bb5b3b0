"""A graph on disk, as the arrays that it is: read once from tables, mapped into memory ever after.

Arrays are .npy files, the ids an Arrow file, everything else is in graph.json; never pickle, so loading runs
no code.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import sparse

from halflabel import __version__
from halflabel.errors import DataError
from halflabel.features.encoding import Encoding
from halflabel.files import whole_directory
from halflabel.graph import Graph
from halflabel.graphfiles.card import ARRAYS, FILES, GRAPH, IDS, SPARSE, map_array, map_ids
from halflabel.ids import NodeIds
from halflabel.sealed import check_file, describe, inside

CARD = GRAPH.name


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
        GRAPH.write(filling, {
            "halflabel": __version__,
            "nodes": graph.n_nodes,
            "edges": graph.n_edges,
            "features": graph.X.shape[1],
            "feature_names": graph.feature_names,
            "notes": graph.notes,
            "encoding": None if graph.encoding is None else graph.encoding.to_dict(),
            "files": {path.name: describe(path) for path in sorted(filling.iterdir())},
        })


def load_graph(directory: str | os.PathLike[str], check: bool = True) -> Graph:
    """Map a stored graph into memory; its arrays are read from disk as they are used, and never written.

    Every file must be the one that was stored, and edges must end at nodes: check=False looks at sizes and
    shapes only, which takes no time however large the graph is, and is for graphs that you stored yourself.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "payments.graph"
    >>> save_graph(Graph.from_edges([0, 1], [1, 2], X=np.eye(3)), place)
    >>> load_graph(place)
    Graph(3 nodes, 2 directed edges, 3 features)
    """
    place = Path(directory)
    if not (place / CARD).is_file():
        raise DataError(f"{place}: not a stored graph, it has no {CARD}. `halflabel convert` writes one from "
                        "tables.")
    card = GRAPH.read(place)
    try:
        for name, described in card["files"].items():
            check_file(inside(place, name), described, check)
        return _graph(place, card, check)
    except DataError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OSError, OverflowError, MemoryError,
            pa.ArrowException) as error:
        raise GRAPH.damaged(place, error) from error


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
    halflabel.errors.DataError: ...store.py: exists and is not a stored graph, ...
    """
    place = Path(directory)
    empty_or_ours = place.is_dir() and {path.name for path in place.iterdir()} <= FILES | {CARD}
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


def _graph(place: Path, card: Mapping[str, Any], check: bool) -> Graph:
    n, m, shape = card["nodes"], card["edges"], (card["nodes"], card["features"])
    arrays = {name: map_array(place / f"{name}.npy") for name in ARRAYS if f"{name}.npy" in card["files"]}
    indptr, indices, weight = arrays["indptr"], arrays["indices"], arrays.get("edge_weight")
    ids, names = map_ids(place / IDS, check), card["feature_names"]
    sizes = (len(indptr), len(indices), len(ids), m if weight is None else len(weight),
             shape[1] if names is None else len(names))
    if sizes != (n + 1, m, n, m, shape[1]):
        raise ValueError("its parts do not fit together")
    _check_rows(indptr, indices, n, check)
    if "X" in arrays:
        X = arrays["X"]
    else:
        _check_rows(arrays["X_indptr"], arrays["X_indices"], shape[1], check)
        X = sparse.csr_array(tuple(arrays[f"X_{part}"] for part in SPARSE), shape=shape)
    if X.shape != shape:
        raise ValueError("its parts do not fit together")
    return Graph(
        indptr=indptr, indices=indices, edge_weight=weight, X=X, ids=NodeIds.different(ids),
        feature_names=None if names is None else tuple(names), notes=tuple(card["notes"]),
        encoding=_encoding(card))


def _encoding(card: Mapping[str, Any]) -> Encoding | None:
    if card["encoding"] is None:
        return None
    encoding = Encoding.from_dict(card["encoding"])
    if encoding.structure is None and encoding.features != card["feature_names"]:
        raise ValueError("its features are not those that its columns make")
    return encoding


def _check_rows(indptr: np.ndarray, indices: np.ndarray, width: int, check: bool) -> None:
    """Compressed rows lead nowhere outside their arrays: the libraries that use them do not look."""
    if not len(indptr) or indptr[0] != 0 or indptr[-1] != len(indices):
        raise ValueError("its parts do not fit together")
    if check and (bool((np.diff(indptr) < 0).any())
                  or (len(indices) and not 0 <= indices.min() <= indices.max() < width)):
        raise ValueError("an edge or a feature is outside of the graph")


def _write_ids(ids: pa.Array, path: Path) -> None:
    batch = pa.record_batch([ids], names=["id"])
    with pa.OSFile(os.fspath(path), "wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)
