"""Tables read in tiny pieces give the graph that plain Python gives, and the same messages."""

import csv
import gzip
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from halflabel import compress
from halflabel.convert import read_graph, streams, textfiles
from halflabel.convert.streams import TableStream
from halflabel.errors import DataError

NAMES = [f"user-{i}" for i in range(7)] + ["a,b", 'say "hi"', "two\nlines", "é", "x" * 30, "007"]
NODE = st.integers(0, len(NAMES) - 1)
TABLES = st.lists(st.tuples(NODE, NODE, st.integers(0, 9)), min_size=1, max_size=60)


def tiny(patch):
    """Every border between pieces is met: a row or two at a time, runs of three edges."""
    patch.setattr(streams, "PIECE", 2)
    patch.setattr(streams, "GROUP", 1)
    patch.setattr(textfiles, "BLOCK", 64)
    patch.setattr(compress, "RUN", 3)
    patch.setattr(compress, "SAMPLE", 2)


@pytest.fixture
def in_tiny_pieces(monkeypatch):
    tiny(monkeypatch)


def write(path, columns):
    """The same table as Parquet, CSV or compressed CSV."""
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(pa.table(columns), path)
        return path
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "wt", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_MINIMAL, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def by_hand(rows, ids, weighted, directed):
    """Edges by name, their weights, and what was dropped or merged."""
    zero = sum(w == 0 for _, _, w in rows) if weighted else 0
    kept = [(s, t, w) for s, t, w in rows if w or not weighted]
    loops = sum(s == t for s, t, _ in kept)
    both = [(s, t, w) for s, t, w in kept if s != t]
    both += [] if directed else [(t, s, w) for s, t, w in both]
    found = {}
    for s, t, w in both:
        found[s, t] = found.get((s, t), 0) + w
    notes = [(zero, "dropped", "edge", " of weight zero"), (loops, "dropped", "self-loop", ""),
             (len(both) - len(found), "merged", "repeated edge", "")]
    said = [f"{verb} {count} {noun}{'s' * (count > 1)}{more}" for count, verb, noun, more in notes if count]
    edges = sorted(((ids.index(s), ids.index(t)), w) for (s, t), w in found.items())
    return [edge for edge, _ in edges], [w for _, w in edges] if weighted else None, said


def edges_of(graph):
    rows = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    return list(zip(rows.tolist(), graph.indices.tolist(), strict=True))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(TABLES, st.sampled_from([".parquet", ".csv", ".csv.gz", "frame"]), st.booleans(), st.booleans(),
       st.booleans(), st.booleans())
def test_streaming_is_reading(tmp_path, rows, form, weighted, directed, integers, with_nodes):
    names = list(range(100, 100 + len(NAMES))) if integers else NAMES
    rows = [(names[s], names[t], w) for s, t, w in rows]
    columns = {"source": [s for s, _, _ in rows], "target": [t for _, t, _ in rows]}
    columns |= {"weight": [w for _, _, w in rows]} if weighted else {}
    ids = names[::-1] if with_nodes else list(dict.fromkeys(end for s, t, _ in rows for end in (s, t)))
    nodes = {"id": ids, "f": list(range(len(ids))), "g": [0.5 * i for i in range(len(ids))]}
    if form == "frame":
        edges, people = pa.table(columns), pa.table(nodes)
    else:
        edges = write(tmp_path / f"edges{form}", columns)
        people = write(tmp_path / f"nodes{form}", nodes)
    with pytest.MonkeyPatch.context() as patch:
        tiny(patch)
        graph = read_graph(edges, people if with_nodes else None, directed=directed)
    wanted, weights, notes = by_hand(rows, ids, weighted, directed)
    assert graph.ids.values.to_pylist() == ids
    assert edges_of(graph) == wanted
    assert (None if graph.edge_weight is None else graph.edge_weight.tolist()) == weights
    assert [note for note in graph.notes if not note.startswith("no node features")] == notes
    if with_nodes:
        assert graph.X.tolist() == [[i, 0.5 * i] for i in range(len(ids))]





