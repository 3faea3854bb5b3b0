"""What may be changed in the data without changing the answer, for every method.

Listing nodes in another order, and other names that sort alike, are in tests/methods/test_contract.py.
"""

from dataclasses import replace

import numpy as np
import pytest

import halflabel as hl
from halflabel.convert import read_graph
from halflabel.ids import NodeIds
from halflabel.methods.transductive import Transductive

pytestmark = pytest.mark.usefixtures("few_draws")

METHODS = hl.methods()
QUICK = {"warmup": 5, "epochs": 4}
N = 120


def weighted_graph():
    graph, y = hl.synthetic(N, degree=6, prior=0.3)
    weights = np.random.default_rng(1).random(graph.n_edges).astype(np.float32) + 0.5
    return replace(graph, edge_weight=weights), hl.hide_positives(y, positive_class=1)


GRAPH, KNOWN = weighted_graph()
# The same graph and one more node, without edges, whose features are like everybody's.
LONELY = replace(GRAPH, indptr=np.append(GRAPH.indptr, GRAPH.indptr[-1]), ids=NodeIds.range(N + 1),
                 X=np.vstack([GRAPH.X, GRAPH.X.mean(axis=0)]))


def fit(name, graph, known=KNOWN, **parameters):
    accepted = METHODS[name]().get_params()
    quick = {key: value for key, value in QUICK.items() if key in accepted}
    return METHODS[name](**quick | parameters).fit(graph, known)


def difference(model, other):
    """Between scores of the nodes that both have, in standard deviations."""
    scores = model.scores_
    return (other.scores_[: len(scores)] - scores) / scores.std()


@pytest.fixture(scope="module", params=sorted(METHODS))
def name(request):
    return request.param


@pytest.fixture(scope="module")
def model(name):
    return fit(name, GRAPH)


def test_units_of_features_do_not_matter(name, model):
    """Seven times a column, plus three, is the same column but for rounding: columns are standardised."""
    factor = np.where(np.arange(GRAPH.X.shape[1]) % 2, 7, 1)
    other = replace(GRAPH, X=(GRAPH.X * factor + 3).astype(np.float32))
    assert np.abs(difference(model, fit(name, other))).max() < 1e-3


def test_the_unit_of_weights_does_not_matter(name, model):
    """To the bit, if the factor is a power of two: only proportions count."""
    other = fit(name, replace(GRAPH, edge_weight=8 * GRAPH.edge_weight))
    np.testing.assert_array_equal(other.scores_, model.scores_)


def test_another_node_without_edges_is_no_more_than_another_seed(name, model):
    """Nodes are dealt into folds, and dropout is drawn for each: one more, and all is drawn anew. Besides,
    scores may rise together: those of labelprop are relative to the share of known positives."""
    lonely = difference(model, fit(name, LONELY, np.append(KNOWN, False))).std()
    reseeded = max(difference(model, fit(name, GRAPH, random_state=seed)).std() for seed in (1, 2))
    assert lonely <= 1.5 * reseeded


def test_an_unscored_node_without_edges_changes_no_propagation(name, model):
    """Out of focus it is in no fold: to the bit."""
    if not issubclass(METHODS[name], Transductive):
        pytest.skip("draws dropout or first weights for every node")
    other = fit(name, LONELY[np.arange(N)])
    np.testing.assert_array_equal(other.scores_[:N], model.scores_)


def test_a_fitted_network_does_not_mind_a_node_without_edges(name, model):
    if issubclass(METHODS[name], Transductive):
        pytest.skip("scores only the graph that was fitted")
    alone, together = (model.decision_function(graph) for graph in (replace(GRAPH, X=GRAPH.X.copy()), LONELY))
    np.testing.assert_allclose(together[:N], alone, rtol=1e-4, atol=1e-5)


def test_a_repeated_edge_is_an_edge_of_twice_the_weight(tmp_path):
    """Methods see nothing but the graph, and the graph is the same."""
    rows = {"twice": "a,b,1\na,b,1\nb,c,3\n", "double": "a,b,2\nb,c,3\n"}
    graphs = []
    for name, text in rows.items():
        (tmp_path / f"{name}.csv").write_text(f"source,target,weight\n{text}")
        graphs.append(read_graph(tmp_path / f"{name}.csv"))
    for part in ("indptr", "indices", "edge_weight", "X"):
        np.testing.assert_array_equal(*(getattr(graph, part) for graph in graphs))


def test_a_repeated_edge_without_weights_is_one_edge(tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\na,b\na,b\nb,c\n")
    graph = read_graph(tmp_path / "edges.csv")
    assert graph.n_edges == 2
    assert graph.edge_weight is None
    assert "merged 1 repeated edge" in graph.notes
