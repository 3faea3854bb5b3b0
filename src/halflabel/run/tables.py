"""The tables of a run, read again: columns and types are looked at before any row is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from halflabel.run.card import RUN

Type = Callable[[pa.DataType], bool]


def _any_id(kind: pa.DataType) -> bool:
    return not (pa.types.is_nested(kind) or isinstance(kind, pa.BaseExtensionType))


ID, REAL, WHOLE, YES_NO = _any_id, pa.types.is_floating, pa.types.is_integer, pa.types.is_boolean
COLUMNS: dict[str, dict[str, Type]] = {
    "scores.parquet": {"id": ID, "score": REAL, "probability": REAL, "rank": WHOLE, "known_positive": YES_NO,
                       "flagged": YES_NO, "out_of_fold": REAL, "fold": WHOLE},
    "edges.parquet": {"source": ID, "target": ID, "weight": REAL},
}
MOST_TEXT = 2**34  # bytes of all ids together
MAY_BE_EMPTY = ("rank", "out_of_fold")


def read_table(path: Path, columns: Mapping[str, Type], rows: int) -> pa.Table:
    """A table of so many rows, with these columns of these types, every number finite; anything else is a
    damaged run. A small file that would unpack to a huge table is refused before it does.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "edges.parquet"
    >>> pyarrow.parquet.write_table(pa.table({"weight": [0.5]}), path)
    >>> read_table(path, {"weight": REAL}, rows=1).num_rows
    1
    """
    try:
        ids = [name for name, right in columns.items() if right is ID]
        with pyarrow.parquet.ParquetFile(path, read_dictionary=ids) as file:
            schema = file.schema_arrow
            if schema.names != [*columns] or not all(
                    right(_plain(kind)) for right, kind in zip(columns.values(), schema.types, strict=True)):
                raise ValueError(f"columns {', '.join(map(str, schema.names))[:200]} where "
                                 f"{', '.join(columns)} are expected")
            if file.metadata.num_rows != rows:
                raise ValueError(f"{file.metadata.num_rows:,} rows where {rows:,} are expected")
            table = file.read()
        for name in ids:
            table = table.set_column(table.column_names.index(name), name, _unpacked(table[name]))
        table.validate(full=True)
        for name in columns:
            _check_values(table[name], name)
    except (OSError, ValueError, TypeError, MemoryError, OverflowError, pa.ArrowException) as error:
        raise RUN.damaged(path, error) from None
    return table


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if isinstance(kind, pa.DictionaryType) else kind


def _unpacked(ids: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text that is stored once and referred to by many rows, written out; unless that is far too much."""
    if not isinstance(ids.type, pa.DictionaryType):
        return ids
    length = sum(pc.sum(pc.binary_length(chunk.dictionary).take(chunk.indices)).as_py() or 0
                 for chunk in ids.chunks)
    if length > MOST_TEXT:
        raise ValueError(f"ids of {length:,} bytes where {MOST_TEXT:,} are the most")
    return ids.cast(ids.type.value_type)


def _check_values(column: pa.ChunkedArray, name: str) -> None:
    if column.null_count and name not in MAY_BE_EMPTY:
        raise ValueError(f"{name}: {column.null_count:,} values missing")
    if REAL(column.type) and not pc.all(pc.is_finite(column), min_count=0).as_py():
        raise ValueError(f"{name}: numbers that are not finite")
