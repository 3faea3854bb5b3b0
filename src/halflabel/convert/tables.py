"""Tables from files and data frames, as Arrow tables, with every id intact."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from halflabel.convert.textfiles import check_names, is_text_file, missing_as_null, read_text
from halflabel.errors import DataError, some_names


@dataclass(frozen=True)
class NamedTable:
    """A table, what to call it in messages, and whether its columns are text that has no types yet.

    >>> NamedTable.open(pa.table({"id": [1, 2]}), "nodes").row(1)
    'nodes row 1'
    """

    data: pa.Table
    name: str
    is_file: bool = False
    is_text: bool = False
    start: int = 0  # rows of the table before these

    @classmethod
    def open(cls, given: Any, role: str) -> NamedTable:
        """From a path, or from a data frame, which goes by its role (\"edges\", \"nodes\")."""
        if isinstance(given, (str, os.PathLike)):
            return cls(read_table(given), Path(given).name, True, is_text_file(given))
        data = as_table(given, role)
        if not data.num_rows or not data.num_columns:
            raise DataError(f"{role}: the table has no {'rows' if data.num_columns else 'columns'}.")
        return cls(data, role)

    @property
    def columns(self) -> list[str]:
        """Column names."""
        return self.data.column_names

    @property
    def first_row(self) -> int:
        """In a file the header is row 1; data frames count from 0."""
        return self.start + (2 if self.is_file else 0)

    def row(self, i: int) -> str:
        """How to find row i of the data."""
        return f"{self.name} row {int(i) + self.first_row:,}"

    def ids(self, column: str) -> pa.Array:
        """A column of ids; nothing at all in a text file is no id."""
        values = self.data[column].combine_chunks()
        if pa.types.is_dictionary(values.type):
            values = values.dictionary_decode()
        if self.is_text:
            return pc.if_else(pc.equal(values, ""), pa.scalar(None, values.type), values)
        if pa.types.is_floating(values.type):  # not a number is not a node
            return pc.if_else(pc.is_nan(values), pa.scalar(None, values.type), values)
        return values

    def numbers(self, column: str) -> np.ndarray:
        """A column of numbers, NaN where there is none."""
        values = self.data[column]
        kind = values.type
        try:
            if self.is_text:
                return _numbers_in(values)
            if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
                raise pa.ArrowInvalid
            return values.cast(pa.float64(), safe=False).to_numpy().astype(np.float64)
        except pa.ArrowInvalid:
            raise DataError(f"{self.name}: column {column!r} must hold numbers; "
                            f"{self._first_text(values)}.") from None

    def _first_text(self, values: pa.ChunkedArray) -> str:
        texts = enumerate(values.to_pylist(), self.first_row)
        found = ((i, text) for i, text in texts if isinstance(text, str) and text and not _is_number(text))
        default = f"its type is {values.type}"
        return next((f"row {i:,} has {text!r}" for i, text in found), default)


def read_table(path: str | os.PathLike[str]) -> pa.Table:
    """Read .csv, .tsv, .txt (tabs or commas; all three also as .gz) or .parquet.

    Columns of a text file stay text, so that the ids "001", "1e5" and 9223372036854775808 come through
    unharmed; :func:`~halflabel.convert.textfiles.parse_text` makes numbers of the columns that are not ids.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "edges.csv"
    >>> _ = path.write_text("source,target\\n001,1e5\\n")
    >>> read_table(path).to_pylist()
    [{'source': '001', 'target': '1e5'}]
    """
    path = check_path(path)
    table = _read_parquet(path) if is_parquet(path) else read_text(path)
    check_rows(table.num_rows, table.column_names, path.name)
    return table


def check_path(path: str | os.PathLike[str]) -> Path:
    """The path, if there is a file of a kind that can be read."""
    path = Path(path)
    if not path.is_file():
        what = "is a directory" if path.is_dir() else "does not exist"
        raise DataError(f"{path}: the file {what} (looked in {path.absolute().parent}).")
    if not (is_parquet(path) or is_text_file(path)):
        raise DataError(f"{path.name}: cannot read {path.suffix or 'a file without extension'!r}. "
                        "Give .csv, .tsv, .txt (or one of these with .gz) or .parquet.")
    return path


def is_parquet(path: Path) -> bool:
    """Whether a file of this name is Parquet."""
    return path.suffix.lower() in (".parquet", ".pq")


def check_rows(rows: int, columns: Sequence[str], name: str) -> None:
    """Refuse a file of which only the header is there."""
    if not rows:
        raise DataError(f"{name}: a header ({some_names(columns)}) but no rows.")


def as_table(frame: Any, where: str = "table") -> pa.Table:
    """An Arrow table from a pandas or polars data frame, or from Arrow itself.

    A pandas index is kept as the first column if it has a name or holds text: then it is somebody's ids.

    >>> as_table(pa.record_batch({"id": [1]})).num_rows
    1
    """
    if isinstance(frame, pa.Table):
        table = frame
    elif hasattr(frame, "iloc") and hasattr(frame, "columns"):
        table = _from_pandas(frame, where)
    elif hasattr(frame, "to_arrow"):  # polars
        table = frame.to_arrow()
    elif hasattr(frame, "__arrow_c_stream__") or isinstance(frame, pa.RecordBatch):
        table = pa.table(frame)
    else:
        hint = " Call .collect() first." if hasattr(frame, "collect") else ""
        raise DataError(f"{where}: expected a pandas, polars or pyarrow table; "
                        f"got {type(frame).__name__}.{hint}")
    check_names(table.column_names, where)
    return table


def is_frame(obj: Any) -> bool:
    """Whether :func:`as_table` takes it.

    >>> is_frame(pa.table({"a": [1]})), is_frame([1])
    (True, False)
    """
    return hasattr(obj, "columns") and (hasattr(obj, "iloc") or hasattr(obj, "__arrow_c_stream__"))


def _read_parquet(path: Path) -> pa.Table:
    try:
        table = pyarrow.parquet.read_table(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path.name}: not a readable Parquet file ({error}).") from error
    check_names(table.column_names, path.name)
    return table


def _from_pandas(frame: Any, where: str) -> pa.Table:
    names = [str(name) for name in frame.columns]
    check_names(names, where)
    frame = frame.set_axis(names, axis=1)
    name = frame.index.name
    if name is None and frame.index.inferred_type == "string":
        name = "id"
    if name is not None and str(name) not in names:
        frame = frame.rename_axis(str(name)).reset_index()
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError) as error:
        raise DataError(f"{where}: {error.args[-1]} ({error.args[0]}). "
                        "Give each column values of one type, for example with .astype(str).") from error


def _numbers_in(text: pa.ChunkedArray) -> np.ndarray:
    known = missing_as_null(text)
    try:
        numbers = known.cast(pa.float64())
    except pa.ArrowInvalid:  # spaces around a number do no harm
        numbers = missing_as_null(pc.utf8_trim_whitespace(text)).cast(pa.float64())
    return numbers.to_numpy().astype(np.float64)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
