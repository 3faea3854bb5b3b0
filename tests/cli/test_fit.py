"""halflabel fit: from files to a run directory, and every refusal."""

import csv
import json

import pyarrow.parquet
import pytest

import halflabel as hl
from halflabel.run.destination import RUN_FILES

STRANGE = [
    "a,b", 'say "hi"', "<script>alert(1)</script>", "007", "[bold]x[/bold]", "two\nlines", "esc\x1b[31m"]

pytestmark = pytest.mark.usefixtures("short_fits")


@pytest.fixture
def out(tmp_path):
    return tmp_path / "run"


def test_fit_writes_and_says_everything(halflabel, arguments, out):
    outcome = halflabel("fit", *arguments, "--out", out)
    assert outcome.code == 0
    assert {path.name for path in out.iterdir()} == RUN_FILES
    assert "8 known positives, 32 unlabelled nodes" in outcome.out
    assert "columns standardised: 3 features" in outcome.out
    assert "of the 32 unlabelled nodes are positive" in outcome.out
    assert "90 % interval" in outcome.out
    assert str(out) in outcome.out
    assert "fitting Auto" in outcome.err
    assert hl.load(out / "model").get_params()["verbose"] is False


def test_strange_ids_survive_in_every_file(halflabel, arguments, out):
    outcome = halflabel("fit", *arguments, "--out", out)
    with (out / "scores.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    table = pyarrow.parquet.read_table(out / "scores.parquet").to_pylist()
    assert [row["id"] for row in rows] == [row["id"] for row in table]
    assert {row["id"] for row in rows} >= set(STRANGE)
    edges = pyarrow.parquet.read_table(out / "edges.parquet")
    assert {*edges["source"].to_pylist(), *edges["target"].to_pylist()} >= set(STRANGE)
    page = (out / "report.html").read_text()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "[bold]x[/bold]" in page
    assert "\x1b" not in outcome.out


def test_ids_are_not_markup_on_the_terminal(halflabel, arguments, out, monkeypatch):
    monkeypatch.setattr("halflabel.cli.fitting.SHOWN", 40)
    shown = halflabel("fit", *arguments, "--out", out).out
    for text in ("a,b", 'say "hi"', "<script>", "007", "[bold]x[/bold]", "two\\nlines", "esc\\x1b[31m"):
        assert text in shown


def test_record(halflabel, arguments, files, out):
    options = ["--seed", 3, "--prior", 0.25, "--method", "gpl", "--backbone", "mlp"]
    halflabel("fit", *arguments, "--out", out, *options)
    record = json.loads((out / "run.json").read_text())
    assert (record["prior"], record["seed"], record["method"]) == (0.25, 3, "gpl")
    assert record["parameters"]["backbone"] == "mlp"
    assert record["data"]["edges"]["path"] == str(files / "edges.csv")
    assert len(record["data"]["positives"]["sha256"]) == 64


def test_mini_batches(halflabel, arguments, out):
    outcome = halflabel("fit", *arguments, "--out", out, "--method", "naive", "--batch-size", 16)
    assert outcome.code == 0
    assert json.loads((out / "run.json").read_text())["parameters"]["batch_size"] == 16
    assert halflabel("fit", *arguments, "--out", out, "--batch-size", 0).code == 2


def test_mini_batches_where_the_method_has_none(halflabel, arguments, out):
    outcome = halflabel("fit", *arguments, "--out", out, "--batch-size", 16)
    assert outcome.code == 3
    assert "--batch-size 16: auto needs all nodes at once" in outcome.err
    assert "choose --method gpl or naive" in " ".join(outcome.err.split())


def test_a_given_prior_has_no_interval(halflabel, arguments, out):
    outcome = halflabel("fit", *arguments, "--out", out, "--prior", 0.25)
    assert "About 8 of the 32 unlabelled nodes are positive (as given, 25.0 %)" in outcome.out


@pytest.mark.parametrize("method", ["labelprop", "pulp"])
def test_methods_without_a_network(halflabel, arguments, out, method):
    outcome = halflabel("fit", *arguments, "--out", out, "--method", method)
    assert outcome.code == 0
    assert {path.name for path in out.iterdir()} == RUN_FILES
    assert f"Answer, by {method}" in outcome.out
    assert set(pyarrow.parquet.read_table(out / "edges.parquet")["weight"].to_pylist()) == {1.0}
    graph = hl.read_graph(arguments[0], nodes=arguments[2])
    scores = pyarrow.parquet.read_table(out / "scores.parquet").to_pylist()
    again = hl.load(out / "model").predict_proba(graph)[:, 1]
    by_id = dict(zip(graph.ids.take(range(40)), again.tolist(), strict=True))
    assert all(by_id[row["id"]] == pytest.approx(row["probability"], rel=1e-5) for row in scores)


def test_an_estimator_by_name(halflabel, arguments, out):
    outcome = halflabel("fit", *arguments, "--out", out, "--method", "labelprop", "--prior", "dedpul")
    assert outcome.code == 0
    assert json.loads((out / "run.json").read_text())["parameters"]["prior"] == "dedpul"
    assert "90 % interval" in outcome.out
    assert "as given" not in outcome.out


@pytest.mark.parametrize("name", ["dedpull", "two_view"])
def test_an_unknown_estimator_is_a_usage_error(halflabel, arguments, out, name):
    outcome = halflabel("fit", *arguments, "--out", out, "--prior", name)
    assert outcome.code == 2
    words = " ".join(outcome.err.replace("│", " ").split())
    assert f"no estimator '{name}'" in words
    assert "dedpul" in words


def test_options_reach_the_reader(halflabel, arguments, out):
    options = ["--undirected", "--features", "age, income", "--source", "target", "--target", "source"]
    outcome = halflabel("fit", *arguments, "--out", out, *options)
    assert outcome.code == 0
    assert "2 features" in outcome.out


def test_without_nodes(halflabel, files, out):
    outcome = halflabel("fit", files / "edges.csv", "--positives", files / "known.txt", "--out", out)
    assert outcome.code == 0
    assert "no node features" in outcome.out


@pytest.mark.parametrize(("options", "message"), [
    (["--weight", "tarjet"], "error: edges.csv: no column 'tarjet'. Did you mean 'target'?"),
    (["--ignore", "agee"], "error: nodes.csv: no column 'agee'. Did you mean 'age'?"),
    (["--id", "key"], "error: nodes.csv: no column 'key'."),
    (["--method", "gpll"], "error: no method 'gpll'. Did you mean 'gpl'? There is: auto, gpl, naive, "),
    (["--backbone", "gnc"], "error: no backbone 'gnc'. Did you mean 'gcn'?"),
    (["--method", "pulp", "--backbone", "gcn"], "error: --backbone gcn: pulp leaves no network to choose."),
    (["--prior", "7"], "error: The 'prior' parameter of Auto must be"),
    (["--nodes", "absent.csv"], "error: absent.csv: the file does not exist"),
])
def test_mistakes_are_3_and_one_line(halflabel, arguments, out, options, message):
    outcome = halflabel("fit", *arguments, "--out", out, *options)
    assert outcome.code == 3
    assert outcome.err.startswith(message)
    assert outcome.err.count("\n") == 1
    assert not out.exists()


def test_unknown_positives(halflabel, arguments, files, out):
    (files / "known.txt").write_text("n01\nn02\nwho\n[red]that[/red]\n")
    outcome = halflabel("fit", *arguments, "--out", out)
    assert outcome.code == 3
    assert "known.txt: 2 of 4 ids are not in the graph: 'who', '[red]that[/red]'." in outcome.err


def test_missing_values_name_the_option(halflabel, arguments, files, out):
    nodes = (files / "nodes.csv").read_text().splitlines()
    nodes[-1] = "n32,,1,2"
    (files / "nodes.csv").write_text("\n".join(nodes) + "\n")
    outcome = halflabel("fit", *arguments, "--out", out)
    assert outcome.code == 3
    assert "missing values in 'age' (1), of 40 rows" in outcome.err
    assert "(--ignore), or pass --missing mean." in outcome.err
    assert halflabel("fit", *arguments, "--out", out, "--missing", "mean").code == 0


def test_unknown_nodes(halflabel, arguments, files, out):
    with (files / "edges.csv").open("a") as stream:
        stream.write("n01,stranger\n")
    outcome = halflabel("fit", *arguments, "--out", out)
    assert outcome.code == 3
    assert "'stranger' is not in nodes.csv" in outcome.err
    outcome = halflabel("fit", *arguments, "--out", out, "--unknown-nodes", "drop")
    assert outcome.code == 0
    assert "dropped 1 edge" in outcome.out


def test_only_an_earlier_run_is_replaced(halflabel, arguments, out):
    out.mkdir()
    (out / "letter.txt").write_text("Dear Ann")
    outcome = halflabel("fit", *arguments, "--out", out)
    assert outcome.code == 3
    assert "holds 'letter.txt' and is not an earlier run" in outcome.err
    assert [path.name for path in out.iterdir()] == ["letter.txt"]
    (out / "letter.txt").unlink()
    assert halflabel("fit", *arguments, "--out", out).code == 0
    assert halflabel("fit", *arguments, "--out", out, "--seed", 1).code == 0
    assert json.loads((out / "run.json").read_text())["seed"] == 1
    assert [path.name for path in out.parent.iterdir() if path.name.startswith(".")] == []


def test_the_same_seed_gives_the_same_bytes(halflabel, arguments, tmp_path):
    for name in "ab":
        halflabel("fit", *arguments, "--out", tmp_path / name)
    for file in ("scores.csv", "scores.parquet", "edges.parquet", "history.csv"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
