"""Label spreading: against its closed form, and the choice of walks."""

import numpy as np
import pytest

import halflabel as hl
from halflabel.methods.labelprop import LabelProp

GRAPH, Y = hl.synthetic(60, degree=4, random_state=2, prior=0.4)
KNOWN = hl.hide_positives(Y, positive_class=1)


def dense_log_odds(graph, known, alpha, parity):
    """The formula of the class, with an inverse: all walks from one step on, or those of even length."""
    A = graph.symmetric().toarray().astype(float)
    root = np.sqrt(A.sum(axis=1))
    S = alpha * A / np.where(root > 0, root, np.inf)[:, None] / np.where(root > 0, root, np.inf)
    step = S @ S if parity == "even" else S
    M = np.linalg.inv(np.eye(len(A)) - step) - np.eye(len(A))
    base = known.mean()
    e = (M @ known + base) / (M.sum(axis=1) + 1)
    return np.log(e / (1 - e)) - np.log(base / (1 - base))


@pytest.mark.parametrize("walks", ["all", "even"])
@pytest.mark.parametrize("alpha", [0.3, 0.8, 0.95])
def test_against_the_inverse(walks, alpha):
    model = LabelProp(walks=walks, alpha=alpha, folds=0, prior=0.3).fit(GRAPH, KNOWN)
    expected = dense_log_odds(GRAPH, KNOWN, alpha, walks)
    np.testing.assert_allclose(model.scores_, expected, atol=1e-4)
    assert model.walks_ == walks


def test_the_score_is_the_mean_over_members():
    model = LabelProp(walks="all").fit(GRAPH, KNOWN)
    members = [dense_log_odds(GRAPH, KNOWN & (model.fold_ != m), 0.8, "all") for m in range(5)]
    np.testing.assert_allclose(model.scores_, np.mean(members, axis=0), atol=1e-4)


def test_only_nodes_in_focus_count_as_ends_of_walks():
    """An unlabelled node lowers the score of its neighbours; one out of focus only leads on."""
    graph = hl.Graph.from_edges([0, 0, 0, 3, 4, 5], [1, 2, 3, 4, 5, 6], np.eye(8))
    known = np.array([0, 1, 0, 0, 1, 1, 1, 0]) == 1
    whole = LabelProp(folds=0, prior=0.2, walks="all").fit(graph, known)
    focus = np.array([0, 1, 3, 4, 5, 6, 7])
    sliced = LabelProp(folds=0, prior=0.2, walks="all").fit(graph[focus], known[focus])
    base = known.mean(), known[focus].mean()
    odds = [m.scores_[0] + np.log(b / (1 - b)) for m, b in zip((whole, sliced), base, strict=True)]
    assert odds[1] > odds[0]


def test_above_zero_is_more_than_chance():
    """Two cliques, the known positives in one of them."""
    clique = [(i, j) for i in range(10) for j in range(i)]
    source, target = np.array(clique + [(i + 10, j + 10) for i, j in clique]).T
    graph = hl.Graph.from_edges(source, target, np.eye(20))
    scores = LabelProp().fit(graph, np.arange(20) < 5).scores_
    assert (scores[:10] > 0).all()
    assert (scores[10:] < 0).all()


@pytest.mark.parametrize(("heterophily", "expected"), [(0.1, "all"), (0.39, "even")])
def test_walks_follow_the_graph(heterophily, expected):
    graph, y = hl.synthetic(2000, degree=3, heterophily=heterophily, prior=0.2)
    known = hl.hide_positives(y, positive_class=1)
    model = LabelProp().fit(graph, known)
    assert model.walks_ == expected
    last = model.history_[-1]
    assert (last["auc_even"] > last["auc_all"]) == (expected == "even")
    other = LabelProp(walks="all" if expected == "even" else "even").fit(graph, known)
    assert (hl.score_unlabelled(model, y == 1, known).average_precision
            >= hl.score_unlabelled(other, y == 1, known).average_precision)


def test_steps_end_the_walks_and_the_history_has_each():
    short, whole = LabelProp(steps=2).fit(GRAPH, KNOWN), LabelProp().fit(GRAPH, KNOWN)
    assert [row["step"] for row in short.history_] == [1, 2]
    assert len(whole.history_) == 62
    assert whole.history_[-1]["largest_change"] < 1e-5
    more = LabelProp(steps=200).fit(GRAPH, KNOWN)
    np.testing.assert_allclose(more.scores_, whole.scores_, atol=1e-4)


@pytest.mark.parametrize("wrong", [{"alpha": 1.0}, {"alpha": 0}, {"steps": 1}, {"walks": "odd"}])
def test_wrong_parameters(wrong):
    with pytest.raises(ValueError, match=f"'{next(iter(wrong))}' parameter of LabelProp"):
        LabelProp(**wrong).fit(GRAPH, KNOWN)


@pytest.mark.data
@pytest.mark.parametrize(("name", "floor"), [("cora", 0.80), ("texas", 0.70), ("chameleon", 0.52)])
def test_average_precision_on_real_graphs(real_graph, name, floor):
    graph, y = real_graph(name)
    known = hl.hide_positives(y, random_state=0)
    model = LabelProp().fit(graph, known)
    truth = y == np.bincount(y).argmax()
    assert hl.score_unlabelled(model, truth, known).average_precision > floor
