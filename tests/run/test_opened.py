"""A run directory that is opened again is the fit that wrote it."""

import numpy as np
import pytest

import halflabel as hl
from halflabel.run.card import RUN
from halflabel.run.record import RunRecord
from halflabel.run.store import write_run


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    graph, y = hl.load_dataset("payments")
    known = hl.payments_positives(y)
    model = hl.Naive(epochs=5, threshold=("budget", 7)).fit(graph, known)
    place = tmp_path_factory.mktemp("runs") / "run"
    write_run(place, graph, model, known, seconds=1.0, inputs={})
    return place, graph, known, model


def test_everything_is_back(fitted):
    place, graph, known, model = fitted
    run = hl.open_run(place)
    assert (run.known == known).all()
    assert (run.graph.indices == graph.indices).all()
    assert run.graph.ids[3] == graph.ids[3]
    assert (run.model.edge_weight_ == model.edge_weight_).all()
    assert (run.model.predict_proba(run.graph) == model.predict_proba()).all()
    assert run.record.expected == model.expected_
    assert run.scores["flagged"].to_numpy().sum() == 7


def test_a_run_without_its_graph_says_why(fitted, tmp_path):
    content = RUN.read(fitted[0])
    del content["files"]["graph/graph.json"]
    RUN.write(tmp_path, content)
    with pytest.raises(hl.DataError, match="Several processes"):
        hl.open_run(tmp_path)


def test_parts_of_two_runs_are_refused(fitted, tmp_path):
    _, graph, known, model = fitted
    other = hl.Naive(epochs=2).fit(hl.Graph.from_edges([0, 1, 2], [1, 2, 3], np.eye(9)), np.arange(9) < 4)
    write_run(tmp_path / "run", graph, model, known, seconds=1.0, inputs={})
    other.save(tmp_path / "run" / "model")
    with pytest.raises(hl.DataError, match=r"config.json has .* it was cut or replaced"):
        hl.open_run(tmp_path / "run")
    RunRecord.read(tmp_path / "run").write(tmp_path / "run")
    with pytest.raises(hl.DataError, match="not of one run"):
        hl.open_run(tmp_path / "run")


def test_what_is_no_run_is_told(tmp_path):
    with pytest.raises(hl.DataError, match="not a run directory"):
        hl.open_run(tmp_path)
