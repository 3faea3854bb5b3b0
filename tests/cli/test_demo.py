"""halflabel demo, once for real and once more over itself."""

import json
import re
import time

import pyarrow.parquet
import pytest


def test_the_demo(halflabel, tmp_path):
    start = time.process_time()  # of this process: others may keep the machine busy
    outcome = halflabel("demo", "--out", tmp_path / "demo")
    assert outcome.code == 0
    assert time.process_time() - start < 60
    said = re.search(r"(\d+) of 100 are among the (\d+) flagged accounts", outcome.out)
    assert said
    assert int(said[1]) >= 60
    record = json.loads((tmp_path / "demo" / "run" / "run.json").read_text())
    assert record["counts"]["flagged"] == int(said[2])
    assert "5.2 % in truth" in outcome.out
    first = pyarrow.parquet.read_table(tmp_path / "demo" / "run" / "scores.parquet")["id"][0].as_py()
    assert re.search(rf"1 +{first} +\S+ +yes +(fraud|honest)", outcome.out)
    assert str(tmp_path / "demo" / "run") in outcome.out
    assert "halflabel fit edges.csv --nodes nodes.csv --positives known.txt --out run/" in outcome.out


@pytest.mark.usefixtures("short_fits")
def test_the_demo_can_be_repeated_but_overwrites_nothing_else(halflabel, tmp_path):
    out = tmp_path / "demo"
    assert halflabel("demo", "--out", out).code == 0
    assert halflabel("demo", "--out", out).code == 0
    (out / "input" / "edges.csv").write_text("mine")
    outcome = halflabel("demo", "--out", out)
    assert outcome.code == 3
    assert "is not the demo's input" in outcome.err
    assert (out / "input" / "edges.csv").read_text() == "mine"
