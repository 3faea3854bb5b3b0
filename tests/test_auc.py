"""The area under the curve, against scikit-learn's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from halflabel.auc import pu_auc

scores = st.lists(st.integers(-5, 5), min_size=1, max_size=30)


@given(scores, scores)
def test_it_is_the_area_under_the_curve_ties_included(positive, unlabelled):
    known = np.r_[np.ones(len(positive)), np.zeros(len(unlabelled))]
    expected = roc_auc_score(known, [*positive, *unlabelled])
    assert pu_auc(np.array(positive), np.array(unlabelled)) == pytest.approx(expected)
