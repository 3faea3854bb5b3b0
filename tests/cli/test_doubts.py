"""What speaks against an answer stands beside it: on the terminal, in run.json and in the report."""

import json

from halflabel.datasets import write_payments


def test_doubts_are_told_recorded_and_reported(tmp_path, halflabel):
    write_payments(tmp_path)
    known = (tmp_path / "known.txt").read_text().splitlines()[:10]
    (tmp_path / "few.txt").write_text("\n".join(known))
    result = halflabel("fit", tmp_path / "edges.csv", "--nodes", tmp_path / "nodes.csv", "--positives",
                       tmp_path / "few.txt", "--method", "naive", "--epochs", 3, "--out", tmp_path / "run")
    assert result.code == 0
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["doubts"][0].startswith("Only 10 positives are known")
    assert "Only 10 positives are known" in result.out
    assert "Only 10 positives are known" in (tmp_path / "run" / "report.html").read_text()
