"""What README and docs show is true: code runs, commands exist, tables are the measured ones."""

import csv
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import halflabel as hl

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
README = PAGES[0].read_text(encoding="utf-8")


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


CODE = {page.name: code for page in PAGES if (code := blocks("python", page.read_text(encoding="utf-8")))}


def run_blocks(page: str) -> None:
    """A page's blocks run one after another, each with names of its own."""
    for place, code in enumerate(CODE[page]):
        exec(compile(code, f"{page}, block {place + 1}", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("page", CODE)
def test_python_runs_with_short_fits(page, tmp_path, monkeypatch):
    """What short fits find does not matter: the code is the same."""
    monkeypatch.chdir(tmp_path)
    for method in hl.methods().values():
        defaults = method.__init__.__kwdefaults__
        for name in defaults.keys() & {"warmup", "epochs"}:
            monkeypatch.setitem(defaults, name, 10)
    run_blocks(page)


@pytest.mark.slow
@pytest.mark.parametrize("page", CODE)
def test_python_runs_as_it_is(page, tmp_path):
    runner = f"from {__name__} import run_blocks; run_blocks({page!r})"
    subprocess.run([sys.executable, "-c", runner], cwd=tmp_path, check=True, timeout=400,
                   env={**os.environ, "PYTHONPATH": str(ROOT)})


def test_memory_of_reading_is_the_measured_one():
    rows = json.loads((ROOT / "benchmarks/speed/results/reading.json").read_text())["rows"]
    ratio = {(row["reader"], row["form"]): row["ratio"] for row in rows if row["edges_in_table"] == 10**7}
    text = " ".join((ROOT / "docs" / "data.md").read_text(encoding="utf-8").split())
    ours, theirs = ([ratio[who, form] for form in ("parquet", "csv")] for who in ("halflabel", "pandas"))
    assert f"{ours[0]:.1f} times the graph from Parquet, {ours[1]:.1f} times from CSV" in text
    assert f"take {theirs[0]:.0f} and {theirs[1]:.0f} times the graph" in text
    assert max(ours) <= 2.5
    largest = {row["form"]: row["ratio"] for row in rows if row["edges_in_table"] == 10**8}
    parquet, table = largest["parquet"], largest["csv"]
    assert f"10^8 edges take {parquet:.1f} times the graph from Parquet and {table:.1f} from CSV" in text


def test_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"make ([a-z-]+)", README + (ROOT / "CONTRIBUTING.md").read_text()))
    assert {"demo", "test"} <= targets
    assert all(re.search(rf"^{target}:", makefile, flags=re.MULTILINE) for target in targets)


def test_the_table_is_the_measured_one():
    with (ROOT / "benchmarks/paper/results/auto.csv").open(newline="", encoding="utf-8") as stream:
        cells = {(row["row"], row["dataset"]): row for row in csv.DictReader(stream)}
    printed = {line.split("|")[1].strip(): line for line in README.splitlines() if line.startswith("| ")}

    def mean(row, graph):
        return float(cells[row, graph]["mean"])

    for graph in sorted({graph for _, graph in cells} - {"wikics"}):
        auto = cells["Auto", graph]
        assert auto["splits"] == "5"
        floor, ceiling = (max(mean(f"{name}, {net}", graph) for net in ("GCN", "MLP"))
                          for name in ("balanced P-vs-U", "ceiling"))
        expected = [f"{float(auto['mean']):.1f} ± {float(auto['sd']):.1f}", f"{mean('GPL', graph):.1f}",
                    f"{float(auto['published']):.1f}", f"{floor:.1f}", f"{ceiling:.1f}",
                    f"{mean('all positive', graph):.1f}"]
        assert [cell.strip(" *") for cell in printed[graph].replace("**", "").split("|")[2:-1]] == expected


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def rows_of(page: str) -> dict[str, list[str]]:
    """Cells of every table row, by the first cell; signs and dots as numbers are written."""
    lines = (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()
    rows = (line.strip("|").split("|") for line in lines if line.startswith("|"))
    return {first.strip(" *`"): [cell.strip(" *`") for cell in rest] for first, *rest in rows}


def test_priors_of_auto_are_the_measured_ones():
    found = defaultdict(list)
    with (ROOT / "benchmarks/paper/results/results.jsonl").open(encoding="utf-8") as stream:
        for result in map(json.loads, stream):
            settings = result["settings"]
            if (settings.get("method"), settings.get("ratio"), result["status"]) == ("auto", 0.5, "done"):
                found[result["dataset"]].append(result["metrics"])
    rows, errors, held = rows_of("auto.md"), [], 0
    for graph, splits in found.items():
        prior, true, error, calibration = (
            np.mean([split[name] for split in splits])
            for name in ("prior", "true_prior", "prior_error", "calibration_error"))
        covered = sum(split["prior_low"] <= split["true_prior"] <= split["prior_high"] for split in splits)
        assert rows[graph] == [
            f"{prior:.3f}", f"{true:.3f}", f"{error:.3f}", f"{covered} of 5", f"{calibration:.3f}"]
        errors.append(error)
        held += covered
    text = (ROOT / "docs" / "auto.md").read_text(encoding="utf-8")
    assert f"errs by {np.mean(errors):.3f} on average" in text
    assert f"in {held} of 45 fits" in text


def test_contributions_to_auto_are_the_measured_ones():
    study = json.loads((ROOT / "benchmarks/auto/results/study.json").read_text())
    measured = {(row["variant"], row["graph"]): 100 * row["f1"] for row in study["rows"]}
    lines = (ROOT / "docs" / "auto-study.md").read_text(encoding="utf-8").splitlines()
    header = next(line for line in lines if line.endswith("| mean | AP |"))
    graphs, rows = [cell.strip() for cell in header.split("|")[2:-3]], rows_of("auto-study.md")
    for variant in {variant for variant, _ in measured if not variant.endswith("alone")}:
        whole = 0.0 if variant == "Auto" else 1.0
        for graph, cell in zip(graphs, rows[variant], strict=False):
            if cell:
                expected = measured[variant, graph] - whole * measured["Auto", graph]
                assert float(cell) == pytest.approx(expected, abs=0.051), (variant, graph)


def test_errors_of_two_views_are_the_measured_ones():
    results = json.loads((ROOT / "benchmarks/priors/results/two-view.json").read_text())
    measured = {row["estimate"]: row for row in results["rows"]}
    for printed, name in (("two views", "combined"), ("bbe` on a GCN", "bbe on gcn")):
        *bias, error = [float(cell) for cell in rows_of("priors.md")[printed]]
        assert bias == pytest.approx(list(measured[name]["bias"].values()), abs=6e-4)
        assert error == pytest.approx(measured[name]["mean_absolute_error"], abs=6e-4)


def test_verdicts_are_the_measured_ones():
    splits = json.loads((ROOT / "benchmarks/priors/results/diagnosis.json").read_text())["rows"]
    table = rows_of("priors.md")
    for column, name in enumerate(dict.fromkeys(split["graph"] for split in splits)):
        own = [split for split in splits if split["graph"] == name]
        assert int(table["trusted, of five"][column]) == sum(split["verdict"] == "trust" for split in own)
        for printed, key in (("estimated prior", "prior"), ("expected share of P-N edges", "heterophily")):
            mean = sum(split[key] for split in own) / len(own)
            assert float(table[printed][column]) == pytest.approx(mean, abs=6e-4)