@pytest.mark.parametrize("form", [".csv", ".parquet"])
@pytest.mark.usefixtures("in_tiny_pieces")
def test_faults_in_later_pieces_are_named_by_their_row(tmp_path, form):
    source, target = list("abcdefabcd"), list("bcdefabcde")
    nodes = write(tmp_path / f"nodes{form}", {"id": list("abcdef"), "x": range(6)})

    def read(more, **options):
        columns = {"source": source, "target": target} | more
        return read_graph(write(tmp_path / f"edges{form}", columns), nodes, **options)

    gap = "" if form == ".csv" else None
    with pytest.raises(DataError, match=rf"edges{form} row 8: source is empty. 2 such edges. Every edge"):
        read({"source": [*source[:6], gap, *source[7:9], gap]})
    with pytest.raises(DataError, match=rf"row 6: target 'z' is not in nodes{form} \(6 ids\). 2 such edges"):
        read({"target": [*target[:4], "z", *target[5:8], "z", "a"]})
    with pytest.raises(DataError, match=f"edges{form} row 9: weight -1.0. Weights must be finite"):
        read({"weight": [1.0] * 7 + [-1.0] * 3})
    dropped = read({"source": [*source[:8], "z", "y"], "weight": [float(i) for i in range(10)]},
                   unknown_nodes="drop")
    assert f"dropped 2 edges with an end that is not in nodes{form}" in dropped.notes
    assert dropped.edge_weight.tolist() == [6.0, 8.0, 2.0, 3.0, 4.0, 5.0]
    with pytest.raises(DataError, match=f"none of the 10 edges joins two nodes of nodes{form} .*'a', .*'y'"):
        read({"source": ["y"] * 10}, unknown_nodes="drop")


@pytest.mark.usefixtures("in_tiny_pieces")
def test_faults_of_text_files_are_named_by_their_row(tmp_path):
    path = tmp_path / "edges.csv"
    good = "s,t,weight\n" + "a,b,1\n" * 30
    for bad, message in (
        ("a,b,1,2\n", "edges.csv row 32: 4 values where the header has 3 columns"),
        ("\xff,b,1\n", "edges.csv row 32: not UTF-8"),
        ("a,b,heavy\n", "edges.csv: column 'weight' must hold numbers; row 32 has 'heavy'"),
        ("a,b,NA\n", "edges.csv row 32: weight is missing"),
    ):
        path.write_bytes((good + bad).encode("latin-1"))
        with pytest.raises(DataError, match=message):
            read_graph(path)


@pytest.mark.usefixtures("in_tiny_pieces")
def test_integers_of_text_files_are_found_out_at_the_end(tmp_path):
    numbers = [str(i) for i in range(30, 60)]
    edges = write(tmp_path / "edges.csv", {"s": numbers, "t": numbers[::-1]})
    assert read_graph(edges).ids[0] == 30
    nodes = write(tmp_path / "nodes.csv", {"id": numbers, "x": numbers})
    assert read_graph(edges, nodes).ids[0] == 30
    edges = write(tmp_path / "edges.csv", {"s": numbers, "t": [*numbers[1:], "007"]})
    assert read_graph(edges).ids[0] == "30"
    assert read_graph(edges, nodes, unknown_nodes="drop").ids[0] == "30"


def test_node_columns_are_read_in_few_passes(tmp_path, monkeypatch):
    monkeypatch.setattr(streams, "GROUP", 1)
    stream = TableStream.open(write(tmp_path / "n.csv", {f"c{i}": [i] for i in range(20)}), "nodes")
    groups = [part.columns for part in stream.read_in_groups(stream.columns)]
    assert [name for group in groups for name in group] == stream.columns
    assert len(groups) <= streams.PASSES
    monkeypatch.setattr(streams, "GROUP", 1 << 20)
    assert len(list(stream.read_in_groups(stream.columns))) == 1


# Bytes that reading takes however small the table is; they vary with how far threads read ahead.
FIXED = 100e6

MEASURE = """
import sys
from pathlib import Path
from halflabel.convert import read_graph

def status(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(name))

small, edges, nodes = sys.argv[1:]
read_graph(small)  # loads the libraries
base = status("VmRSS")
graph = read_graph(edges, nodes)
final = sum(a.nbytes for a in (graph.indptr, graph.indices, graph.X, graph.ids.values))
print(graph.n_edges, final, status("VmHWM") - base)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("form", [".parquet", ".csv"])
def test_memory_is_bounded_by_the_graph(tmp_path, form):
    """Two million edges between few nodes: the tables would take eight times the graph."""
    count, n = 2_000_000, 100_000
    rng = np.random.default_rng(0)
    ids = pa.array([f"user-{i:07d}" for i in range(n)])
    write_large(tmp_path / f"edges{form}", {
        name: ids.take(pa.array(rng.integers(n, size=count))) for name in ("source", "target")})
    write_large(tmp_path / f"nodes{form}", {"id": ids} | {
        f"f{i}": pa.array(rng.normal(size=n).astype(np.float32)) for i in range(40)})
    write_large(tmp_path / f"small{form}", {"source": ids[:4], "target": ids[4:8]})
    paths = [str(tmp_path / f"{name}{form}") for name in ("small", "edges", "nodes")]
    run = subprocess.run([sys.executable, "-c", MEASURE, *paths], capture_output=True, text=True, check=True)
    edges, final, peak = map(int, run.stdout.split())
    assert edges > 0.99 * count
    assert peak < 2.5 * final + FIXED, f"{peak / final:.2f} times the graph"


def write_large(path, columns):
    table = pa.table(columns)
    if path.suffix == ".csv":
        pyarrow.csv.write_csv(table, path)
    else:
        pyarrow.parquet.write_table(table, path)
