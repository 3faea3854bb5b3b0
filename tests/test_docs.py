"""Every command on every page is run, or says why not; every table of these pages is the measured one."""

import csv
import json
import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.main import get_command

from halflabel.cli.app import app
from halflabel.datasets import write_payments

ROOT = Path(__file__).parents[1]
# README first: its fit leaves run/, which later commands look into.
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
# <!-- not run: REASON --> or <!-- run by tests/FILE.py --> may stand before a block of commands.
BLOCK = re.compile(r"(?:<!-- (not run: \S[^>]*|run by \S+) -->\n)?^ *```(\w*)\n(.*?)^ *```",
                   flags=re.DOTALL | re.MULTILINE)
SHELLS = ("console", "text", "sh", "bash", "")
PROGRAM = re.compile(r"(?:\$ )?((?:halflabel|torchrun|make|pip|python|srun|sbatch) .*)")
# Commands in plain blocks, which are not run: what they begin with, and why.
NOT_RUN = {
    "make": "installs an environment; .ci/run does it",
    "halflabel bench": "takes hours; tests/cli/test_bench.py runs small ones",
    "torchrun --nnodes": "needs several machines",
    "sbatch": "needs a Slurm cluster",
    "srun": "needs a Slurm cluster",
}


class Command(NamedTuple):
    page: str
    line: str
    remark: str
    language: str


def commands(page):
    """Lines with a program at their beginning, in fenced blocks and in indented ones."""
    text = page.read_text(encoding="utf-8")
    for remark, language, body in BLOCK.findall(text):
        if language in SHELLS:
            lines = re.sub(r"\\\n\s*", "", body).splitlines()
            yield from (Command(page.name, line, remark, language) for line in map(as_command, lines) if line)
    indented = (line for line in BLOCK.sub("", text).splitlines() if line.startswith("    "))
    yield from (Command(page.name, line, "", "") for line in map(as_command, indented) if line)


def as_command(line):
    """Without prompt and comment, or None if it is something else."""
    found = PROGRAM.fullmatch(line.strip())
    return found and re.split(r"\s+# ", found[1])[0].strip()


ALL = [command for page in PAGES for command in commands(page)]


@pytest.mark.filterwarnings("default")
def test_commands_are_run_or_say_why_not(tmp_path, monkeypatch, capsys, short_fits):
    """In a directory with the files of the example: every command once, in the order of the pages."""
    write_payments(tmp_path)
    monkeypatch.chdir(tmp_path)
    wanted = [command for command in ALL if command.language == "console" and not command.remark]
    lines = dict.fromkeys(command.line for command in wanted)
    assert len(lines) >= 6
    for line in lines:
        program, *arguments = shlex.split(line)
        where = sorted({command.page for command in wanted if command.line == line})
        assert program == "halflabel", f"{where}: {line!r}: put <!-- not run: REASON --> before the block"
        with pytest.raises(SystemExit) as end:
            app(arguments, prog_name="halflabel")
        assert not end.value.code, f"{where}: {line}\n{capsys.readouterr()}"
    assert (tmp_path / "run" / "report.html").exists()


def test_what_is_run_elsewhere_is_run_there():
    remarks = {command.remark for command in ALL if command.remark.startswith("run by ")}
    assert remarks
    assert [place for place in remarks if not (ROOT / place.removeprefix("run by ")).is_file()] == []


def test_commands_outside_of_console_blocks_have_a_reason():
    left = [f"{command.page}: {command.line}" for command in ALL
            if command.language != "console" and not command.line.startswith(tuple(NOT_RUN))]
    assert left == [], "make them ```console blocks, or say in NOT_RUN why they are not run"


def mentioned():
    """Everything that looks like a call of ours, in running text as well."""
    for page in PAGES:
        text = " ".join(page.read_text(encoding="utf-8").split())
        yield from ((page.name, found) for found in re.findall(r"`(halflabel [a-z][^`]*)`", text))
    yield from ((command.page, command.line) for command in ALL if command.line.startswith("halflabel "))


