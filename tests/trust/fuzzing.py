"""Strategies for files that somebody might hand in: good ones, odd ones and broken ones."""

from __future__ import annotations

import csv
import gzip
import io
from typing import Any, NamedTuple

from hypothesis import strategies as st

HARD_IDS = (
    "NA", "null", "None", "1e5", "a,b", 'say "hi"', '"', "two\nlines", "cr\r\nlf", " padded", "pad ", "=1+1",
    "-5", "+1", "-0", "007", "0x1f", "true", "2020-01-01", "é", "e\u0301", "名前", "a\u2028b", "a\x85b",
    "a\x0cb", "a\tb", "\U0001f600", "\ufeffbom", "x" * 300, "nan",
    "9007199254740993", "9007199254740992", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "1" * 40, "1.0", "1", "0", "a;b", "a\\b", "\u200b")
NUMBERS = ("0", "1", "-1", "0.5", "1e5", "1E-3", "+2", ".5", "5.", "-0.0", "9007199254740993", "1e-60",
           "3e38", "-3e38", "1e-400", "123456789012345678901234567890", " 7", "8 ")
STRANGE = ("", "NA", "nan", "NaN", "inf", "-Infinity", "1e39", "1e400", "x", "true", "1,5", "1_0", "0x10",
           "--1")
EDGE_HEADERS = (
    ("source", "target"), ("from", "to"), ("SRC", "Dst"), ("a", "b"), ("target", "source"),
    ("one", "source"), (" source", "target "), ('the "one"', "two, three"), ("source", "two\nlines"))
BYTES = (b'"', b"\n", b"\r", b",", b"\t", b"\0", b"\xff", b"\xef\xbb\xbf", b"\n\n", b"  \n", b"'", b";",
         b"\xc3")


class File(NamedTuple):
    """A file by name and content."""

    name: str
    data: bytes


class Case(NamedTuple):
    """What is handed in: files and reading options."""

    edges: File
    nodes: File | None
    known: File
    options: dict[str, Any]


def ids() -> st.SearchStrategy[list[str]]:
    """Different ids of one to ten nodes: numbers, names, or anything at all."""
    plain = st.one_of(
        st.integers(0, 30).map(str), st.integers(2**53 - 2, 2**53 + 5).map(str),
        st.integers(0, 30).map("n{:02d}".format))
    odd = st.one_of(st.sampled_from(HARD_IDS), st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=4))
    kinds = (plain, plain, st.one_of(plain, odd), odd)
    return st.one_of(*(st.lists(kind, min_size=1, max_size=10, unique=True) for kind in kinds))


@st.composite
def columns(draw: st.DrawFn, rows: int) -> list[str]:
    """A column of a node table: numbers, text, either with gaps or nonsense."""
    kind = draw(st.sampled_from(
        ["number"] * 4 + ["text", "text", "flag", "day", "constant", "strange", "gaps"]))
    values = {
        "number": st.one_of(st.sampled_from(NUMBERS), st.integers(-99, 99).map(str),
                            st.floats(-1e6, 1e6).map(repr)),
        "text": st.sampled_from(["red", "green", "deep blue", "é", "a=b", "1x"]),
        "flag": st.sampled_from(["true", "false"]),
        "day": st.sampled_from(["2020-01-01", "2021-12-31", "1969-07-20"]),
        "constant": st.just(draw(st.sampled_from(["1", "x", ""]))),
        "strange": st.sampled_from(STRANGE + NUMBERS),
        "gaps": st.sampled_from(["", "NA", "1", "2.5"]),
    }[kind]
    return draw(st.lists(values, min_size=rows, max_size=rows))


@st.composite
def edge_tables(draw: st.DrawFn, names: list[str]) -> list[list[str]]:
    """A header and edges among these nodes; at times a stranger, loops only, repeats, weights, no edge."""
    header = list(draw(st.sampled_from(EDGE_HEADERS)))
    end = st.sampled_from(names)
    if draw(st.integers(0, 9)) == 0:
        end = st.one_of(end, st.sampled_from(["stranger", "", " "]))
    few = draw(st.integers(0, 9)) == 0
    rows = draw(st.lists(st.tuples(end, end).map(list), min_size=0 if few else 1, max_size=12))
    if draw(st.integers(0, 11)) == 0:
        rows = [[name, name] for name in names]
    if draw(st.integers(0, 3)) == 0 and rows:
        rows += rows[: draw(st.integers(1, 3))]
    if draw(st.integers(0, 2)) == 0:
        header.append(draw(st.sampled_from(["weight", "Weight", " weight"])))
        strange = draw(st.integers(0, 4)) == 0
        usual = ("1", "2", "0.5", "0", "1e-60", "1e37", " 3")
        weights = st.sampled_from(STRANGE + NUMBERS if strange else usual)
        rows = [[*row, draw(weights)] for row in rows]
    elif draw(st.integers(0, 5)) == 0:
        header.append("kind")
        rows = [[*row, draw(st.sampled_from(["x", "é", "", "a\nb"]))] for row in rows]
    return [header, *rows]


