"""Tables too long to hold: a file or data frame as pieces of some ten thousand rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from halflabel.convert.tables import NamedTable, check_path, check_rows, is_parquet
from halflabel.convert.textfiles import check_names, text_batches, text_header
from halflabel.errors import DataError

PIECE = 1 << 16  # rows at a time

# Batches of the columns asked for, each with the share of the table that has been read.
Batches = Callable[[Sequence[str]], Iterator[tuple[pa.RecordBatch, float]]]


@dataclass(frozen=True)
class TableStream:
    """A table that is read in pieces: what its columns are called, of what type they are, and the way in.

    >>> stream = TableStream.open(pa.table({"s": ["a", "b", "c"], "t": ["b", "c", "a"]}), "edges", piece=2)
    >>> [(piece.row(0), piece.data.num_rows, share) for piece, share in stream.pieces(["s"])]
    [('edges row 0', 2, 0.67), ('edges row 2', 1, 1.0)]
    """

    name: str
    schema: pa.Schema
    is_file: bool
    is_text: bool
    batches: Batches

    @classmethod
    def open(cls, given: Any, role: str, piece: int = PIECE) -> TableStream:
        """From a path, or from a data frame, which goes by its role (\"edges\", \"nodes\")."""
        if not isinstance(given, (str, os.PathLike)):
            table = NamedTable.open(given, role).data
            return cls(role, table.schema, False, False, lambda names: _of_table(table, names, piece))
        path = check_path(given)
        if is_parquet(path):
            return cls(path.name, _parquet_schema(path), True, False,
                       lambda names: _of_parquet(path, names, piece))
        schema = pa.schema([(name, pa.string()) for name in text_header(path)])
        return cls(path.name, schema, True, True, lambda names: text_batches(path, names))

    @property
    def columns(self) -> list[str]:
        """Column names."""
        return self.schema.names

    def id_type(self, column: str) -> pa.DataType:
        """The type of the ids in a column."""
        kind = self.schema.field(column).type
        return kind.value_type if pa.types.is_dictionary(kind) else kind

    def pieces(self, columns: Sequence[str]) -> Iterator[tuple[NamedTable, float]]:
        """These columns, some rows at a time, each with the share of the table read so far."""
        start = 0
        for batch, share in self.batches(columns):
            table = pa.Table.from_batches([batch])
            yield NamedTable(table, self.name, self.is_file, self.is_text, start), share
            start += batch.num_rows
        check_rows(start, self.columns, self.name)


def _of_table(table: pa.Table, names: Sequence[str], piece: int) -> Iterator[tuple[pa.RecordBatch, float]]:
    done = 0
    for batch in table.select(list(names)).to_batches(max_chunksize=piece):
        done += batch.num_rows
        yield batch, round(done / table.num_rows, 2)


def _of_parquet(path: Path, names: Sequence[str], piece: int) -> Iterator[tuple[pa.RecordBatch, float]]:
    try:
        # Through a small buffer: a row group may be as long as the file.
        with pyarrow.parquet.ParquetFile(path, buffer_size=1 << 20, pre_buffer=False) as file:
            total, done = file.metadata.num_rows, 0
            for batch in file.iter_batches(batch_size=piece, columns=list(names), use_threads=False):
                done += batch.num_rows
                yield batch, done / total
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path.name}: not a readable Parquet file ({error}).") from error


def _parquet_schema(path: Path) -> pa.Schema:
    try:
        schema = pyarrow.parquet.read_schema(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path.name}: not a readable Parquet file ({error}).") from error
    check_names(schema.names, path.name)
    return schema
