"""Who is around a node: relevant ones first, connected, with all edges between them."""

import json
import time

import numpy as np
import pytest

import halflabel as hl
from halflabel.explain import neighbourhood
from halflabel.explain.surroundings import Surroundings


def test_everybody_within_two_steps_is_shown_or_counted(accounts, gpl):
    graph, _, _ = accounts
    two_steps = graph.symmetric() != 0
    reached = (two_steps + two_steps @ two_steps)[[427]].nonzero()[1]
    around = neighbourhood(gpl, "ACC-0427", limit=10)
    assert len(around.nodes) == 10
    assert len(around.nodes) + around.left_out == len(set(reached) | {427})
    whole = neighbourhood(gpl, "ACC-0427", limit=1000)
    assert whole.left_out == 0
    # The last place may go to somebody who fits in without a way there.
    assert [node.id for node in around.nodes][:9] == [node.id for node in whole.nodes[:9]]


def test_steps_edges_and_trust_are_those_of_the_graph(accounts, gpl):
    graph, _, known = accounts
    near = graph.symmetric()
    around = neighbourhood(gpl, "ACC-0427", limit=1000)
    place = {node.id: int(graph.ids.positions([node.id])[0]) for node in around.nodes}
    for node in around.nodes:
        linked = near[427, place[node.id]] != 0
        assert node.steps == (0 if node.id == "ACC-0427" else 1 if linked else 2)
        assert node.known_positive == known[place[node.id]]
    inside = graph.adjacency[list(place.values())][:, list(place.values())]
    assert len(around.edges) == inside.nnz
    for edge in around.edges:
        row = slice(graph.indptr[place[edge.source]], graph.indptr[place[edge.source] + 1])
        at = row.start + int(np.flatnonzero(graph.indices[row] == place[edge.target])[0])
        assert edge.trust == gpl.edge_weight_[at]
        assert edge.amount == graph.edge_weight[at]


def test_what_is_shown_hangs_together(accounts, auto):
    graph, y, _known = accounts
    for position in np.flatnonzero(y == 1)[:10]:
        around = neighbourhood(auto, graph.ids[position], limit=12)
        reached = {around.centre}
        for _ in range(2):
            reached |= {end for edge in around.edges for end in (edge.source, edge.target)
                        if {edge.source, edge.target} & reached}
        assert reached == {node.id for node in around.nodes}


def test_it_is_plain_data(gpl):
    around = neighbourhood(gpl, "ACC-0427").to_dict()
    assert json.loads(json.dumps(around)) == around


def test_known_positives_are_preferred_to_others_as_near():
    n = 60
    star = hl.Graph.from_edges(np.zeros(n - 1, dtype=int), np.arange(1, n), np.random.default_rng(0).normal(
        size=(n, 3)))
    known = np.arange(n) >= n - 6
    model = hl.methods()["labelprop"](prior=0.2).fit(star, known)
    around = neighbourhood(model, 0, limit=7)
    assert {node.id for node in around.nodes if node.known_positive} == set(range(n - 6, n))


def test_a_walk_prefers_heavy_and_trusted_edges():
    graph = hl.Graph.from_edges([0, 0, 0], [1, 2, 3], np.eye(4), weight=np.array([8.0, 1.0, 8.0]))
    nobody = np.zeros(4, dtype=bool)
    trust = np.array([1.0, 1.0, 0.1])
    around = Surroundings(graph, nobody, np.zeros(4), nobody, trust, carried=True)
    met, steps, closeness = around.walk(0, 1)
    assert met.tolist() == [0, 1, 2, 3]
    assert steps.tolist() == [0, 1, 1, 1]
    assert closeness == pytest.approx(np.array([0, 8, 1, 0.8]) / 9.8)
    verdict = Surroundings(graph, nobody, np.zeros(4), nobody, trust, carried=False)
    assert verdict.walk(0, 1)[2] == pytest.approx(closeness)
    assert verdict.strength.tolist() == [8, 1, 8]  # what an edge carries does not depend on a verdict


def test_only_the_surroundings_of_a_large_graph_are_touched():
    n, rng = 200_000, np.random.default_rng(0)
    source, target = rng.integers(n, size=(2, 5 * n))
    graph = hl.Graph.from_edges(source, target, np.zeros((n, 1)))
    nobody = np.zeros(n, dtype=bool)
    around = Surroundings(graph, nobody, np.zeros(n), nobody, np.ones(graph.n_edges), carried=True)
    around.walk(0, 1)  # sorts the edges by their targets
    begin = time.process_time()
    for position in range(20):
        around.walk(position, 2)
    assert time.process_time() - begin < 1.0


def test_a_mistyped_id_is_answered_with_the_nearest(gpl):
    with pytest.raises(hl.DataError, match=r"no node 'ACC-42' among 2,000\. Did you mean 'ACC-"):
        neighbourhood(gpl, "ACC-42")
    with pytest.raises(hl.DataError, match=r"no node 17 among 2,000\. Ids look like 'ACC-0000'"):
        neighbourhood(gpl, 17)


def test_a_model_without_its_graph_says_so(gpl, tmp_path):
    gpl.save(tmp_path / "model")
    with pytest.raises(hl.DataError, match="Open the run"):
        neighbourhood(hl.load(tmp_path / "model"), "ACC-0427")


def test_another_fit_is_another_neighbourhood(accounts):
    graph, _, known = accounts
    model = hl.methods()["labelprop"]()
    before = neighbourhood(model.fit(graph, known), "ACC-0427").nodes
    after = neighbourhood(model.fit(graph, np.roll(known, 7)), "ACC-0427").nodes
    assert before != after