@st.composite
def node_tables(draw: st.DrawFn, names: list[str]) -> list[list[str]]:
    """A header and a row a node; at times the same node twice, a node without id, or one left out."""
    width = draw(st.integers(0, 3))
    header = ["id", *draw(st.permutations(["age", "size", "city", "label", "x y"]))[:width]]
    parts = [names, *(draw(columns(len(names))) for _ in range(width))]
    rows = [list(row) for row in zip(*parts, strict=True)]
    what = draw(st.sampled_from(["as it is"] * 9 + ["twice", "without id", "left out"]))
    if what == "twice":
        rows.append(rows[0])
    elif what == "without id":
        rows[-1] = ["", *rows[-1][1:]]
    elif what == "left out":
        rows.pop()
    return [header, *rows]


@st.composite
def written(draw: st.DrawFn, rows: list[list[str]], role: str) -> File:
    """A table as a file: quotes, line ends, byte order mark, compression; some are then damaged."""
    suffix = draw(st.sampled_from([".csv"] * 5 + [".tsv", ".csv.gz", ".CSV"] + [".txt"] * (role != "known")))
    if role == "known":
        suffix = suffix if "id" in rows[0] else ".txt"
    if draw(st.integers(0, 9)) == 0:
        rows = draw(broken_rows(rows))
    text = io.StringIO(newline="")
    writer = csv.writer(
        text, delimiter="\t" if suffix == ".tsv" else ",",
        lineterminator=draw(st.sampled_from(["\n", "\n", "\r\n", "\r"])),
        quoting=draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])))
    plain = suffix == ".txt" and role == "known"
    content = "\n".join(row[0] for row in rows) if plain else (writer.writerows(rows), text.getvalue())[1]
    if draw(st.integers(0, 4)) == 0:
        content = content.rstrip("\r\n")
    encoding = draw(st.sampled_from(["utf-8"] * 16 + ["utf-8-sig"] * 6 + ["utf-16", "latin-1", "cp1252"]))
    data = content.encode(encoding, "replace")
    if draw(st.integers(0, 11)) == 0:
        data = draw(broken_bytes(data))
    if suffix == ".csv.gz":
        data = gzip.compress(data, 1, mtime=0)
        if draw(st.integers(0, 9)) == 0:
            data = draw(broken_bytes(data))
    return File(f"{role}{suffix}", data)


@st.composite
def broken_rows(draw: st.DrawFn, rows: list[list[str]]) -> list[list[str]]:
    """One of the things that go wrong in a table."""
    what = draw(st.sampled_from(
        ["ragged", "ragged", "no header", "header only", "header twice", "blank", "blank", "spaces",
         "nothing", "same name"]))
    at = draw(st.integers(0, len(rows) - 1))
    row = rows[at]
    changed = {
        "ragged": [*rows[:at], draw(st.sampled_from([row[:-1], [*row, "more"], ["only"]])), *rows[at + 1 :]],
        "no header": rows[1:], "header only": rows[:1], "header twice": [rows[0], *rows],
        "blank": [*rows[:at], [], [], *rows[at:]], "spaces": [*rows[:at], ["  "], *rows[at:]], "nothing": [],
        "same name": [[rows[0][0]] * len(rows[0]), *rows[1:]],
    }[what]
    return [row or [""] for row in changed] if len(rows[0]) == 1 else changed


@st.composite
def broken_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    """Bytes cut off, put in or overwritten."""
    at = draw(st.integers(0, len(data)))
    piece = draw(st.sampled_from(BYTES))
    return draw(st.sampled_from(
        [data[:at], data[:at] + piece + data[at:], data[:at] + piece + data[at + 1 :]]))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Edges, perhaps nodes, known positives, and options."""
    names = draw(ids())
    edges = draw(written(draw(edge_tables(names)), "edges"))
    nodes = draw(written(draw(node_tables(names)), "nodes")) if draw(st.integers(0, 3)) else None
    share = draw(st.sampled_from(["some"] * 6 + ["one", "all", "none", "twice", "stranger"]))
    known = {"some": names[: max(1, len(names) // 2)], "one": names[:1], "all": names, "none": [],
             "twice": names[:1] * 2, "stranger": [*names[:1], "nobody"]}[share]
    table = [[name] for name in known]
    known_file = draw(written([["id"], *table] if draw(st.booleans()) or not table else table, "known"))
    options = {
        "missing": draw(st.sampled_from(["error", "mean"])),
        "unknown_nodes": draw(st.sampled_from(["error", "error", "drop"])),
        "directed": draw(st.booleans()),
    }
    return Case(edges, nodes, known_file, options)
