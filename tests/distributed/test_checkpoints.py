"""A fit that lost a process says so, and goes on where it was, to the same result."""

import json
import os

import numpy as np
import pytest
import torch

import halflabel as hl
from halflabel.distributed import partition_graph, read_part
from halflabel.distributed.checkpoints import Checkpoints
from halflabel.errors import DataError
from halflabel.methods.ensemble import Ensemble

pytestmark = pytest.mark.usefixtures("few_draws")


@pytest.fixture(scope="module")
def graph():
    graph, y = hl.load_dataset("payments")
    return graph, hl.payments_positives(y)


@pytest.fixture
def parts(graph, tmp_path):
    partition_graph(graph[0], 1, tmp_path / "parts")
    return tmp_path / "parts"


class Stopped(Exception):
    pass


def stop_after(monkeypatch, epoch):
    save, left = Checkpoints.save_if_due, [epoch]

    def save_and_stop(self, *training):
        save(self, *training)
        left[0] -= 1
        if not left[0]:
            raise Stopped

    monkeypatch.setattr(Checkpoints, "save_if_due", save_and_stop)


@pytest.mark.parametrize("model", [
    hl.Naive(epochs=10), hl.GPL(warmup=4, epochs=8, guide=False, folds=2),
    hl.GPL(warmup=4, epochs=8, folds=2, prior="dedpul"),
], ids=["naive", "gpl", "gpl with another prior"])
@pytest.mark.parametrize("stopped_after", [2, 7])
def test_resuming_changes_nothing(graph, parts, tmp_path, model, stopped_after):
    undisturbed = type(model)(**model.get_params()).fit(read_part(parts), graph[1])
    with pytest.MonkeyPatch.context() as monkeypatch:
        stop_after(monkeypatch, stopped_after)
        part = read_part(parts).with_checkpoints(tmp_path / "kept", every=3)
        with pytest.raises(Stopped):
            model.fit(part, graph[1])
    epochs = sorted(int(path.stem[-7:]) for path in (tmp_path / "kept").glob("process-00000-*"))
    assert epochs == {2: [], 7: [3, 6]}[stopped_after]
    model.fit(read_part(parts).with_checkpoints(tmp_path / "kept", every=3, resume=True), graph[1])
    np.testing.assert_array_equal(model.scores_, undisturbed.scores_)
    np.testing.assert_array_equal(model.edge_weight_, undisturbed.edge_weight_)
    assert model.prior_ == undisturbed.prior_
    assert json.dumps(model.history_) == json.dumps(undisturbed.history_)


def test_a_fit_of_several_trainings_goes_on_in_the_one_that_was_stopped(graph, parts, tmp_path, capsys):
    undisturbed = hl.Auto(epochs=5).fit(read_part(parts), graph[1])
    with pytest.MonkeyPatch.context() as monkeypatch:
        stop_after(monkeypatch, 14)  # in the third of six trainings
        with pytest.raises(Stopped):
            hl.Auto(epochs=5).fit(read_part(parts).with_checkpoints(tmp_path / "kept", every=3), graph[1])
    kept = sorted(path.stem.removeprefix("process-00000-") for path in (tmp_path / "kept").iterdir())
    assert kept == ["stage-000-epoch-0000003", "stage-000-epoch-0000005", "stage-001-epoch-0000003",
                    "stage-001-epoch-0000005", "stage-002-epoch-0000003"]
    trained = []
    with pytest.MonkeyPatch.context() as monkeypatch:
        step = Ensemble._step
        monkeypatch.setattr(Ensemble, "_step", lambda nets, risks: trained.append(1) or step(nets, risks))
        part = read_part(parts).with_checkpoints(tmp_path / "kept", every=3, resume=True)
        model = hl.Auto(epochs=5, verbose=True).fit(part, graph[1])
    assert "resuming after epoch 3 of training 3\n" in capsys.readouterr().err
    assert len(trained) == 2 + 3 * 5  # what was left of the third, and the others
    np.testing.assert_array_equal(model.scores_, undisturbed.scores_)
    assert model.prior_ == undisturbed.prior_
    assert json.dumps(model.history_) == json.dumps(undisturbed.history_)


def test_a_checkpoint_of_another_fit_is_refused(graph, parts, tmp_path):
    part = read_part(parts).with_checkpoints(tmp_path / "kept", every=2)
    hl.Naive(epochs=4).fit(part, graph[1])
    part = read_part(parts).with_checkpoints(tmp_path / "kept", every=2, resume=True)
    with pytest.raises(DataError, match="of another fit; parameters differ"):
        hl.Naive(epochs=4, hidden=8).fit(part, graph[1])


class Payload:
    """What a pickle may do to whoever loads it."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


@pytest.mark.parametrize("damage", ["cut", "flipped", "pickle", "other"])
def test_a_damaged_or_hostile_checkpoint_is_refused_and_runs_nothing(graph, parts, tmp_path, damage):
    part = read_part(parts).with_checkpoints(tmp_path / "kept", every=2)
    hl.Naive(epochs=2).fit(part, graph[1])
    (path,) = (tmp_path / "kept").iterdir()
    whole = path.read_bytes()
    if damage in ("cut", "flipped"):
        path.write_bytes(whole[:-50] if damage == "cut" else b"\0" + whole[1:])
    else:
        torch.save({"fit": Payload(tmp_path / "proof")} if damage == "pickle" else {"fit": 1}, path)
    part = read_part(parts).with_checkpoints(tmp_path / "kept", every=2, resume=True)
    with pytest.raises(DataError, match="a damaged checkpoint"):
        hl.Naive(epochs=2).fit(part, graph[1])
    assert not (tmp_path / "proof").exists()


def test_starting_anew_forgets_earlier_checkpoints(graph, parts, tmp_path):
    hl.Naive(epochs=6).fit(read_part(parts).with_checkpoints(tmp_path / "kept", every=2), graph[1])
    hl.Naive(epochs=2).fit(read_part(parts).with_checkpoints(tmp_path / "kept", every=2), graph[1])
    assert [path.name for path in (tmp_path / "kept").iterdir()] == [
        "process-00000-stage-000-epoch-0000002.safetensors"]


def test_every_must_be_positive(parts, tmp_path):
    with pytest.raises(DataError, match="every=0: expected a number of epochs"):
        read_part(parts).with_checkpoints(tmp_path, every=0)


@pytest.mark.slow
def test_a_killed_process_stops_the_others_and_the_fit_goes_on(graph, fit_together, tmp_path):
    partition_graph(graph[0], 2, tmp_path / "parts", how="contiguous")
    np.save(tmp_path / "known.npy", graph[1])
    plan = {"method": "gpl", "parameters": {"warmup": 5, "epochs": 6, "guide": False},
            "parts": tmp_path / "parts", "positives": tmp_path / "known.npy",
            "checkpoints": tmp_path / "kept", "resume": False, "out": tmp_path / "whole"}
    fit_together(2, [plan])
    ended = fit_together(2, [{**plan, "dies": 8, "out": tmp_path / "none"}], check=False)
    assert ended.codes[1] == -9
    assert ended.codes[0] > 0
    assert "process 0 of 2 has lost the others, so all of them stop" in ended.err[0]
    assert "with --resume to go on from the checkpoint of epoch 6" in ended.err[0]
    fit_together(2, [{**plan, "resume": True, "out": tmp_path / "resumed"}])
    for rank in range(2):
        whole, resumed = (np.load(tmp_path / name / f"{rank}.npz") for name in ("whole", "resumed"))
        for what in ("scores", "edge_weight", "prior", "loss"):
            np.testing.assert_array_equal(resumed[what], whole[what])
