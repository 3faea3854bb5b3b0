"""How fast the networks of a view learn."""

import pytest

import halflabel as hl
from halflabel.methods import viewlearner
from halflabel.methods.naive import Naive

GRAPH, Y = hl.synthetic(200, degree=6, prior=0.3)
KNOWN = hl.hide_positives(Y, positive_class=1)


@pytest.mark.parametrize(("many", "wanted"), [
    (201, {"own": 0.01, "hops": 0.01, "convolution": 0.01, "pagerank": 0.01, "links to": 0.01}),
    (200, {"own": 0.03, "hops": 0.03, "convolution": 0.03, "pagerank": 0.03, "links to": 0.01})])
def test_networks_of_large_graphs_learn_faster_but_for_links(monkeypatch, many, wanted):
    found, trained = {}, Naive.trained
    monkeypatch.setattr(viewlearner, "MANY_NODES", many)
    monkeypatch.setattr(Naive, "trained", lambda self, problem, members, label: (
        found.update({label.split(", ")[1].split(" (")[0]: self.learning_rate}),
        trained(self, problem, members, label))[1])
    hl.Auto(epochs=2, folds=3).fit(GRAPH, KNOWN)
    assert found == wanted
