"""A fit that was stopped goes on where it was, to the same bits, whatever the method."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

import halflabel as hl
from halflabel.checkpoint import Checkpoints, checkpointed, read_state, stages, write_state
from halflabel.errors import DataError
from halflabel.methods.ensemble import Ensemble
from halflabel.priors import Prior

pytestmark = pytest.mark.usefixtures("few_draws")

MODELS = {
    "naive": hl.Naive(epochs=6), "naive in batches": hl.Naive(epochs=5, batch_size=500),
    "auto": hl.Auto(epochs=4), "gpl": hl.GPL(warmup=4, epochs=5, folds=2),
    "gpl in batches": hl.GPL(warmup=3, epochs=3, folds=2, batch_size=1000),
    "gpl, edges first": hl.GPL(warmup=3, epochs=3, folds=2, bilevel=False, prior="dedpul"),
    "ted": hl.TED(warmup=3, epochs=4), "cvir": hl.CVIR(prior=0.05, warmup=3, epochs=4),
    "nnpu": hl.NNPU(epochs=7), "distpu": hl.DistPU(prior=0.05, epochs=7),
    "pugnn": hl.PUGNN(warmup=6, epochs=6), "lsdan": hl.LSDAN(warmup=3, epochs=3, folds=1),
    "grab": hl.GRAB(epochs=8, patience=3, iterations=3),
    "blp": hl.BLP(warmup=4, epochs=6, search_every=2), "bld": hl.BLD(warmup=4, epochs=6),
}


class Stopped(Exception):
    pass


@pytest.fixture(scope="module")
def payments():
    graph, y = hl.load_dataset("payments")
    return graph, hl.payments_positives(y)


def stopping_after(count, monkeypatch):
    """Let the training loops of a fit do so many epochs in all."""
    done, training = 0, Ensemble.training

    def counted(self, *args, **kwargs):
        nonlocal done
        for record in training(self, *args, **kwargs):
            if done == count:
                raise Stopped
            done += 1
            yield record

    monkeypatch.setattr(Ensemble, "training", counted)


def content(model):
    arrays = {name: value for name, value in vars(model).items() if isinstance(value, np.ndarray)}
    return arrays | model._arrays() | {"prior": model.prior_}


def attempts(model, data, place, count=3):
    """Fit with no more than so many epochs at a time; how many attempts that takes."""
    for attempt in range(1, 100):
        with pytest.MonkeyPatch.context() as patch:
            stopping_after(count, patch)
            try:
                with checkpointed(place, every=2):
                    model.fit(*data)
            except Stopped:
                continue
            return attempt
    raise AssertionError("never done")


@pytest.mark.parametrize("name", MODELS)
def test_a_stopped_fit_goes_on_to_the_same_bits(name, payments, tmp_path):
    model = MODELS[name]
    undisturbed = type(model)(**model.get_params()).fit(*payments)
    many = {"nnpu": 90, "auto": 11}  # NNPU first finds the prior, for which its rough networks train long
    assert attempts(model, payments, tmp_path / "kept", many.get(name, 3)) > 1
    one, other = content(model), content(undisturbed)
    assert one.keys() == other.keys()
    for part, value in one.items():
        np.testing.assert_array_equal(value, other[part], err_msg=part)
    assert repr(model.history_) == repr(undisturbed.history_)
    assert not (tmp_path / "kept").exists()


def stopped(model, data, place, **how):
    with pytest.MonkeyPatch.context() as patch, pytest.raises(Stopped):  # noqa: PT012
        stopping_after(3, patch)
        with checkpointed(place, **how):
            model.fit(*data)


def test_a_guide_that_was_turned_down_stays_away(real_graph, tmp_path):
    graph, y = real_graph("cora")
    known = hl.hide_positives(y, random_state=0)
    settings = {"warmup": 8, "epochs": 3, "folds": 2}
    undisturbed, model = hl.GPL(**settings).fit(graph, known), hl.GPL(**settings)
    assert undisturbed.guide_ == "classifier"
    attempts(model, (graph, known), tmp_path / "kept", count=9)
    assert model.guide_ == "classifier"
    np.testing.assert_array_equal(model.edge_weight_, undisturbed.edge_weight_)


def test_several_fits_in_one_body_go_on_too(payments, tmp_path):
    first, second = hl.Naive(epochs=4), hl.Naive(epochs=4, random_state=1)

    class Both:
        def fit(self, *data):
            first.fit(*data)
            second.fit(*data)

    assert attempts(Both(), payments, tmp_path / "kept") > 2
    np.testing.assert_array_equal(second.scores_, hl.Naive(epochs=4, random_state=1).fit(*payments).scores_)


@pytest.mark.parametrize(("change", "says"), [
    ({"epochs": 9}, "epochs 8, now 9"), ({"random_state": 1}, "random_state 0, now 1"),
])
def test_a_checkpoint_of_another_fit_is_refused(change, says, payments, tmp_path):
    stopped(hl.Naive(epochs=8), payments, tmp_path / "kept", every=1)
    with pytest.raises(DataError, match=f"the checkpoint is of another fit: {says}"):  # noqa: SIM117
        with checkpointed(tmp_path / "kept"):
            hl.Naive(**{"epochs": 8, **change}).fit(*payments)
    assert any((tmp_path / "kept").iterdir())


def test_other_data_are_another_fit(payments, tmp_path):
    graph, known = payments
    stopped(hl.Naive(epochs=8), payments, tmp_path / "kept", every=1)
    fewer = known.copy()
    fewer[np.flatnonzero(known)[0]] = False
    with pytest.raises(DataError, match="fit: other known positives"), checkpointed(tmp_path / "kept"):
        hl.Naive(epochs=8).fit(graph, fewer)
    with pytest.raises(DataError, match=r"another fit: .*other features"), checkpointed(tmp_path / "kept"):
        hl.Naive(epochs=8).fit(replace(graph, X=graph.X * 2), known)


def test_without_resume_earlier_checkpoints_stay_until_the_first_new_one(payments, tmp_path):
    stopped(hl.Auto(epochs=2), payments, tmp_path / "kept", every=1)
    before = {path.name for path in (tmp_path / "kept").iterdir()}
    assert len(before) == 2
    stopped(hl.Naive(epochs=8), payments, tmp_path / "kept", every=100, resume=False)
    assert {path.name for path in (tmp_path / "kept").iterdir()} == before
    stopped(hl.Naive(epochs=8), payments, tmp_path / "kept", every=1, resume=False)
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["stage-00000.safetensors"]


def test_by_default_checkpoints_go_by_the_clock(payments, tmp_path, monkeypatch):
    model = hl.Naive(epochs=8)
    stopped(model, payments, tmp_path / "kept")
    assert not (tmp_path / "kept").exists()
    monkeypatch.setattr(stages, "SECONDS", 0.0)
    monkeypatch.setattr(stages, "SHARE", 0)
    stopped(model, payments, tmp_path / "kept")
    assert (tmp_path / "kept" / "stage-00000.safetensors").exists()


def test_a_checkpoint_that_cannot_be_written_does_not_stop_the_fit(payments, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    with checkpointed(tmp_path / "file" / "kept", every=4):
        model = hl.Naive(epochs=4).fit(*payments)
    assert len(model.history_) == 4
    assert "no checkpoint: " in capsys.readouterr().err


def test_a_damaged_checkpoint_says_so(payments, tmp_path):
    stopped(hl.Naive(epochs=8), payments, tmp_path / "kept", every=1)
    path = tmp_path / "kept" / "stage-00000.safetensors"
    whole, nested = read_state(path), "[" * 100_000
    for harm in (
        lambda: path.write_bytes(path.read_bytes()[:100]),
        lambda: write_state(path, {**whole, "state": {"changes": {"network": {}}, "random": {}}}),
        lambda: write_state(path, {**whole, "done": None}),
        lambda: write_state(path, ["something else"]),
        lambda: save_file({}, path, metadata={"halflabel checkpoint": nested}),
    ):
        harm()
        with pytest.raises(DataError, match="a damaged checkpoint"), checkpointed(tmp_path / "kept"):
            hl.Naive(epochs=8).fit(*payments)


def test_what_a_state_may_hold(tmp_path):
    shared = torch.arange(6.0)
    state = {"shared": [shared, shared, shared[:2], shared.view(2, 3).T], 3: (True, None, float("nan")),
             "numpy": [np.float32(0.1), np.arange(3), np.int64(2**40)], "prior": Prior(0.1, 0.0, 0.2, "bbe"),
             "big": 2**100, "zero": torch.tensor(1.5), "empty": torch.zeros(0)}
    write_state(tmp_path / "state", state)
    read = read_state(tmp_path / "state")
    assert repr(read) == repr(state)
    assert read["shared"][0] is read["shared"][1]
    with pytest.raises(TypeError, match="a set has no place in a checkpoint"):
        write_state(tmp_path / "other", {"a": {1}})


def test_every_is_at_least_one(tmp_path):
    with pytest.raises(DataError, match="every=0: expected a number of epochs"):
        Checkpoints(tmp_path, every=0)
