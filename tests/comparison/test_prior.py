"""The prior that all methods are judged by."""

import numpy as np
import pytest

import halflabel as hl
from halflabel.comparison.prior import common_prior
from halflabel.errors import DataError


def test_the_common_prior_falls_back_where_views_say_nothing():
    rng = np.random.default_rng(0)
    graph = hl.Graph.from_edges(*rng.integers(40, size=(2, 120)), rng.normal(size=(40, 3)))
    known = np.arange(40) < 8
    assert common_prior(graph, known).method == "bbe"
    with pytest.raises(DataError):
        common_prior(graph, known, "two_view")
