"""Tables too long to hold: a file or data frame as pieces of some ten thousand rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from halflabel.convert.tables import NamedTable, check_path, check_rows, is_parquet
from halflabel.convert.textfiles import check_names, text_batches, text_header
from halflabel.errors import DataError

PIECE = 1 << 15  # rows at a time
GROUP = 1 << 24  # bytes of a file whose columns are read together,
PASSES = 8  # unless that took more passes than this

# Batches of the columns asked for, each with the share of the table that has been read.
Batches = Callable[[Sequence[str]], Iterator[tuple[pa.RecordBatch, float]]]


@dataclass(frozen=True)
class TableStream:
    """A table that is read in pieces: what its columns are called, of what type they are, and the way in.

    >>> stream = TableStream.of(pa.table({"s": ["a", "b", "c"], "t": ["b", "c", "a"]}), "edges")
    >>> [(piece.row(0), piece.data.num_rows, share) for piece, share in stream.pieces(["s"])]
    [('edges row 0', 3, 1.0)]
    """

    name: str
    schema: pa.Schema
    batches: Batches
    is_file: bool = False
    is_text: bool = False
    size: int = 0  # bytes, in a file

    @classmethod
    def open(cls, given: Any, role: str) -> TableStream:
        """From a path, or from a data frame, which goes by its role (\"edges\", \"nodes\")."""
        if not isinstance(given, (str, os.PathLike)):
            return cls.of(NamedTable.open(given, role).data, role)
        path = check_path(given)
        if is_parquet(path):
            metadata = _parquet_metadata(path)
            groups = range(metadata.num_row_groups)
            return cls(path.name, metadata.schema.to_arrow_schema(), partial(_of_parquet, path), is_file=True,
                       size=sum(metadata.row_group(group).total_byte_size for group in groups))
        schema = pa.schema([(name, pa.string()) for name in text_header(path)])
        return cls(path.name, schema, partial(text_batches, path), is_file=True, is_text=True,
                   size=path.stat().st_size)

    @classmethod
    def of(cls, table: pa.Table, name: str) -> TableStream:
        """From an Arrow table."""
        return cls(name, table.schema, partial(_of_table, table))

    @property
    def columns(self) -> list[str]:
        """Column names."""
        return self.schema.names

    @property
    def first_row(self) -> int:
        """In a file the header is row 1; data frames count from 0."""
        return 2 if self.is_file else 0

    def id_type(self, column: str) -> pa.DataType:
        """The type of the ids in a column."""
        kind = self.schema.field(column).type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        if pa.types.is_nested(kind) or pa.types.is_duration(kind):
            raise DataError(
                f"{self.name}: column {column!r} has type {kind}. Ids are numbers, text or dates.")
        return kind

    def pieces(self, columns: Sequence[str]) -> Iterator[tuple[NamedTable, float]]:
        """These columns, some rows at a time, each with the share of the table read so far."""
        start = 0
        for batch, share in self.batches(columns):
            table = pa.Table.from_batches([batch])
            yield NamedTable(table, self.name, self.is_file, self.is_text, start), share
            start += batch.num_rows
        if self.is_file:
            check_rows(start, self.columns, self.name)

    def read(self, columns: Sequence[str]) -> NamedTable:
        """These columns as a whole."""
        tables = [piece.data for piece, _ in self.pieces(columns)]
        schema = pa.schema([self.schema.field(name) for name in columns])
        table = pa.concat_tables(tables) if tables else schema.empty_table()
        return NamedTable(table, self.name, self.is_file, self.is_text)

    def read_in_groups(self, columns: Sequence[str]) -> Iterator[NamedTable]:
        """These columns as a whole, but only some of them at a time where the file is long."""
        count = max(1, min(len(columns), PASSES, -(-self.size // GROUP)))
        step = -(-len(columns) // count)
        for first in range(0, len(columns), max(step, 1)):
            yield self.read(columns[first : first + step])
            pa.default_memory_pool().release_unused()


def _of_table(table: pa.Table, names: Sequence[str]) -> Iterator[tuple[pa.RecordBatch, float]]:
    done = 0
    for batch in table.select(list(names)).to_batches(max_chunksize=PIECE):
        done += batch.num_rows
        yield batch, done / table.num_rows


def _of_parquet(path: Path, names: Sequence[str]) -> Iterator[tuple[pa.RecordBatch, float]]:
    try:
        # Through a small buffer: a row group may be as long as the file.
        with pyarrow.parquet.ParquetFile(path, buffer_size=1 << 20, pre_buffer=False) as file:
            total, done = file.metadata.num_rows, 0
            for batch in file.iter_batches(batch_size=PIECE, columns=list(names), use_threads=False):
                done += batch.num_rows
                yield batch, done / total
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path.name}: not a readable Parquet file ({error}).") from error


def _parquet_metadata(path: Path) -> pyarrow.parquet.FileMetaData:
    try:
        metadata = pyarrow.parquet.read_metadata(path)
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path.name}: not a readable Parquet file ({error}).") from error
    check_names(metadata.schema.to_arrow_schema().names, path.name)
    return metadata
