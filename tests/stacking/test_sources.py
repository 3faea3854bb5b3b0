"""How far the prior by one score is drawn towards that by sources."""

import numpy as np
import pytest

from halflabel.priors import Prior
from halflabel.stacking import agreed_prior, source_scores

SAID = Prior(0.45, 0.4, 0.5, "stacked")


def sources(known, nodes, share=0.3, apart=2.0):
    rng = np.random.default_rng(0)
    hidden = round(share * nodes)
    return rng.normal(apart, 1, (3, known)), np.c_[rng.normal(apart, 1, (3, hidden)),
                                                   rng.normal(0, 1, (3, nodes - hidden))]


def test_with_few_known_the_prior_is_drawn_towards_what_sources_say():
    prior = agreed_prior(SAID, *sources(50, 150))
    assert 0.25 < prior.value < 0.35
    assert prior.low == prior.value, "the interval holds the estimate"
    assert (prior.high, prior.method) == (0.5, "stacked")


def test_the_fewer_are_known_the_more_sources_count():
    few, more, many = (agreed_prior(SAID, *sources(known, 3 * known)).value for known in (50, 500, 5000))
    assert few < more < many == SAID.value


def test_with_many_known_sources_are_not_asked(monkeypatch):
    monkeypatch.setattr("halflabel.stacking.sources.share_of_products", None)
    assert agreed_prior(SAID, *sources(20_000, 60_000)) is SAID


def test_where_positives_are_rare_sources_are_not_asked(monkeypatch):
    """Views that err together on a few of the negatives would outweigh them."""
    monkeypatch.setattr("halflabel.stacking.sources.share_of_products", None)
    rare = Prior(0.01, 0.0, 0.02, "stacked")
    assert agreed_prior(rare, *sources(50, 5000)) is rare


@pytest.mark.parametrize("count", [0, 1])
def test_one_source_has_nobody_to_agree_with(count):
    P, U = sources(50, 150)
    assert agreed_prior(SAID, P[:count], U[:count]) is SAID


def test_sources_that_are_far_off_are_believed_less(monkeypatch):
    moved = []
    for said in (0.5, 0.7, 0.95, 0.999):
        monkeypatch.setattr("halflabel.stacking.sources.share_of_products", lambda P, U, said=said: said)
        moved.append(agreed_prior(SAID, *sources(50, 150)).value - SAID.value)
    assert 0 < moved[0] < moved[1]
    assert moved[1] > moved[2] > moved[3] > 0


def test_sources_that_agree_change_nothing(monkeypatch):
    monkeypatch.setattr("halflabel.stacking.sources.share_of_products", lambda P, U: SAID.value)
    assert agreed_prior(SAID, *sources(50, 150)).value == pytest.approx(SAID.value)


def test_a_source_is_the_mean_of_its_views_by_how_well_they_rank():
    rng = np.random.default_rng(0)
    positive = np.arange(300) < 100
    good, bad = rng.normal(size=300) + 3 * positive, rng.normal(size=300)
    alone, _ = source_scores(["own"], np.array([good]), positive, ~positive)
    both, _ = source_scores(["own", "traits"], np.array([good, bad]), positive, ~positive)
    assert np.corrcoef(alone[0], both[0])[0, 1] > 0.95


def test_views_of_a_node_and_its_neighbours_are_no_source_nor_are_those_that_rank_backwards():
    positive = np.arange(6) < 2
    right, wrong = np.arange(6.0)[::-1], np.arange(6.0)
    P, U = source_scores(["own", "hops", "trees", "convolution", "links to"],
                         np.array([right, right, right, right, wrong]), positive, ~positive)
    assert (P.shape, U.shape) == ((2, 2), (2, 4))


def test_without_any_source_the_prior_stays():
    positive = np.arange(6) < 2
    assert agreed_prior(SAID, *source_scores(["hops"], np.arange(6.0)[None], positive, ~positive)) is SAID
