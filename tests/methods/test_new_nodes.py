"""New nodes: scored alone as in a batch, in focus or not, and nearly as well as if they had been fitted."""

import numpy as np
import pyarrow as pa
import pytest
from sklearn.metrics import average_precision_score

import halflabel as hl
from halflabel.graph import Graph
from halflabel.ids import NodeIds
from halflabel.methods.transductive import Transductive

METHODS = hl.methods()
INDUCTIVE = sorted(name for name, cls in METHODS.items() if not issubclass(cls, Transductive))
QUICK = {"warmup": 4, "epochs": 3}
SMALL, SMALL_Y = hl.synthetic(150, degree=6, prior=0.3)
KNOWN = hl.hide_positives(SMALL_Y, positive_class=1)
CLOSE = {"rtol": 1e-5, "atol": 1e-5}

pytestmark = pytest.mark.filterwarnings("ignore::halflabel.errors.DriftWarning")


@pytest.fixture(scope="module", params=INDUCTIVE)
def model(request):
    cls = METHODS[request.param]
    accepted = cls().get_params()
    return cls(**{k: v for k, v in QUICK.items() if k in accepted}, prior=0.2).fit(SMALL, KNOWN)


def table(ids, seed=0):
    X = np.random.default_rng(seed).normal(size=(len(ids), SMALL.X.shape[1]))
    return pa.table({"id": ids, **dict(zip(SMALL.names(), X.T, strict=True))})


NEW = table([1000, 1001, 1002, 1003])
OWN = pa.table({"source": [1000, 1000, 3], "target": [5, 9, 1000]})
OTHERS = pa.table({"source": [1001, 1002], "target": [1002, 1003]})


def test_a_node_alone_is_scored_as_in_a_batch(model):
    """The others have no path to it: what is appended elsewhere must not matter."""
    alone = hl.append(SMALL, OWN, NEW.slice(0, 1))
    batch = hl.append(SMALL, pa.concat_tables([OWN, OTHERS]), NEW)
    np.testing.assert_allclose(
        model.decision_function(alone)[0], model.decision_function(batch)[0], **CLOSE)
    np.testing.assert_allclose(model.predict_proba(alone)[0], model.predict_proba(batch)[0], **CLOSE)


def test_the_focus_changes_no_score(model):
    batch = hl.append(SMALL, pa.concat_tables([OWN, OTHERS]), NEW)
    whole = model.decision_function(batch)
    for i in range(4):
        np.testing.assert_array_equal(model.decision_function(batch[[i]]), whole[[i]])


def test_the_order_of_the_new_nodes_does_not_matter(model):
    links = pa.concat_tables([OWN, OTHERS])
    one, other = (hl.append(SMALL, links, NEW.take(order)) for order in ([0, 1, 2, 3], [3, 1, 0, 2]))
    scores, again = (dict(zip(graph.ids.take(graph.nodes), model.decision_function(graph), strict=True))
                     for graph in (one, other))
    for node, score in scores.items():
        assert again[node] == pytest.approx(score, abs=1e-5)


def test_new_nodes_out_of_reach_leave_fitted_nodes_alone(model):
    grown = hl.append(SMALL, OTHERS, NEW.slice(1))
    old = Graph(**vars(grown) | {"focus": np.arange(150)})
    np.testing.assert_allclose(model.decision_function(old), model.decision_function(
        Graph(**vars(SMALL) | {"X": SMALL.X.copy()})), **CLOSE)


def test_a_saved_model_scores_new_nodes_alike(model, tmp_path):
    model.save(tmp_path / "model")
    grown = hl.append(SMALL, OWN, NEW.slice(0, 1))
    np.testing.assert_array_equal(
        hl.load(tmp_path / "model").decision_function(grown), model.decision_function(grown))


def without(graph, hidden):
    kept = np.flatnonzero(~hidden)
    part = graph.adjacency[kept][:, kept].tocoo()
    return Graph.from_edges(part.row, part.col, graph.X[kept], ids=NodeIds(kept))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["naive", "gpl", "auto"])
def test_hidden_nodes_of_cora_are_ranked_nearly_as_if_they_had_been_fitted(name, real_graph):
    graph, y = real_graph("cora")
    hidden = np.zeros(graph.n_nodes, dtype=bool)
    hidden[np.random.default_rng(0).choice(graph.n_nodes, graph.n_nodes // 10, replace=False)] = True
    new = np.flatnonzero(hidden)
    known = hl.hide_positives(y, ratio=0.5, random_state=0) & ~hidden
    small = without(graph, hidden)
    source = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    touching = hidden[source] | hidden[graph.indices]
    edges = pa.table({"source": source[touching], "target": graph.indices[touching]})
    nodes = pa.table({"id": new, **dict(zip(graph.names(), graph.X[new].toarray().T, strict=True))})
    fitted = METHODS[name]().fit(graph, known).predict_proba()[new, 1]
    appended = METHODS[name]().fit(small, known[~hidden]).predict_proba(hl.append(small, edges, nodes))[:, 1]
    truth = y[new] == np.bincount(y).argmax()
    assert average_precision_score(truth, appended) >= 0.9 * average_precision_score(truth, fitted)
