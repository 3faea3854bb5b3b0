"""docs/scale.md: the commands for one machine are run as they stand there."""

import json
import os
import re
import subprocess
import sys
from inspect import signature
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import halflabel as hl
from halflabel.cli import options
from halflabel.cli.fit import fit
from halflabel.datasets import write_payments

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text(encoding="utf-8")
MODULES = {"halflabel": ["halflabel"], "torchrun": ["torch.distributed.run"]}


@pytest.mark.slow
def test_one_machine(tmp_path):
    write_payments(tmp_path)
    (block,) = re.findall(r"```console\n(.*?)```", PAGE, flags=re.DOTALL)
    commands = [line.removeprefix("$ ").split() for line in block.splitlines()]
    assert [command[0] for command in commands] == ["halflabel", "torchrun"]
    for program, *arguments in commands:
        subprocess.run([sys.executable, "-m", *MODULES[program], *arguments], cwd=tmp_path, check=True,
                       timeout=240, env={**os.environ, "OMP_NUM_THREADS": "1"})
    graph = hl.read_graph(tmp_path / "edges.csv", nodes=tmp_path / "nodes.csv")
    alone = hl.Auto().fit(graph, tmp_path / "known.txt")
    rows = pq.read_table(tmp_path / "run" / "scores.parquet").to_pylist()
    found = {row["id"]: row["score"] for row in rows}
    in_order = [found[name] for name in graph.ids.to_arrow().to_pylist()]
    np.testing.assert_allclose(in_order, alone.scores_, atol=1e-3)
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["prior"] == pytest.approx(alone.prior_, abs=1e-4)
    weights = pq.read_table(tmp_path / "run" / "edges.parquet")
    assert weights.num_rows == graph.n_edges
    again = hl.load(tmp_path / "run" / "model")
    fresh = hl.read_graph(tmp_path / "edges.csv", nodes=tmp_path / "nodes.csv")
    np.testing.assert_allclose(again.decision_function(fresh), alone.decision_function(), atol=1e-3)


def test_options_are_explained():
    shared = [name for name, parameter in signature(fit, eval_str=True).parameters.items()
              if parameter.annotation.__metadata__[0].rich_help_panel == options.PROCESSES]
    assert len(shared) == 2
    assert all(f"--{name.replace('_', '-')}" in PAGE for name in (*shared, "resume", "checkpoint_every"))
