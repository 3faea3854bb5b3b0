"""One sentence a node: cheap, and true."""

import re
import time

import numpy as np
from scipy import sparse

import halflabel as hl
from halflabel.explain import reasons
from halflabel.explain.usual import Usual


def test_every_number_in_a_sentence_is_in_the_data(accounts, gpl):
    graph, _, known = accounts
    usual = np.median(graph.X[~known], axis=0)
    top = np.argsort(-gpl.scores_)[:30]
    named = 0
    for position, sentence in zip(top, reasons(gpl, top), strict=True):
        for name, value, median in re.findall(r"(\w+) ([-\d.,]+) \(usual ([-\d.,]+)\)", sentence):
            column = graph.names().index(name)
            assert np.isclose(float(value.replace(",", "")), graph.X[position, column], rtol=0.06)
            assert np.isclose(float(median.replace(",", "")), usual[column], rtol=0.06)
            named += 1
    assert named > 30


def test_counts_of_known_positives_are_right(accounts, gpl):
    graph, _, known = accounts
    links = sparse.csr_array(graph.symmetric() != 0, dtype=np.float32)
    once, twice = links.toarray() > 0, (links @ links).toarray() > 0
    for position, sentence in zip(range(200), reasons(gpl, range(200)), strict=True):
        others = known & (np.arange(2000) != position)
        direct = int((once[position] & others).sum())
        second = int((twice[position] & ~once[position] & others).sum())
        if direct:
            assert "next to" in sentence
        elif second:
            assert "2 steps from" in sentence
        else:
            assert "no known positive within 2 steps" in sentence
        if direct > 1:
            assert f"next to {direct} known positives" in sentence
        if not direct and second > 1:
            assert f"2 steps from {second} known positives" in sentence


def test_a_list_of_fifty_is_quick(gpl):
    begin = time.process_time()
    assert len(reasons(gpl, np.arange(50))) == 50
    assert time.process_time() - begin < 1.0


def test_a_method_that_is_blind_to_features_names_none(accounts):
    graph, _, known = accounts
    model = hl.methods()["labelprop"]().fit(graph, known)
    assert not any("usual" in sentence for sentence in reasons(model, range(100)))


def test_sparse_features_give_the_same_medians_as_dense_ones(accounts):
    graph, _, known = accounts
    model = hl.methods()["labelprop"]()
    dense = Usual.of(model.fit(graph, known)).median
    thin = hl.Graph.from_edges(
        np.repeat(np.arange(2000), np.diff(graph.indptr)), graph.indices, sparse.csr_array(graph.X),
        weight=graph.edge_weight, ids=graph.ids, feature_names=graph.feature_names)
    assert np.allclose(Usual.of(model.fit(thin, known)).median, dense)
