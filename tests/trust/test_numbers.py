"""No number that is not finite gets out, and rounding decides nothing: neither 32 bits nor threads."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import halflabel as hl
from halflabel.edges.adjacency import Adjacency
from halflabel.errors import DivergedError
from halflabel.methods.ensemble import Ensemble
from halflabel.methods.gpl import Run
from halflabel.propagation import propagate

pytestmark = pytest.mark.usefixtures("few_draws")

TOLERANCE = 1e-3  # of a probability, as docs/reliability.md has it
SHORT = {"naive": {"epochs": 20}, "gpl": {"warmup": 10, "epochs": 10}, "auto": {"epochs": 4}}


def load_benchmark():
    path = Path(__file__).parents[2] / "benchmarks" / "trust" / "precision.py"
    spec = importlib.util.spec_from_file_location("precision", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


precision = load_benchmark()


@pytest.fixture(scope="module")
def payments():
    graph, y = hl.load_dataset("payments")
    return graph, hl.payments_positives(y)


def short(name):
    return hl.methods()[name](**SHORT[name])


@pytest.mark.parametrize("model", [
    hl.Naive(epochs=9, learning_rate=1e30), hl.GPL(warmup=3, epochs=3, learning_rate=1e30),
    hl.NNPU(prior=0.1, epochs=9, learning_rate=1e30), hl.BLD(warmup=3, epochs=3, learning_rate=1e38),
], ids=lambda model: type(model).__name__)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_fit_that_diverges_says_when_and_why(model, payments):
    message = (rf"{type(model).__name__}: (the loss is (nan|inf) in|.* not finite after) epoch \d+\. "
               r"Likely cause: learning_rate=1e\+3\d, which is high\. The default is 0\.01")
    with pytest.raises(DivergedError, match=message):
        model.fit(*payments)


def test_scores_after_the_last_loss_are_looked_at_too(payments, monkeypatch):
    logits = Ensemble.logits
    monkeypatch.setattr(Ensemble, "logits", lambda self: logits(self) * torch.nan)
    message = r"Naive: 2,000 scores are not finite after epoch 2\. Likely cause: steps too long"
    with pytest.raises(DivergedError, match=message):
        hl.Naive(epochs=2).fit(*payments)


def test_the_loss_of_the_mask_is_looked_at_too(payments, monkeypatch):
    learn = Run.learn_edges

    def spoil(self, steps):
        with torch.no_grad():
            self.theta.fill_(torch.nan)
        learn(self, steps)

    monkeypatch.setattr(Run, "learn_edges", spoil)
    with pytest.raises(DivergedError, match="the label propagation loss is nan in epoch 6"):
        hl.GPL(warmup=5, epochs=2, guide=False).fit(*payments)


@pytest.mark.parametrize("name", ["labelprop", "auto", "naive"])
def test_whatever_the_method_scores_that_are_no_numbers_are_not_kept(name, payments, monkeypatch):
    cls = hl.methods()[name]
    solve = cls._fit_problem

    def spoil(self, problem, graph):
        prior = solve(self, problem, graph)
        self.scores_ = self.scores_.copy()
        self.scores_[7] = np.nan
        return prior

    monkeypatch.setattr(cls, "_fit_problem", spoil)
    model = cls(**SHORT.get(name, {}))
    with pytest.raises(DivergedError, match="scores: 1 of 2,000 numbers are not finite"):
        model.fit(*payments)


def test_scores_of_another_graph_that_are_no_numbers_are_a_message_and_no_probability(payments, monkeypatch):
    graph, known = payments
    model = hl.Naive(epochs=5).fit(graph, known)
    monkeypatch.setattr(type(model), "_score_graph", lambda self, other: np.full(other.n_nodes, np.inf))
    other = replace(graph, X=graph.X.copy())
    for answer in (model.predict_proba, model.predict, model.decision_function):
        with pytest.raises(DivergedError, match="scores are not finite numbers"):
            answer(other)


@pytest.mark.parametrize("name", SHORT)
def test_one_thread_gives_the_same_bits_and_two_the_same_to_a_tolerance(name, payments):
    with precision.with_threads(1):
        first, again = short(name).fit(*payments), short(name).fit(*payments)
    np.testing.assert_array_equal(first.scores_, again.scores_)
    with precision.with_threads(2):
        two = short(name).fit(*payments)
    probability, prior = precision.differ(first, two)
    assert max(probability, prior) < TOLERANCE


def test_on_small_graphs_the_number_of_threads_changes_no_bit(payments):
    before = torch.get_num_threads()
    models = []
    for count in (1, 2):
        torch.set_num_threads(count)
        models.append(short("gpl").fit(*payments))
    torch.set_num_threads(before)
    np.testing.assert_array_equal(models[0].scores_, models[1].scores_)


@pytest.mark.parametrize("name", SHORT)
def test_64_bits_give_the_same_to_a_tolerance(name, payments):
    single = short(name).fit(*payments)
    with precision.in_64_bits():
        double = short(name).fit(*payments)
    assert double.scores_.dtype == np.float64
    assert (single.scores_ != double.scores_).any()
    assert max(precision.differ(single, double)) < TOLERANCE


def test_propagation_in_64_bits_is_the_same_to_rounding(payments):
    graph, known = payments
    results = []
    for dtype in (torch.float32, torch.float64):
        adjacency = Adjacency.from_scipy(graph.symmetric(), dtype)
        mask = torch.full_like(adjacency.base, 0.7)
        start = torch.as_tensor(known).to(dtype)
        results.append(propagate(adjacency, mask, start, steps=10, retain=0.5, self_loop=1.0))
    torch.testing.assert_close(results[0].double(), results[1], rtol=1e-5, atol=1e-6)
