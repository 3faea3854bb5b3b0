"""What reading a large edge table costs: seconds, and memory in multiples of the graph that comes out.

Tables have ten edges a node, text ids such as user-0001234, and two features. Each reading is a process of
its own that has read a table of three edges before, so that libraries are loaded; what is reported is the
most memory above that. The rival is what a user would write: pandas, factorize, and scipy's tocsr().

    python benchmarks/speed/reading.py            # 10^6 and 10^7 edges
    python benchmarks/speed/reading.py --largest  # and 10^8, without the rival: some 8 GB of disk
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

sys.path.insert(0, str(Path(__file__).parents[1]))
from machine import describe_machine, write_json

DEGREE, CHUNK = 10, 500_000
SIZES, LARGEST, RIVAL_LARGEST = (10**6, 10**7), 10**8, 10**7
EDGES = pa.schema([("source", pa.string()), ("target", pa.string())])
NODES = pa.schema([("id", pa.string()), ("age", pa.float32()), ("income", pa.float32())])
WAYS = [(reader, form) for form in ("parquet", "csv") for reader in ("halflabel", "pandas")]
WAYS += [("halflabel", "stored"), ("halflabel", "stored, unchecked")]


def write_tables(place: Path, edges: int) -> None:
    """Parquet and CSV, chunk by chunk."""
    rng, n = np.random.default_rng(0), max(3, edges // DEGREE)
    write(place / "edges", EDGES, ([names(rng.integers(n, size=size)) for _ in range(2)]
                                   for _, size in chunks(edges)))
    write(place / "nodes", NODES, ([names(np.arange(first, first + size)), *normal(rng, size)]
                                   for first, size in chunks(n)))


def chunks(rows: int) -> Iterator[tuple[int, int]]:
    return ((first, min(CHUNK, rows - first)) for first in range(0, rows, CHUNK))


def names(numbers: np.ndarray) -> pa.Array:
    return pa.array(np.char.add("user-", np.char.zfill(numbers.astype("U"), 7)))


def normal(rng: np.random.Generator, size: int) -> list[pa.Array]:
    return [pa.array(rng.normal(size=size).astype(np.float32)) for _ in range(2)]


def write(path: Path, schema: pa.Schema, columns: Iterator[list[pa.Array]]) -> None:
    with (pyarrow.parquet.ParquetWriter(path.with_suffix(".parquet"), schema) as parquet,
          pyarrow.csv.CSVWriter(path.with_suffix(".csv"), schema) as text):
        for arrays in columns:
            table = pa.table(arrays, schema=schema)
            parquet.write_table(table)
            text.write_table(table)


def with_halflabel(place: Path, form: str) -> dict[str, int]:
    import halflabel as hl

    if form.startswith("stored"):
        graph = hl.load_graph(place / "graph", check=form == "stored")
    else:
        graph = hl.read_graph(place / f"edges.{form}", place / f"nodes.{form}")
    parts = (graph.indptr, graph.indices, graph.X, graph.ids.values)
    return {"nodes": graph.n_nodes, "edges": graph.n_edges, "graph_bytes": sum(part.nbytes for part in parts)}


def with_pandas(place: Path, form: str) -> dict[str, int]:
    import pandas as pd
    from scipy.sparse import coo_matrix

    read = getattr(pd, f"read_{form}")
    edges = read(place / f"edges.{form}")
    codes, ids = pd.factorize(pd.concat([edges["source"], edges["target"]], ignore_index=True))
    source, target = codes[: len(edges)], codes[len(edges) :]
    del edges
    apart = source != target
    ends = source[apart], target[apart]
    ones = np.ones(len(ends[0]), dtype=bool)
    adjacency = coo_matrix((ones, ends), shape=(len(ids), len(ids))).tocsr()
    adjacency.sum_duplicates()
    X = read(place / f"nodes.{form}").set_index("id").reindex(ids).to_numpy(dtype=np.float32)
    return {"nodes": len(X), "edges": adjacency.nnz}


READERS: dict[str, Callable[[Path, str], dict[str, int]]] = {
    "halflabel": with_halflabel, "pandas": with_pandas}


def status(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(name))


def measure(reader: str, form: str, small: Path, place: Path) -> dict[str, Any]:
    """In this process, which should be a fresh one."""
    pa.set_cpu_count(1)
    READERS[reader](small, form)
    base, start = status("VmRSS"), time.perf_counter()
    found = READERS[reader](place, form)
    seconds = time.perf_counter() - start
    return {**found, "seconds": round(seconds, 3), "peak_bytes": status("VmHWM") - base}


def in_fresh_process(reader: str, form: str, small: Path, place: Path) -> dict[str, Any] | None:
    command = [sys.executable, __file__, "--measure", reader, form, str(small), str(place)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(run.stdout.splitlines()[-1]) if run.returncode == 0 else None


def store(place: Path) -> None:
    """As `halflabel convert` does, in a process of its own."""
    code = ("import sys, halflabel as hl; e, n, out = sys.argv[1:]; "
            "hl.save_graph(hl.read_graph(e, n), out)")
    tables = [str(place / f"{name}.parquet") for name in ("edges", "nodes")]
    subprocess.run([sys.executable, "-c", code, *tables, str(place / "graph")], check=True)


def compare(edges: int, small: Path, place: Path, rival: bool) -> Iterator[dict[str, Any]]:
    write_tables(place, edges)
    store(place)
    size = None
    for reader, form in WAYS:
        if reader != "halflabel" and not rival:
            continue
        row = {"edges_in_table": edges, "reader": reader, "form": form}
        if (found := in_fresh_process(reader, form, small, place)) is None:
            print(f"{edges:>11,} edges  {reader:9s} {form:17s}  failed", flush=True)
            yield row | {"failed": True}
            continue
        size = found.setdefault("graph_bytes", size)
        found["ratio"] = round(found["peak_bytes"] / found["graph_bytes"], 2)
        print(f"{edges:>11,} edges  {reader:9s} {form:17s}  {found['seconds']:8.2f} s   peak "
              f"{found['peak_bytes'] / 1e6:8.1f} MB, {found['ratio']:6.2f} times the graph of "
              f"{found['graph_bytes'] / 1e6:.1f} MB", flush=True)
        yield row | found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "reading.json")
    parser.add_argument("--largest", action="store_true", help="10^8 edges too")
    parser.add_argument("--place", type=Path, help="directory for the tables; temporary ones go into it")
    parser.add_argument("--measure", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        reader, form, small, place = arguments.measure
        print(json.dumps(measure(reader, form, Path(small), Path(place))))
        return
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(dir=arguments.place) as small:
        write_tables(Path(small), 3)
        store(Path(small))
        for edges in (*SIZES, *[LARGEST] * arguments.largest):
            with tempfile.TemporaryDirectory(dir=arguments.place) as place:
                rows += compare(edges, Path(small), Path(place), rival=edges <= RIVAL_LARGEST)
    write_json(arguments.out, {"machine": describe_machine(threads=1), "rows": rows})


if __name__ == "__main__":
    main()
