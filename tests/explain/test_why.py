"""Why a node has its score: complete, consistent with the model, the same every time."""

import json

import numpy as np
import pytest

import halflabel as hl
from halflabel.explain.local import Change, LocalScores
from halflabel.explain.spread import SpreadScores
from halflabel.run.ranking import score_table


@pytest.fixture(scope="module")
def flagged(accounts, gpl):
    graph, _, known = accounts
    return graph.ids[int(np.argmax(np.where(known, -np.inf, gpl.scores_)))]


def test_it_says_what_the_table_of_scores_says(accounts, gpl):
    graph, _, known = accounts
    rows = score_table(graph, gpl, known).to_pylist()
    for row in (rows[0], rows[50], rows[1500], rows[-1]):
        found = gpl.why(row["id"])
        for name in ("score", "probability", "rank", "flagged", "known_positive"):
            assert getattr(found, name) == row[name], name


def test_the_same_model_gives_the_same_answer(gpl, flagged, tmp_path):
    first, second = gpl.why(flagged), gpl.why(flagged)
    assert first == second
    first.draw(tmp_path / "a.svg")
    second.draw(tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_contributions_add_up_to_what_the_named_features_change_together(gpl, flagged):
    found = gpl.why(flagged)
    graph = gpl._graph
    named = frozenset(graph.names().index(feature.name) for feature in found.features)
    without = LocalScores(gpl, int(graph.ids.positions([flagged])[0])).scores([Change(named)])[0]
    total = sum(feature.contribution for feature in found.features)
    assert total == pytest.approx(gpl.slope_ * (found.score - without), abs=1e-3)


def test_changes_are_of_the_probability_and_best_comes_first(gpl, accounts):
    graph, _, _known = accounts
    doubtful = int(np.argmin(np.abs(gpl.predict_proba()[:, 1] - 0.5)))
    found = gpl.why(graph.ids[doubtful])
    assert [e.log_odds for e in found.edges] == sorted((e.log_odds for e in found.edges), reverse=True)
    assert [f.contribution for f in found.features] == sorted(
        (f.contribution for f in found.features), reverse=True)
    for edge in found.edges:
        now, before = found.probability, found.probability - edge.change
        odds = np.log(now / (1 - now)) - np.log(before / (1 - before))
        assert odds == pytest.approx(edge.log_odds, abs=1e-6)
    assert max(edge.change for edge in found.edges) > 0.01


def test_text_json_and_picture_say_the_same(gpl, flagged, tmp_path):
    found = gpl.why(flagged)
    text, plain = found.text(), found.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert str(flagged) in text
    assert found.features[0].name in text
    assert str(found.near[0].id) in text
    for ending in ("png", "svg", "pdf"):
        found.draw(tmp_path / f"why.{ending}")
        assert (tmp_path / f"why.{ending}").stat().st_size > 5000


def test_known_positives_near_by_are_known_and_the_closest_first(accounts, gpl, flagged):
    graph, _, known = accounts
    near = gpl.why(flagged).near
    assert all(known[graph.ids.positions([p.id])[0]] for p in near)
    assert [p.closeness for p in near] == sorted((p.closeness for p in near), reverse=True)


@pytest.mark.parametrize("name", ["gpl", "labelprop"])
def test_a_known_positive_counts_what_its_edges_do(accounts, name, request):
    graph, _, known = accounts
    model = request.getfixturevalue("gpl") if name == "gpl" else hl.methods()[name]().fit(graph, known)
    again = (LocalScores if name == "gpl" else SpreadScores)(model, 8)
    near = model.why(graph.ids[8]).near
    told = [p for p in near if p.log_odds is not None]
    assert told
    assert all(p.steps > 2 for p in near if p.log_odds is None)
    without = again.scores([Change(node=int(graph.ids.positions([p.id])[0])) for p in told])
    assert [p.log_odds for p in told] == pytest.approx(model.slope_ * (model.scores_[8] - without))
    assert any(p.change != 0 for p in told)


@pytest.mark.parametrize("name", ["labelprop", "pulp"])
def test_methods_without_features_explain_by_edges(accounts, name):
    graph, _, known = accounts
    model = hl.methods()[name]().fit(graph, known)
    found = model.why("ACC-0008")
    assert not found.features
    assert "does not look at features" in found.text()
    assert any(edge.log_odds != 0 for edge in found.edges)


def test_nodes_without_edges_and_rows_without_a_graph_are_explained():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3)) + 2.0 * (np.arange(80) < 30)[:, None]
    known = np.arange(80) < 12
    alone = hl.Graph.from_edges(np.arange(1, 70), np.arange(69), X)
    model = hl.methods()["naive"](epochs=20, folds=2).fit(alone, known)
    found = model.why(79)
    assert not found.edges
    assert not found.near
    assert len(found.features) == 3
    assert "no known positive is within four steps" in found.text()
    assert not any(feature.error for feature in found.features)  # so few are enumerated
    nothing = hl.Graph.from_edges(np.zeros(0, dtype=int), np.zeros(0, dtype=int), X)
    assert len(hl.Auto(epochs=3).fit(nothing, known).why(5).features) == 3
    rows = hl.methods()["naive"](epochs=5, folds=2).fit(X, known.astype(int))
    assert rows.why(20).edges


def test_an_unknown_node_is_bad_data(gpl):
    with pytest.raises(hl.DataError, match="Did you mean"):
        gpl.why("ACC-00001")
