"""Options nobody would give on purpose: a message and exit code 2 or 3, or an answer; never a traceback."""

import os
import warnings

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from halflabel.cli.app import app

COUNT = int(os.environ.get("HALFLABEL_FUZZ", "1500")) // 50
NONSENSE = (
    "", " ", "nan", "-nan", "inf", "-1", "0", "1", "1e-400", "1e400", "0x1", "1_0", "٣", "None", "auto",
    "../..", "a,b", ",", "\n", "é", "x" * 5000, str(2**31), str(2**32), str(2**63), str(2**64), "1" * 400,
    "[red]x[/red]", "--", "-")
GOALS = ("budget", "precision", "cost", "f1", "prior", "", "nobody")
CHOICES = {
    "--prior": ("bbe", "two_view", "0.1", "0.999999"), "--seed": ("7",), "--method": ("naive",),
    "--backbone": ("mlp",), "--batch-size": ("8",), "--source": ("source", "target", "weight"),
    "--target": ("source", "target", "weight"), "--weight": ("source", "target", "weight"),
    "--id": ("id", "age"), "--features": ("age", "age,age", "id"),
    "--ignore": ("age", "id", "age,size"), "--missing": ("mean",),
    "--unknown-nodes": ("drop",), "--threshold": (), "--checkpoint-every": ("1",), "--nodes": (),
    "--positives": (), "--patience": ("1",)}
thresholds = st.tuples(st.sampled_from(GOALS), st.sampled_from(NONSENSE)).map(":".join)
given_options = st.lists(st.sampled_from(sorted(CHOICES)).flatmap(lambda option: st.tuples(
    st.just(option), thresholds if option == "--threshold" else st.sampled_from(NONSENSE + CHOICES[option]))),
    min_size=1, max_size=3)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("options")
    (place / "edges.csv").write_text("source,target,weight\n" + "".join(
        f"{i},{(i * i + 1) % 20},{i + 1}\n{i},{(i + 1) % 20},2\n" for i in range(20)))
    people = "".join(f"{i},{i % 7},{i * 3 % 5}\n" for i in range(20))
    (place / "nodes.csv").write_text(f"id,age,size\n{people}")
    (place / "known.txt").write_text("".join(f"{i}\n" for i in range(5)))
    return place


@settings(max_examples=COUNT, derandomize="HALFLABEL_FUZZ" not in os.environ, database=None, deadline=None,
          suppress_health_check=list(HealthCheck), phases=[Phase.generate, Phase.shrink])
@given(options=given_options, command=st.sampled_from(["check", "check", "fit"]))
def test_nonsense_is_no_traceback(place, options, command):
    edges, nodes, known = (str(place / name) for name in ("edges.csv", "nodes.csv", "known.txt"))
    files = [edges, "--nodes", nodes, "--positives", known]
    fit = ["--method", "labelprop", "--out", str(place / "run")]
    arguments = [command, *files, *(fit if command == "fit" else ["--files-only"])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        words = [word for option in options for word in option]
        ended = CliRunner().invoke(app, [*arguments, *words])
    if ended.exception is not None and not isinstance(ended.exception, SystemExit):
        raise ended.exception
    assert ended.exit_code in (0, 2, 3), ended.output
    assert "Traceback" not in ended.output
