"""Positives in any form become one boolean mask; and positives hidden on purpose, for experiments."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from halflabel.convert.columns import id_column
from halflabel.convert.tables import NamedTable
from halflabel.convert.textfiles import text_header
from halflabel.errors import DataError, quote_some
from halflabel.files.formulas import is_guarded, unguard
from halflabel.graph import Graph
from halflabel.marks import COLUMNS, positive_ids, read_marks


def as_positive_mask(positives: Any, graph: Graph) -> np.ndarray:
    """A boolean mask over the nodes of the graph (over those in focus, if it was sliced).

    `positives` is a boolean mask, labels y in {1, 0} or {1, -1}, the ids of the known positives (any
    collection, array, Series or tensor), or the path of a file with such ids. Numbers are labels if there is
    one for each node and they are all 0 or 1, or all -1 or 1; otherwise they are ids. Labels go by position:
    an index that comes with them, as in a pandas Series, is not looked at.

    >>> graph = Graph.from_edges([0, 1], [1, 2], np.eye(3))
    >>> as_positive_mask([1, -1, -1], graph).tolist()
    [True, False, False]
    >>> as_positive_mask([2], graph).tolist()
    [False, False, True]
    """
    if isinstance(positives, (str, os.PathLike)):
        file = f"{Path(positives).name}: "
        ids = _without_spaces(read_positives(positives), graph)
        mask = _from_ids(_without_guards(ids, graph), graph, file)
    else:
        file, values = "", _values(positives)
        labels = _as_labels(values, len(graph))
        mask = _from_ids(values, graph) if labels is None else labels
    if not mask.any():
        raise DataError(f"{file}None of the {len(mask):,} nodes is positive. "
                        "Learning needs a few known positives.")
    if mask.all():
        raise DataError(f"{file}All {len(mask):,} nodes are positive: nothing is left to find. "
                        "Known positives are True or 1, all other nodes False or 0.")
    return mask


def read_positives(path: str | os.PathLike[str]) -> pa.Array:
    """Ids from a .txt file with one a line and no header, or from the id column of a table file.

    Of a table with the columns id, mark, source and time, which is what a review with `halflabel explore`
    writes, the ids count whose last mark is positive.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "known.txt"
    >>> _ = path.write_text("ann\\n\\neve\\n")
    >>> read_positives(path).to_pylist()
    ['ann', 'eve']
    """
    path = Path(path)
    if path.suffix.lower() == ".txt" and path.is_file():
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise DataError(f"{path.name}: not UTF-8 text. Save the file with the encoding UTF-8.") from error
        # Not splitlines(), which also breaks ids apart at form feeds and other rarities.
        ids = pa.array([line for line in re.split(r"\r\n|\r|\n", text) if line.strip()], pa.string())
    elif path.suffix.lower() == ".csv" and path.is_file() and _has_marks(text_header(path)):
        ids = pa.array(positive_ids(read_marks(path)), pa.string())  # its last row may be torn
    else:
        table = NamedTable.open(path, "positives")
        if _has_marks(table.columns):
            raise DataError(f"{path.name}: the marks of a review are read from the .csv that halflabel "
                            "explore wrote, not from another format.")
        ids = table.ids(id_column(table.columns, where=table.name)).drop_null()
    if not len(ids):
        raise DataError(f"{path.name}: no ids. Give the known positives, one id a line.")
    return ids


def _has_marks(columns: Sequence[str]) -> bool:
    return set(COLUMNS) <= set(columns)


def hide_positives(
    y: Any, ratio: float = 0.5, random_state: int | np.random.Generator = 0, positive_class: Any = None
) -> np.ndarray:
    """Play the unlabelled setting on known classes: a mask of the positives that stay known.

    The largest class is positive, unless `positive_class` names another; floor(ratio * n) of its n members
    are drawn without replacement. Of two equally large classes the first in sorting order is taken.

    >>> hide_positives([0, 2, 2, 1, 2, 2], ratio=0.5).sum()
    np.int64(2)
    """
    y = np.asarray(_values(y))
    if not len(y):
        raise DataError("y is empty: it must hold one class for each node.")
    if not 0 < ratio <= 1:
        raise DataError(f"ratio={ratio!r}: expected a share of the positives, above 0 and at most 1.")
    classes, sizes = np.unique(y, return_counts=True)
    if positive_class is None:
        positive_class = classes[np.argmax(sizes)]
    members = np.flatnonzero(y == positive_class)
    if not len(members):
        raise DataError(f"positive_class={positive_class!r} does not occur in y. "
                        f"There is: {quote_some(classes.tolist())}.")
    known = int(round(ratio * len(members), 9))  # .29 of 100 is 28.999999999999996 in floating point
    if not known:
        raise DataError(f"ratio={ratio!r} of {len(members):,} positives leaves none known. Choose a larger "
                        "ratio.")
    mask = np.zeros(len(y), dtype=bool)
    mask[np.random.default_rng(random_state).choice(members, size=known, replace=False)] = True
    return mask


def _values(given: Any) -> Sequence[Any] | np.ndarray | pa.Array | pa.ChunkedArray:
    """As something that can be counted and looked up: tensors and Series as arrays, sets as lists."""
    if hasattr(given, "detach"):
        given = given.detach().cpu().numpy()
    elif hasattr(given, "to_numpy") and not isinstance(given, (pa.Array, pa.ChunkedArray)):
        given = given.to_numpy()  # pandas, polars
    if isinstance(given, np.ndarray) and given.ndim != 1:
        raise DataError(f"positives: expected a list of values; got an array of shape {given.shape}.")
    if isinstance(given, (np.ndarray, pa.Array, pa.ChunkedArray, list)):
        return given
    if isinstance(given, Collection) and not isinstance(given, (dict, bytes)):
        return list(given)
    raise DataError(f"positives: expected a mask, labels, ids or a path; got {type(given).__name__}.")


def _as_labels(values: Any, n: int) -> np.ndarray | None:
    """The mask if these are labels, None if they are ids."""
    array = _as_numbers(values)
    if array is None:
        return None
    if array.dtype == bool:
        if len(array) != n:
            raise DataError(f"positives: a mask of {len(array):,} values for {n:,} nodes.")
        return array.copy()
    if array.dtype.kind == "f" and len(array) == n and np.isnan(array).any():
        raise DataError(f"y has {np.count_nonzero(np.isnan(array)):,} missing values. "
                        "Positive-unlabelled labels have two values; pass y == 1.")
    found = set(np.unique(array).tolist())
    if found == {-1, 0, 1} and len(array) == n:
        raise DataError("y contains 1, 0 and -1. Positive-unlabelled labels have two values; pass y == 1.")
    two_valued = found <= {0, 1} or found <= {-1, 1}
    if two_valued and len(array) != n and len(found) == 2 and len(array) > 2:
        raise DataError(f"y has {len(array):,} values for {n:,} nodes. Give one label for each node, or ids.")
    return array == 1 if two_valued and len(array) == n else None


def _as_numbers(values: Any) -> np.ndarray | None:
    if isinstance(values, list):
        if not values or not all(isinstance(v, (bool, int, float, np.bool_, np.number)) for v in values):
            return None
        # numpy would quietly turn a boolean next to a number into a number
        values = np.array(values)
    elif isinstance(values, (pa.Array, pa.ChunkedArray)):
        values = np.asarray(values)
    if values.dtype == object and len(values) and all(isinstance(v, (bool, np.bool_)) for v in values.flat):
        return values.astype(bool)
    return values if values.dtype.kind in "biuf" else None


def _without_spaces(ids: pa.Array, graph: Graph) -> pa.Array:
    """Ids from a file; spaces around one are no part of it, unless the graph has it with them."""
    if not pa.types.is_string(ids.type):
        return ids
    stripped = pc.utf8_trim_whitespace(ids)
    if stripped.equals(ids):
        return ids
    return pc.if_else(pa.array(graph.ids.positions(ids) < 0), stripped, ids)


def _without_guards(ids: pa.Array, graph: Graph) -> pa.Array:
    """Ids from a file that may be a copy of our scores.csv: an id stands for itself if the graph has it; if
    not, the quote that keeps spreadsheets from running it is no part of it."""
    if not (pa.types.is_string(ids.type) or pa.types.is_large_string(ids.type)):
        return ids
    quoted = is_guarded(ids)
    if not pc.any(quoted).as_py():
        return ids
    unknown = pa.array(graph.ids.positions(ids) < 0)
    return pc.if_else(pc.and_(quoted, unknown), unguard(ids), ids)


def _from_ids(ids: Any, graph: Graph, file: str = "positives: ") -> np.ndarray:
    positions = graph.ids.positions(ids)
    unknown = np.flatnonzero(positions < 0)
    if len(unknown):
        names = dict.fromkeys(_plain(ids[int(i)]) for i in unknown)
        raise DataError(f"{file}{len(unknown):,} of {len(positions):,} ids are not in the graph: "
                        f"{quote_some(names)}. Are ids strings in one file and integers in the other?")
    mask = np.zeros(graph.n_nodes, dtype=bool)
    mask[positions] = True
    return mask[graph.nodes]


def _plain(value: Any) -> Any:
    if isinstance(value, pa.Scalar):
        return value.as_py()
    return value.item() if isinstance(value, np.generic) else value
