"""The same files read a second time, by Python's csv module and as docs/data.md says."""

from __future__ import annotations

import csv
import gzip
import io
import re
from typing import NamedTuple

import numpy as np
from tests.trust.fuzzing import Case, File

SOURCE = ("source", "src", "from")
TARGET = ("target", "dst", "to")
GAPS = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None")
NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
LARGEST = float(np.finfo(np.float32).max)


class Refused(Exception):
    """The file must be refused."""


class Unsure(Exception):
    """Anything may be right, as long as it is no traceback."""


class Expected(NamedTuple):
    """What the graph must be; features are None where this reading has no opinion."""

    ids: list[str]
    edges: dict[tuple[str, str], float]
    weighted: bool
    X: np.ndarray | None


def table(file: File) -> tuple[list[str], list[list[str]]]:
    """Header and rows."""
    data = file.data
    suffix = file.name[file.name.index(".") :].lower()
    if suffix.endswith(".gz"):
        try:
            data = gzip.decompress(data)
        except Exception:
            raise Unsure from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unsure from None  # refused, unless the bytes are in a column that nobody wants
    if "\0" in text:
        raise Unsure
    first = next((line for line in re.split("[\r\n]", text) if line), "")
    delimiter = "\t" if suffix == ".tsv" or (suffix == ".txt" and "\t" in first) else ","
    try:
        read = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        rows = [row for row in read if row]
    except csv.Error:
        raise Unsure from None
    if len(rows) < 2:
        raise Refused
    header = [name.strip() for name in rows[0]]
    if len(set(header)) < len(header) or any(len(row) != len(header) for row in rows):
        raise Refused
    if header == [""] or all(re.fullmatch(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", name) for name in header):
        raise Refused
    return header, rows[1:]


def edge_rows(file: File) -> tuple[list[tuple[str, str, float]], bool]:
    """Both ends and the weight of each edge, and whether there are weights."""
    header, rows = table(file)
    lower = {name.lower(): i for i, name in reversed([*enumerate(header)])}
    source, target, weight = (next((lower[name] for name in known if name in lower), None)
                              for known in (SOURCE, TARGET, ("weight",)))
    left = [i for i in range(len(header)) if i not in (source, target, weight)]
    if len(left) < (source is None) + (target is None):
        raise Refused
    source = left.pop(0) if source is None else source
    target = left.pop(0) if target is None else target
    if any(not row[source] or not row[target] for row in rows):
        raise Refused
    weights = [1.0] * len(rows) if weight is None else [number(row[weight]) for row in rows]
    if any(value is None for value in weights):
        raise Refused
    links = [(row[source], row[target], value) for row, value in zip(rows, weights, strict=True)]
    return links, weight is not None


def number(text: str) -> float | None:
    """A number, None if it is none; NaN for a gap."""
    text = text.strip()
    if text in GAPS:
        return np.nan
    infinite = text.lower() in ("inf", "-inf", "infinity", "-infinity")
    return float(text) if infinite or NUMBER.fullmatch(text) else None


def features(header: list[str], rows: list[list[str]], key: int, missing: str) -> np.ndarray | None:
    """Columns of the matrix, None where the type of one is a matter of taste."""
    blocks, sure = [], True
    for i, name in enumerate(header):
        if i == key or name.lower() in ("label", "class", "y", "target"):
            continue
        values = [row[i] for row in rows]
        read = [number(value) for value in values]
        if all(value is not None for value in read):
            column = np.array(read, dtype=float)
            gaps = np.isnan(column)
            if (np.abs(column[~gaps]) > LARGEST).any() or (gaps.any() and missing == "error"):
                raise Refused
            if gaps.all():
                continue
            blocks.append(np.where(gaps, column[~gaps].sum() / np.count_nonzero(~gaps), column)[:, None])
            if gaps.any():
                blocks.append(gaps[:, None])
        elif any(re.fullmatch(r"(?i)true|false|.*nan.*|[0-9]{4}-.*", value) for value in values):
            sure = False
            if missing == "error" and any(value.strip() in GAPS for value in values):
                raise Refused if "" in values else Unsure
        else:
            if "" in values and missing == "error":
                raise Refused
            there = sorted({*values} - {""}) + [""] * ("" in values)
            blocks.append(np.array([[value == other for other in there] for value in values]))
    return np.hstack(blocks).astype(np.float32) if blocks and sure else None


def graph(case: Case) -> Expected | set[str]:
    """What must come out, or the files of which one must be named in the message."""
    faulty: set[str] = set()
    unsure, links, weighted, people, X = False, [], False, None, None
    try:
        links, weighted = edge_rows(case.edges)
    except Refused:
        faulty.add(case.edges.name)
    except Unsure:
        unsure = True
    if case.nodes is not None:
        try:
            header, rows = table(case.nodes)
            lower = [name.lower() for name in header]
            key = next((lower.index(name) for name in ("id", "node", "name") if name in lower), 0)
            people = [row[key] for row in rows]
            if "" in people or len(set(people)) < len(people):
                raise Refused
            X = features(header, rows, key, case.options["missing"])
        except Refused:
            faulty.add(case.nodes.name)
        except Unsure:
            unsure = True
    if unsure and not faulty:
        raise Unsure
    if faulty:
        return faulty | ({case.edges.name, case.nodes.name if case.nodes else ""} - {""} if unsure else set())
    if people is None:
        people = list(dict.fromkeys(end for link in links for end in link[:2]))
    else:
        there = set(people)
        inside = [link for link in links if link[0] in there and link[1] in there]
        if len(inside) < len(links) and (case.options["unknown_nodes"] == "error" or not inside):
            return {case.edges.name}
        links = inside
    if not all(0 <= link[2] <= LARGEST for link in links):  # of an edge that is dropped, nobody asks
        return {case.edges.name}
    return _merged(people, links, weighted, X, case)


def _merged(
    people: list[str], links: list, weighted: bool, X: np.ndarray | None, case: Case
) -> Expected | set[str]:
    if not case.options["directed"]:
        links = [*links, *((target, source, weight) for source, target, weight in links)]
    edges: dict[tuple[str, str], float] = {}
    for source, target, weight in links:
        if source != target and np.float32(weight) > 0:
            edges[source, target] = edges.get((source, target), 0.0) + float(np.float32(weight))
    if weighted and sum(edges.values()) > LARGEST / 2:
        return {case.edges.name}
    return Expected(people, edges, weighted, X)


def positives(case: Case, people: list[str]) -> set[str] | None:
    """Ids of the known positives, None if the file must be refused."""
    if case.known.name.endswith(".txt"):
        try:
            text = case.known.data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return None
        named = [line for line in re.split("[\r\n]", text) if line.strip()]
    else:
        try:
            header, rows = table(case.known)
        except Refused:
            return None
        key = header.index("id") if "id" in header else 0
        named = [row[key] for row in rows if row[key]]
    named = [name if name in people else name.strip() for name in named]
    if any(name.startswith("'") for name in named):
        raise Unsure
    known = set(named)
    return known if known and known <= set(people) and len(known) < len(people) else None
