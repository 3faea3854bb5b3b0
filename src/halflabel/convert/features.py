"""Node columns of any type, as one matrix of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from halflabel.errors import DataError, quote_some
from halflabel.features.encoding import MISSING, Column, Kind
from halflabel.graph import Features

Missing = Literal["error", "mean"]
NUMERIC = (
    pa.types.is_null, pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal
)


class _Block(NamedTuple):
    """The features that one table column becomes, and how many of its values are missing."""

    values: Features
    column: Column
    missing: int


class Encoded(NamedTuple):
    """A matrix, the columns that it was made of, and notes."""

    X: Features
    columns: list[Column]
    notes: list[str]

    @property
    def names(self) -> list[str]:
        """A name for each column of the matrix."""
        return [name for column in self.columns for name in column.features]


def encode_features(
    table: pa.Table,
    *,
    where: str = "nodes",
    missing: Missing = "error",
    one_hot_limit: int = 100,
    first_row: int = 0,
) -> tuple[Features, list[str], list[str]]:
    """Encode every column; return the matrix, a name for each of its columns, and notes.

    Numbers and true/false stay as they are, dates become seconds since 1970, lists of numbers (embeddings)
    become `name[0]`, `name[1]`, ..., text becomes one 0/1 column a value, `name=value`. A text column with
    more than `one_hot_limit` values is probably an identifier and left out, with a note.

    Missing values are an error, unless missing="mean": then numbers take the mean of their column next to a
    0/1 column `name is missing`, and text gets the value `(missing)`.

    The matrix is float32, and sparse where fewer than a quarter of its entries are not zero. Rows are counted
    from `first_row` in messages: a file's first row of data is its row 2.

    >>> X, names, notes = encode_features(pa.table({"age": [30, 40], "city": ["Bonn", "Ulm"]}))
    >>> names
    ['age', 'city=Bonn', 'city=Ulm']
    >>> X.tolist()
    [[30.0, 1.0, 0.0], [40.0, 0.0, 1.0]]
    """
    columns = zip(table.column_names, table.columns, strict=True)
    found = encode_columns(columns, table.num_rows, where=where, missing=missing,
                           one_hot_limit=one_hot_limit, first_row=first_row)
    return found.X, found.names, found.notes


def encode_columns(
    columns: Iterable[tuple[str, pa.ChunkedArray]],
    rows: int,
    *,
    where: str = "nodes",
    missing: Missing = "error",
    one_hot_limit: int = 100,
    first_row: int = 0,
) -> Encoded:
    """As `encode_features`, of columns of so many rows that need not be in memory together.

    >>> found = encode_columns(iter([("age", pa.chunked_array([[30, 40]]))]), 2)
    >>> found.X.tolist(), found.columns
    ([[30.0], [40.0]], [Column(name='age', kind='number', values=(), fill=(35.0,), gaps=False)])
    """
    check_missing(missing)
    blocks, notes, gaps = [], [], {}
    for name, column in columns:
        if _is_text(column.type):
            column = column.cast(pa.large_string())
            values = pc.count_distinct(column).as_py()
            if values > one_hot_limit:
                notes.append(f"left out text column {name!r}: {values:,} different values, "
                             "probably an identifier")
                continue
            block = _one_hot(name, column)
        else:
            block = _numeric(name, column, where, first_row)
        if block.missing:
            gaps[name] = block.missing
        if block.missing == rows:
            notes.append(f"left out column {name!r}: it has no values")
        else:
            blocks.append(block)
    if gaps and missing == "error":
        raise DataError(missing_message(gaps, rows, where))
    X = join_blocks([block.values for block in blocks], rows)
    return Encoded(X, [block.column for block in blocks], notes)


def check_missing(missing: str) -> None:
    """Refuse anything but the two ways to treat missing values.

    >>> check_missing("mean")
    """
    if missing not in ("error", "mean"):
        raise DataError(f'missing={missing!r}: expected "error" or "mean".')


def missing_message(gaps: dict[str, int], rows: int, where: str) -> str:
    """Which columns lack values, how many, and what to do.

    >>> missing_message({"age": 2}, 10, "nodes.csv")[:54]
    "nodes.csv: missing values in 'age' (2), of 10 rows. Fi"
    """
    shown = ", ".join(f"{name!r} ({count:,})" for name, count in list(gaps.items())[:8])
    more = f", ... ({len(gaps):,} columns in all)" if len(gaps) > 8 else ""
    return (f"{where}: missing values in {shown}{more}, of {rows:,} rows. Fill them in, leave the columns "
            'out (ignore=[...]), or pass missing="mean".')


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def _one_hot(name: str, column: pa.ChunkedArray) -> _Block:
    text = pc.if_else(pc.equal(column, ""), pa.scalar(None, column.type), column).combine_chunks()
    values = sorted(text.unique().drop_null().to_pylist())
    missing = text.null_count
    if missing:
        values.append(MISSING)
        text = text.fill_null(MISSING)
    codes = pc.index_in(text, value_set=pa.array(values, text.type)).to_numpy(zero_copy_only=False)
    ones, rows = np.ones(len(codes), dtype=np.float32), np.arange(len(codes) + 1)
    matrix = sparse.csr_array((ones, codes, rows), shape=(len(codes), len(values)))
    return _Block(matrix, Column(name, "text", values=tuple(values), gaps=missing > 0), missing)


def _numeric(name: str, column: pa.ChunkedArray, where: str, first_row: int) -> _Block:
    """One number a row, or the numbers of a list; gaps take the mean, next to a column that says so."""
    kind = column.type
    values = from_lists(name, column, where) if is_list(kind) else as_numbers(name, column, where)[:, None]
    check_finite(name, values, where, first_row)
    holes = np.isnan(values)
    gap = holes.any(axis=1)
    mean = np.nansum(values, axis=0) / np.maximum((~holes).sum(axis=0), 1)
    if gap.any():
        values = np.column_stack([np.where(holes, mean, values), gap])
    described = Column(name, _kind(kind), fill=tuple(mean.tolist()), gaps=bool(gap.any()))
    return _Block(values.astype(np.float32), described, int(np.count_nonzero(gap)))


def _kind(kind: pa.DataType) -> Kind:
    if is_list(kind):
        return "list"
    return "boolean" if pa.types.is_boolean(kind) else "date" if is_date(kind) else "number"


def check_finite(name: str, values: np.ndarray, where: str, first_row: int) -> None:
    """Refuse what 32 bits cannot hold; nothing at all is another matter."""
    with np.errstate(over="ignore"):
        infinite = np.isinf(values.astype(np.float32)).any(axis=1)
    if infinite.any():
        row, count = int(np.argmax(infinite)) + first_row, int(np.count_nonzero(infinite))
        raise DataError(f"{where} row {row:,}: column {name!r} is infinite, or too large for 32 bits. "
                        f"{count:,} such row{'s' * (count > 1)}. Correct them, or leave the column out.")


def as_numbers(name: str, column: pa.ChunkedArray, where: str) -> np.ndarray:
    """One number a row, NaN where there is none; of a date, seconds since 1970."""
    kind = column.type
    if is_date(kind):
        milliseconds = column.cast(pa.timestamp("ms"), safe=False).cast(pa.int64())
        return milliseconds.cast(pa.float64(), safe=False).to_numpy() / 1000
    if not any(check(kind) for check in NUMERIC):
        raise DataError(f"{where}: column {name!r} has type {kind}. Features are numbers, text, true/false, "
                        f"dates or lists of numbers; leave it out with ignore=[{name!r}].")
    return column.cast(pa.float64(), safe=False).to_numpy().astype(np.float64)


def is_date(kind: pa.DataType) -> bool:
    """Whether values are dates, with or without a time."""
    return pa.types.is_timestamp(kind) or pa.types.is_date(kind)


def is_list(kind: pa.DataType) -> bool:
    """Whether values are lists."""
    return pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)


def from_lists(name: str, column: pa.ChunkedArray, where: str) -> np.ndarray:
    """A row for each list, NaN where there is none."""
    lengths = pc.unique(pc.list_value_length(column)).drop_null().to_pylist()
    if len(lengths) > 1:
        raise DataError(f"{where}: column {name!r} has lists of {quote_some(sorted(lengths))} numbers; "
                        "an embedding has the same length in every row.")
    known = column.is_valid().to_numpy()
    values = np.full((len(column), *(lengths or [1])), np.nan)
    if lengths:
        flat = pc.list_flatten(column.drop_null())
        values[known] = as_numbers(name, flat, where).reshape(-1, lengths[0])
    return values


def join_blocks(blocks: list[Features], rows: int) -> Features:
    """All blocks side by side: sparse if fewer than a quarter of the entries are not zero."""
    width = sum(block.shape[1] for block in blocks)
    filled = sum(np.count_nonzero(block) if isinstance(block, np.ndarray) else block.nnz for block in blocks)
    if not width:
        return np.zeros((rows, 0), dtype=np.float32)
    if 4 * filled < rows * width:
        joined = sparse.hstack([sparse.csr_array(block) for block in blocks], format="csr", dtype=np.float32)
        return sparse.csr_array(joined)
    return np.hstack([block if isinstance(block, np.ndarray) else block.toarray() for block in blocks])
