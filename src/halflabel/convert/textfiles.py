"""Delimited text files: every column stays text until somebody says that it holds no ids."""

from __future__ import annotations

import csv
import gzip
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, dropwhile
from pathlib import Path
from typing import IO, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from halflabel.errors import DataError, quote_some

DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": None}
BLOCK = 1 << 20  # bytes of a long file at a time
MISSING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None")


def is_text_file(path: str | os.PathLike[str]) -> bool:
    """Whether a file of this name holds text, whose columns have no types of their own.

    >>> is_text_file("nodes.csv.gz"), is_text_file("nodes.parquet")
    (True, False)
    """
    return _suffix(Path(path)) in DELIMITERS


def read_text(path: Path) -> pa.Table:
    """Read a delimited file with a header; all columns are text, and rows are never silently dropped.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "known.txt"
    >>> _ = path.write_text("id\\tscore\\n007\\t1.5\\n")
    >>> read_text(path).to_pylist()
    [{'id': '007', 'score': '1.5'}]
    """
    names, delimiter = _header(path)
    try:
        table = _read_csv(path, names, delimiter, threads=True)
    except pa.ArrowInvalid:
        try:
            # Only one thread knows at which row it is: read again, for the sake of the message.
            table = _read_csv(path, names, delimiter, threads=False)
        except pa.ArrowInvalid as error:
            raise DataError(_explain(str(error), path.name)) from error
    except pa.ArrowKeyError as error:
        raise DataError(_odd_header(path, names)) from error
    except OSError as error:
        raise DataError(f"{path.name}: cannot be read ({error}).") from error
    if table.num_rows:
        _check_closed(path, table.column(-1)[-1].as_py(), table.num_rows + 1)
    return table.rename_columns([name.strip() for name in names])


def text_header(path: Path) -> list[str]:
    """The column names of a delimited file.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "known.txt"
    >>> _ = path.write_text("id, score\\n007,1.5\\n")
    >>> text_header(path)
    ['id', 'score']
    """
    return [name.strip() for name in _header(path)[0]]


def text_batches(path: Path, columns: Sequence[str]) -> Iterator[tuple[pa.RecordBatch, float]]:
    """Some columns of a delimited file, as text, piece by piece; each with the share of the file read so far.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "known.txt"
    >>> _ = path.write_text("id,score\\n007,1.5\\n")
    >>> [(batch.to_pydict(), share) for batch, share in text_batches(path, ["score"])]
    [({'score': ['1.5']}, 1.0)]
    """
    names, delimiter = _header(path)
    stripped = {name.strip(): name for name in names}
    wanted = [stripped[name] for name in columns]
    last = [] if names[-1] in wanted else names[-1:]  # in it shows whether a quote was closed
    row, value = 1, ""
    try:
        with pa.OSFile(os.fspath(path)) as file:
            stream = pa.CompressedInputStream(file, "gzip") if path.suffix.lower() == ".gz" else file
            batches = pyarrow.csv.open_csv(
                stream,
                read_options=pyarrow.csv.ReadOptions(use_threads=False, block_size=_block(names)),
                parse_options=_parsing(delimiter), convert_options=_as_text(names, wanted, last))
            for batch in batches:
                if batch.num_rows:
                    row, value = row + batch.num_rows, batch.column(names[-1])[-1].as_py()
                asked = batch.select(wanted).rename_columns(list(columns))
                yield asked, file.tell() / file.size()
    except pa.ArrowInvalid as error:
        raise DataError(_explain(str(error), path.name)) from error
    except pa.ArrowKeyError as error:
        raise DataError(_odd_header(path, names)) from error
    except OSError as error:
        raise DataError(f"{path.name}: cannot be read ({error}).") from error
    _check_closed(path, value, row)


def parse_text(table: pa.Table) -> pa.Table:
    """Numbers, true/false and ISO dates where every value of a text column reads as one; else the text.

    >>> parse_text(pa.table({"age": ["30", ""], "city": ["Bonn", "NA"]})).to_pylist()
    [{'age': 30.0, 'city': 'Bonn'}, {'age': None, 'city': 'NA'}]
    """
    columns = [_parse(c) if pa.types.is_string(c.type) else c for c in table.columns]
    return pa.table(columns, names=table.column_names)


