"""Peak memory of fits, to learn the estimate from and to judge it by.

    python benchmarks/trust/memory.py measure     a process for each fit; adds to results/memory.jsonl
    python benchmarks/trust/memory.py learn       writes src/halflabel/memory/footprint.json
    python benchmarks/trust/memory.py judge       graphs of other shapes; writes results/memory.json

Random graphs of 1 to 6 million stored edges, with dense or sparse features, few or many nodes; epochs are as
few as a method allows, because every epoch needs the same memory. What counts is the most that the process
had during the fit, less what it had before, graph and libraries and all.
"""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import nnls

sys.path.insert(0, str(Path(__file__).parents[1]))
from machine import describe_machine, write_json

LEARNED = Path(__file__).parents[2] / "src" / "halflabel" / "memory" / "footprint.json"
RAW = Path(__file__).parent / "results" / "memory.jsonl"
# Nodes, stored edges, features a node, and whether they are sparse; edges and features are varied apart.
SHAPES = [(50_000, 1_200_000, 16, False), (200_000, 1_200_000, 16, False), (100_000, 4_000_000, 16, False),
          (100_000, 1_200_000, 200, False), (60_000, 1_200_000, 500, True), (300_000, 3_000_000, 50, False),
          (150_000, 2_000_000, 100, True)]
NEW = [(250_000, 2_500_000, 30, False), (80_000, 5_000_000, 64, False), (120_000, 1_500_000, 300, True),
       (1_000_000, 10_000_000, 16, False)]
WIDER = [{"folds": 1}, {"hidden": 32}]
BACKBONES = ("mlp", "hops", "gat", "arma", "appnp")
SAME = {"naive+gcn": "naive", "naive+gcn_head": "naive", "naive+lsdan": "lsdan"}  # the same network
SHORT = {"epochs": 2, "warmup": 2, "iterations": 1, "label_epochs": 2, "rounds": 1}


def cases() -> list[dict[str, Any]]:
    import halflabel as hl

    found = [{"method": name, "shape": shape, "parameters": {}}
             for name, shape in product(hl.methods(), SHAPES)]
    found += [{"method": name, "shape": SHAPES[0], "parameters": more}
              for name, more in product(("naive", "gpl"), WIDER)]
    found += [{"method": "naive", "shape": shape, "parameters": {"backbone": backbone}}
              for backbone, shape in product(BACKBONES, [*SHAPES[:4], SHAPES[5]])]
    found += [{"method": name, "shape": shape, "parameters": {"batch_size": 1024}}
              for name, shape in product(("naive", "gpl"), SHAPES[:4])]
    found += [{"method": name, "shape": shape, "parameters": {}}
              for shape, name in product(NEW[:3], ("gpl", "naive", "nnpu", "grab", "labelprop", "auto"))]
    return found + [{"method": name, "shape": NEW[3], "parameters": {}} for name in ("naive", "gpl")]


def graph_of(shape: tuple[int, int, int, bool]) -> tuple[Any, np.ndarray]:
    import halflabel as hl

    nodes, edges, features, is_sparse = shape
    bare, y = hl.synthetic(nodes, degree=edges / nodes, features=0 if is_sparse else features)
    if not is_sparse:
        return bare, y
    X = sparse.random_array((nodes, features), density=0.05, format="csr", dtype=np.float32,
                            rng=np.random.default_rng(0))
    source = np.repeat(np.arange(nodes), np.diff(bare.indptr))
    return hl.Graph.from_edges(source, bare.indices, X), y


def status(key: str) -> int:
    """A line of /proc/self/status, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))


def measure_one(case: dict[str, Any]) -> dict[str, Any]:
    """In a process of its own: bytes at the peak of the fit above those before it."""
    import halflabel as hl
    from halflabel import base
    from halflabel.memory.footprint import shape_of

    warnings.simplefilter("ignore")
    base.check_room = lambda *_: None  # which needs what is measured here
    defaults = hl.Naive.__init__.__kwdefaults__
    assert defaults is not None
    defaults["epochs"] = 2  # it also serves others, which estimate the prior by it
    cls = hl.methods()[case["method"]]
    able = cls().get_params()
    model = cls(**{name: value for name, value in SHORT.items() if name in able}, **case["parameters"])
    graph, y = graph_of(case["shape"])
    known = hl.hide_positives(y, positive_class=1)
    before = status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # forgets the peak so far
    shape = shape_of(model, graph)
    model.fit(graph, known)
    return {**case, "sizes": shape.terms(), "before": before, "bytes": status("VmHWM") - before}


def measure() -> None:
    """All cases that are not in the file yet."""
    RAW.parent.mkdir(exist_ok=True)
    lines = RAW.read_text().splitlines() if RAW.exists() else []
    done = {json.dumps({k: row[k] for k in ("method", "shape", "parameters")})
            for row in map(json.loads, lines)}
    for case in cases():
        key = json.dumps(case)
        if key in done:
            continue
        ran = subprocess.run([sys.executable, __file__, "one", key], capture_output=True, text=True,
                             check=False)
        if ran.returncode:
            print(key, ran.stderr.splitlines()[-1:], flush=True)
            continue
        print(ran.stdout.strip(), flush=True)
        with RAW.open("a") as stream:
            stream.write(ran.stdout)


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RAW.read_text().splitlines()]


def key_of(row: dict[str, Any]) -> str:
    """Whose numbers a row is about: a method, a backbone of Naive, or mini-batches."""
    parameters = row["parameters"]
    if "batch_size" in parameters:
        return f"{row['method']}+batches"
    return f"{row['method']}+{parameters['backbone']}" if "backbone" in parameters else row["method"]


def bytes_a_unit(some: list[dict[str, Any]]) -> dict[str, float]:
    """Of every size, none negative, with the least relative errors."""
    names = list(some[0]["sizes"])
    A = np.array([[row["sizes"][name] / row["bytes"] for name in names] for row in some])
    scale = A.max(axis=0)
    scale[scale == 0] = 1.0  # no sparse features among these rows
    return dict(zip(names, np.round(nnls(A / scale, np.ones(len(A)))[0] / scale, 3).tolist(), strict=True))


def learn() -> None:
    """From all rows but those of new shapes."""
    seen = [row for row in rows() if tuple(row["shape"]) not in NEW]
    found = {key: bytes_a_unit([row for row in seen if key_of(row) == key])
             for key in dict.fromkeys(map(key_of, seen))}
    write_json(LEARNED, found | {key: found[same] for key, same in SAME.items()})


def judge() -> None:
    """Fits to graphs that nothing was learned from: the peak of the fit, and of the whole process."""
    learned, judged = json.loads(LEARNED.read_text()), []
    for row in rows():
        if tuple(row["shape"]) not in NEW:
            continue
        told = sum(learned[key_of(row)][name] * size for name, size in row["sizes"].items())
        judged.append({"case": key_of(row), "shape": row["shape"], "megabytes": row["bytes"] >> 20,
                       "estimate": round(told) >> 20, "error": round(told / row["bytes"] - 1, 3),
                       "error_of_all": round((told - row["bytes"]) / (row["before"] + row["bytes"]), 3)})
        print(*judged[-1].values())
    worst = {key: max(abs(row[key]) for row in judged) for key in ("error", "error_of_all")}
    print(worst)
    write_json(RAW.with_name("memory.json"), {"machine": describe_machine(threads=1), "largest": worst,
                                              "judged": judged})


if __name__ == "__main__":
    if sys.argv[1] == "one":
        print(json.dumps(measure_one(json.loads(sys.argv[2]))))
    else:
        {"measure": measure, "learn": learn, "judge": judge}[sys.argv[1]]()
