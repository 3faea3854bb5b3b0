"""A node table, encoded as the table of another graph was: the same columns, categories and means."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from halflabel.convert.features import (
    Missing,
    as_numbers,
    check_finite,
    check_missing,
    from_lists,
    is_date,
    is_list,
    join_blocks,
    missing_message,
)
from halflabel.convert.streams import TableStream
from halflabel.convert.tables import NamedTable
from halflabel.convert.textfiles import missing_as_null
from halflabel.errors import DataError, quote_some, unknown_name
from halflabel.features.encoding import MISSING, Column, Encoding
from halflabel.graph import Features

TEXT_TYPES = {"boolean": pa.bool_(), "date": pa.timestamp("s")}


class _Block(NamedTuple):
    """The features that a column becomes, how many values are missing, and what to say of it."""

    values: Features
    missing: int = 0
    note: str | None = None


def encode_again(
    nodes: TableStream, encoding: Encoding, *, without: str, missing: Missing = "error"
) -> tuple[Features, Encoding, list[str]]:
    """The features of `encoding` for the rows of another table; the encoding itself, and notes.

    A column that is missing is an error; one that was not there, or was left out then, is not used. A
    category never seen before counts as none of the known ones, with a note. Gaps are filled in where they
    were then, elsewhere they are an error, unless missing="mean": then numbers take the mean of then.

    >>> table = TableStream.of(pa.table({"id": [1, 2], "city": ["Ulm", "Köln"]}), "nodes")
    >>> was = Encoding((Column("city", "text", values=("Bonn", "Ulm")),))
    >>> X, _, notes = encode_again(table, was, without="id")
    >>> X.toarray().tolist() if sparse.issparse(X) else X.tolist()
    [[0.0, 1.0], [0.0, 0.0]]
    >>> notes
    ["nodes: column 'city': 1 row with a value never seen before, which counts as none: 'Köln'"]
    """
    check_missing(missing)
    here = [name for name in nodes.columns if name != without]
    for column in encoding.columns:
        if column.name not in here:
            raise DataError(f"{unknown_name('column', column.name, here, nodes.name)} The model was fitted "
                            "with it.")
    used = {column.name: column for column in encoding.columns}
    blocks: dict[str, _Block] = {}
    rows = 0
    for part in nodes.read_in_groups(list(used)):
        rows = part.data.num_rows
        blocks |= {name: _again(part, used[name], missing) for name in part.columns}
    if gaps := {name: block.missing for name, block in blocks.items() if block.missing}:
        raise DataError(missing_message(gaps, rows, nodes.name))
    notes = [f"{nodes.name}: {block.note}" for block in blocks.values() if block.note]
    if strange := [name for name in here if name not in used and name not in encoding.left_out]:
        notes.append(f"{nodes.name}: columns never seen before are not used: {quote_some(strange)}")
    return join_blocks([blocks[name].values for name in used], rows), encoding, notes


def _again(table: NamedTable, column: Column, missing: Missing) -> _Block:
    if column.kind == "text":
        return _one_hot(table, column, missing)
    values = _values(table, column)
    check_finite(column.name, values, table.name, table.first_row)
    holes = np.isnan(values)
    gap = holes.any(axis=1)
    unmarked = gap.any() and not column.gaps
    if unmarked and (missing == "error" or np.isnan(column.fill).any()):
        return _Block(values, missing=int(gap.sum()))
    values = np.where(holes, column.fill, values)
    note = (f"column {column.name!r}: {gap.sum():,} missing, which nothing was before; took the mean of then"
            if unmarked else None)
    marked = np.column_stack([values, gap]) if column.gaps else values
    return _Block(marked.astype(np.float32), note=note)


def _one_hot(table: NamedTable, column: Column, missing: Missing) -> _Block:
    given = table.data[column.name]
    text = given.cast(pa.large_string()).combine_chunks()
    text = pc.if_else(pc.equal(text, ""), pa.scalar(None, text.type), text)
    if text.null_count and not column.gaps and missing == "error":
        return _Block(np.zeros((len(text), 0), dtype=np.float32), missing=text.null_count)
    text = text.fill_null(MISSING)
    codes = pc.index_in(text, value_set=pa.array(column.values, text.type))
    known = codes.is_valid().to_numpy(zero_copy_only=False)
    matrix = sparse.csr_array(
        (np.ones(int(known.sum()), dtype=np.float32),
         (np.flatnonzero(known), codes.drop_null().to_numpy(zero_copy_only=False))),
        shape=(len(text), len(column.values)))
    if known.all():
        return _Block(matrix)
    strange = text.filter(pa.array(~known))
    plural, count = "s" * (len(strange) > 1), len(strange)
    return _Block(matrix, note=f"column {column.name!r}: {count:,} row{plural} with a value never seen "
                               f"before, which counts as none: {quote_some(strange.unique().to_pylist())}")


def _values(table: NamedTable, column: Column) -> np.ndarray:
    """One row of numbers a node, of the kind that the column had."""
    name, given, where = column.name, table.data[column.name], table.name
    if column.kind == "number":
        if pa.types.is_boolean(given.type):
            return as_numbers(name, given, where)[:, None]
        return table.numbers(name)[:, None]
    if table.is_text and column.kind in TEXT_TYPES:
        try:
            given = missing_as_null(given).cast(TEXT_TYPES[column.kind])
        except pa.ArrowInvalid:
            raise _other_kind(column, where, "something else is in it") from None
    fits = {"list": is_list(given.type), "date": is_date(given.type), "boolean": not is_date(given.type)}
    if not (fits[column.kind] or pa.types.is_null(given.type)):
        raise _other_kind(column, where, f"its type is {given.type}")
    if column.kind != "list":
        return as_numbers(name, given, where)[:, None]
    values = from_lists(name, given, where)
    if values.shape[1] != len(column.fill):
        raise DataError(f"{where}: column {name!r} has lists of {values.shape[1]} numbers; the model was "
                        f"fitted with {len(column.fill)}.")
    return values


def _other_kind(column: Column, where: str, got: str) -> DataError:
    held = {"boolean": "true and false", "date": "dates", "list": "lists of numbers"}[column.kind]
    return DataError(f"{where}: column {column.name!r} held {held} when the model was fitted; {got}. "
                     "Write it in the same way.")
