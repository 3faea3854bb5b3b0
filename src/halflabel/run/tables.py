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
MAY_BE_EMPTY = ("rank", "out_of_fold")


def read_table(path: Path, columns: Mapping[str, Type]) -> pa.Table:
    """A table with these columns of these types, every number finite; anything else is a damaged run.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "edges.parquet"
    >>> pyarrow.parquet.write_table(pa.table({"weight": [0.5]}), path)
    >>> read_table(path, {"weight": REAL}).num_rows
    1
    """
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
            if schema.names != [*columns] or not all(
                    right(kind) for right, kind in zip(columns.values(), schema.types, strict=True)):
                raise ValueError(f"columns {', '.join(map(str, schema.names))[:200]} where "
                                 f"{', '.join(columns)} are expected")
            table = file.read()
        table.validate(full=True)
        for name in columns:
            _check_values(table[name], name)
    except (OSError, ValueError, TypeError, MemoryError, OverflowError, pa.ArrowException) as error:
        raise RUN.damaged(path, error) from None
    return table


def _check_values(column: pa.ChunkedArray, name: str) -> None:
    if column.null_count and name not in MAY_BE_EMPTY:
        raise ValueError(f"{name}: {column.null_count:,} values missing")
    if REAL(column.type) and not pc.all(pc.is_finite(column), min_count=0).as_py():
        raise ValueError(f"{name}: numbers that are not finite")