def missing_as_null(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A text column with nothing in place of the words that say so.

    >>> missing_as_null(pa.chunked_array([["1", "NA", ""]])).to_pylist()
    ['1', None, None]
    """
    return pc.if_else(pc.is_in(column, pa.array(MISSING)), pa.scalar(None, pa.string()), column)


def _parse(column: pa.ChunkedArray) -> pa.ChunkedArray:
    known = missing_as_null(column)
    if known.null_count == len(known):
        return pa.chunked_array([pa.nulls(len(known))])
    for text in (known, missing_as_null(pc.utf8_trim_whitespace(column))):  # " 30" is a number as well
        for kind in (pa.float64(), pa.bool_(), pa.timestamp("s")):
            try:
                return text.cast(kind)
            except pa.ArrowInvalid:
                continue
    return column


def _read_csv(path: Path, names: list[str], delimiter: str, threads: bool) -> pa.Table:
    return pyarrow.csv.read_csv(
        path, read_options=pyarrow.csv.ReadOptions(use_threads=threads, block_size=_block(names)),
        parse_options=_parsing(delimiter), convert_options=_as_text(names, names))


def _block(names: Sequence[str]) -> int:
    """Bytes at a time: the first block has to hold the header, whose names may be quoted."""
    return max(BLOCK, 4 * sum(len(name.encode("utf-8", "replace")) + 3 for name in names))


def _parsing(delimiter: str) -> pyarrow.csv.ParseOptions:
    return pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)


def _as_text(
    names: Sequence[str], wanted: Sequence[str], as_bytes: Sequence[str] = ()
) -> pyarrow.csv.ConvertOptions:
    types = dict.fromkeys(names, pa.string()) | dict.fromkeys(as_bytes, pa.binary())
    return pyarrow.csv.ConvertOptions(column_types=types, include_columns=[*wanted, *as_bytes])


def _header(path: Path) -> tuple[list[str], str]:
    """Column names and delimiter; the byte order mark that Excel writes is not part of the first name."""
    try:
        # Bad bytes further down are found by the reader proper, which knows their row.
        with _text_of(path) as file:
            lines = dropwhile(lambda line: not line.strip("\r\n"), file)
            first = next(lines, "")
            delimiter = DELIMITERS[_suffix(path)] or ("\t" if "\t" in first else ",")
            # A name may be quoted and hold a line break.
            names = next(csv.reader(chain([first], lines), delimiter=delimiter), [])
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path.name}: cannot be read ({error}).") from error
    except csv.Error as error:
        raise DataError(f"{path.name} row 1: not a header ({error}). Is a quote missing?") from error
    if any("\ufffd" in name or "\0" in name for name in names):
        raise DataError(_explain("Row #1: invalid UTF8 data", path.name))
    if not first:
        raise DataError(f"{path.name}: the file is empty. It needs a header row and data.")
    if not any(name.strip() for name in names):
        raise DataError(f"{path.name} row 1: blank, where the names of the columns are expected.")
    if all(re.fullmatch(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", name.strip()) for name in names):
        raise DataError(f"{path.name}: the first row ({', '.join(names[:5])}) holds numbers, not names. "
                        "Add a header row, such as: source,target")
    check_names([name.strip() for name in names], path.name)
    return names, delimiter


def _text_of(path: Path) -> IO[str]:
    opener = gzip.open if path.suffix.lower() == ".gz" else open
    return cast(IO[str], opener(path, "rt", encoding="utf-8-sig", errors="replace", newline=""))


def _check_closed(path: Path, last: str | bytes, row: int) -> None:
    """Refuse a last value that begins with a quote and runs to the end of the file: it swallowed rows."""
    text = last if isinstance(last, str) else last.decode("utf-8", "replace")
    if "\n" not in text and "\r" not in text:
        return
    end = ""
    with _text_of(path) as file:
        for line in file:
            end = line.rstrip("\r\n") or end
    if not end.endswith('"'):
        raise DataError(f"{path.name} row {row:,}: a quote is opened and never closed; the value begins with "
                        f"{text[:40]!r}. Close it, or double it if it is part of the value.")


def _odd_header(path: Path, names: Sequence[str]) -> str:
    return (f"{path.name} row 1: the header ({', '.join(names[:5])}) can be read in two ways. "
            "Are its quotes right?")


def _explain(message: str, name: str) -> str:
    row = re.search(r"Row #([0-9]+)", message)
    where = f"{name} row {int(row[1]):,}" if row else name
    if "UTF8" in message:
        return f"{where}: not UTF-8 text. Save the file with the encoding UTF-8."
    if counts := re.search(r"Expected ([0-9]+) columns, got ([0-9]+)", message):
        return (f"{where}: {counts[2]} values where the header has {counts[1]} columns. "
                "Is a quote or a delimiter missing? Quote values that contain the delimiter.")
    return f"{where}: {message}."


def check_names(names: list[str], where: str) -> None:
    """Refuse repeated column names: one of the two would be lost.

    >>> check_names(["a", "b", "a"], "nodes.csv")
    Traceback (most recent call last):
    halflabel.errors.DataError: nodes.csv: column names must be unique; repeated: 'a'. Rename or remove them.
    """
    if repeated := [name for name, count in Counter(names).items() if count > 1]:
        raise DataError(f"{where}: column names must be unique; repeated: {quote_some(repeated)}. "
                        "Rename or remove them.")


def _suffix(path: Path) -> str:
    """The extension that tells the format: that of nodes.csv.gz is .csv."""
    return Path(path.stem if path.suffix.lower() == ".gz" else path.name).suffix.lower()
