"""estimate_prior: checks its input and returns a value inside its interval."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from halflabel.errors import DataError
from halflabel.priors import Prior, best_bin, estimate_prior

SCORES = hnp.arrays(float, st.integers(1, 30), elements=st.floats(-5, 5))


@given(SCORES, SCORES)
@settings(deadline=None, max_examples=50)
def test_the_value_lies_in_its_interval_and_all_in_zero_to_one(scores_p, scores_u):
    prior = estimate_prior(scores_p, scores_u)
    assert isinstance(prior, Prior)
    assert prior.value == best_bin(scores_p, scores_u)
    assert 0 <= prior.low <= prior.value <= prior.high <= 1
    assert prior.method == "bbe"


def test_lists_and_single_precision_are_fine_and_stay_as_they_were():
    scores_p, scores_u = np.float32([3, 4, 5]), np.float32([4, 1, 3, 0])
    as_lists = estimate_prior(scores_p.tolist(), scores_u.tolist())
    assert estimate_prior(scores_p, scores_u) == as_lists
    assert scores_u.tolist() == [4, 1, 3, 0]


@pytest.mark.parametrize("bad", [[], [[1.0, 2.0]], 3.0, [1.0, np.nan], [1.0, np.inf]],
                         ids=["empty", "matrix", "number", "nan", "infinity"])
@pytest.mark.parametrize("side", ["scores_p", "scores_u"])
def test_bad_scores_are_named(bad, side):
    scores = {"scores_p": [1.0, 2.0], "scores_u": [1.0, 0.0], side: bad}
    with pytest.raises(DataError, match=f"^{side} must be a non-empty list of finite numbers"):
        estimate_prior(**scores)


def test_an_unknown_estimator_is_named():
    with pytest.raises(DataError, match=r"'bbee'\. Did you mean 'bbe'"):
        estimate_prior([1.0], [0.0], method="bbee")