def test_commands_and_options_exist():
    known, wrong = get_command(app).commands, []
    for page, line in mentioned():
        name, *rest = line.removeprefix("halflabel ").split()
        if name not in known:
            wrong.append(f"{page}: {line}")
            continue
        options = {option for parameter in known[name].params
                   for option in (*parameter.opts, *parameter.secondary_opts)}
        wrong += [f"{page}: {line}: {word}" for word in rest if re.match(r"--?[a-z]", word)
                  and word.split("=")[0] not in options]
    assert wrong == []


def rows_of(page):
    lines = (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()
    rows = (line.strip("|").split("|") for line in lines if line.startswith("|"))
    return [[cell.strip(" *`") for cell in row] for row in rows]


def measured(*names):
    cells = {}
    for name in names:
        with (ROOT / f"benchmarks/paper/results/{name}.csv").open(newline="", encoding="utf-8") as stream:
            for row in csv.DictReader(stream):
                cells.setdefault((row["row"], row["dataset"]), row["mean"])
    return cells


METHODS = {
    "auto": "Auto", "gpl": "GPL", "ted`, perceptron": "MLP+TED", "ted": "GCN+TED",
    "naive": "balanced P-vs-U, GCN",
    "nnpu": "GCN+nnPU", "naive`, perceptron": "balanced P-vs-U, MLP", "labelprop": "label propagation",
    "grab": "GRAB", "everybody positive": "all positive"}


def test_the_table_of_methods_is_the_measured_one():
    cells, rows = measured("auto", "methods"), rows_of("choosing.md")
    start = next(i for i, row in enumerate(rows) if row[0] == "method")
    graphs, found = rows[start][1:-1], rows[start + 2:]
    assert [row[0] for row in found] == list(METHODS)
    for name, *values, mean in found:
        exact = [float(cells[METHODS[name], graph]) for graph in graphs]
        assert values == [f"{value:.1f}" for value in exact], name
        assert mean == f"{sum(exact) / len(exact):.1f}"
    behind = [max(float(row[place]) for row in found) - float(found[0][place]) for place in range(1, 11)]
    assert max(behind) == 0  # `auto` is the best on every graph, as the page says


def test_the_ablations_of_gpl_are_the_measured_ones():
    cells, rows = measured("table3"), rows_of("gpl.md")
    start = next(i for i, row in enumerate(rows) if row[1:3] == ["cora", "cornell"])
    for name, *values in rows[start + 2:]:
        assert values == [f"{float(cells[name, graph]):.1f}" for graph in rows[start][1:]], name


BIASES = {"at random": ("none", 1), "chargebacks, 10": ("feature", 10), "chargebacks, 100": ("feature", 100),
          "degree, 10": ("degree", 10), "degree, 100": ("degree", 100), "nearness, 10": ("nearness", 10),
          "nearness, 100": ("nearness", 100)}


def test_what_biased_labels_do_is_the_measured():
    content = json.loads((ROOT / "benchmarks/assumptions/results/biased-labels.json").read_text())
    results = {(row["method"], row["graph"], row["bias"], row["times"]): row for row in content["rows"]}
    printed = [row for row in rows_of("assumptions.md") if row[0] in ("gpl", "auto")]
    assert len(printed) == len(results)
    for method, graph, bias, *numbers in printed:
        row = results[method, graph, *BIASES[bias]]
        assert row["fits"] == 5
        three = [f"{row[key]:.3f}" for key in ("prior", "true_prior", "f1", "average_precision")]
        two = [f"{row[key]:.2f}" for key in ("expected_recall", "recall")]
        assert numbers == [*three[:2], f"{row['holds']} of 5", *three[2:], *two, f"{row['doubted']} of 5"]


@pytest.mark.parametrize("page", [page.name for page in PAGES])
def test_remarks_on_commands_are_spelled_right(page):
    text = next(path for path in PAGES if path.name == page).read_text(encoding="utf-8")
    for remark in re.findall(r"<!-- .*? -->", text):
        assert re.fullmatch(r"<!-- (not run: \S.*|run by tests/\S+\.py) -->", remark), remark
