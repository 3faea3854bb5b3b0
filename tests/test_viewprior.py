"""The middle of what pairs of views say."""

import numpy as np
import pytest

from halflabel.errors import DataError
from halflabel.labels import hide_positives
from halflabel.priors import estimate_prior
from halflabel.viewprior import PAIRS, combine_views, prior_from_views

KNOWN = np.arange(4000) < 1000
POSITIVE = np.arange(4000) < 1600  # a fifth of the unlabelled


def views(**signal: float) -> dict[str, np.ndarray]:
    """Independent views whose classes are so many standard deviations apart."""
    rng = np.random.default_rng(0)
    return {name: rng.normal(size=4000) + gap * POSITIVE for name, gap in signal.items()}


def pair(columns, *names):
    scores = np.column_stack([columns[name] for name in names])
    return estimate_prior(scores[KNOWN], scores[~KNOWN], "two_view")


def test_of_three_pairs_the_middle_one_counts_with_its_interval():
    columns = views(ego=1, neighbours=1, links=1, gcn=1)
    found = combine_views(columns, KNOWN)
    pairs = [pair(columns, *names) for names in PAIRS]
    assert found == sorted(pairs)[1]
    assert found.low < 0.2 < found.high


def test_a_view_without_signal_leaves_one_pair():
    columns = views(ego=1, neighbours=1, links=0, gcn=1)
    assert combine_views(columns, KNOWN) == pair(columns, "ego", "neighbours")


def test_without_any_pair_own_features_and_the_network_serve():
    columns = views(ego=1, neighbours=0, links=0, gcn=1)
    assert combine_views(columns, KNOWN) == pair(columns, "ego", "gcn")


def test_without_any_signal_there_is_no_estimate():
    with pytest.raises(DataError, match="carries no signal"):
        combine_views(views(ego=0, neighbours=0, links=0, gcn=0), KNOWN)


@pytest.mark.data
def test_it_is_close_on_a_real_graph(real_graph):
    graph, y = real_graph("cora")
    known = hide_positives(y)
    truth = (y == np.bincount(y).argmax())[~known].mean()
    assert abs(prior_from_views(graph, known).value - truth) < 0.08
