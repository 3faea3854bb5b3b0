"""Every node has a member that did not train on it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halflabel.training.folds import Folds

KINDS = st.lists(st.sampled_from(["P", "U", "out of focus"]), min_size=1, max_size=60)


def draw(kinds, members, seed=0):
    kinds = np.array(kinds)
    positive, unlabelled = kinds == "P", kinds == "U"
    return positive, unlabelled, Folds.draw(positive, unlabelled, members, np.random.default_rng(seed))


@given(KINDS, st.integers(2, 8))
def test_folds_partition_the_nodes_in_focus_evenly_within_each_class(kinds, members):
    positive, unlabelled, folds = draw(kinds, members)
    in_focus = positive | unlabelled
    assert (folds.held.sum(axis=0) == in_focus).all()
    assert folds.held[folds.owner[in_focus], np.flatnonzero(in_focus)].all()
    for group in (positive, unlabelled):
        sizes = folds.held[:, group].sum(axis=1)
        assert sizes.max() - sizes.min() <= 1
    assert (folds.judged(positive) == positive).all()


@given(KINDS, st.integers(2, 8))
def test_out_of_fold_scores_are_those_of_the_member_that_held_the_node_out(kinds, members):
    positive, unlabelled, folds = draw(kinds, members)
    scores = np.where(folds.held, 0.0, np.nan)  # a score by a member that trained on the node is not a number
    assert not np.isnan(folds.out_of_fold(scores)[positive | unlabelled]).any()


@pytest.mark.parametrize(("known", "held"), [(1, 1), (4, 1), (5, 1), (10, 2), (50, 10)])
def test_a_single_member_holds_out_a_fifth_of_the_positives_and_nobody_else(known, held):
    positive, _, folds = draw(["P"] * known + ["U"] * 30, 1)
    assert folds.held.shape == (1, known + 30)
    assert folds.held[0].sum() == held
    assert (folds.judged(positive) == folds.held[0]).all()
    assert not folds.held[0, ~positive].any()
    assert folds.out_of_fold(np.arange(known + 30.0)[None]).tolist() == list(range(known + 30))


def test_the_seed_decides():
    kinds = ["P"] * 20 + ["U"] * 30
    first, again, other = (draw(kinds, 5, seed)[2].owner.tolist() for seed in (0, 0, 1))
    assert first == again != other


@given(KINDS, st.integers(2, 5), st.integers(1, 4))
def test_of_several_draws_each_has_members_of_its_own(kinds, members, draws):
    kinds = np.array(kinds)
    positive, unlabelled = kinds == "P", kinds == "U"
    folds = Folds.draw_often(positive, unlabelled, members, draws, np.random.default_rng(0))
    in_focus = positive | unlabelled
    assert (folds.held.sum(axis=0) == draws * in_focus).all()
    scores = np.where(folds.held, np.arange(len(folds.held))[:, None] // members, np.nan)
    expected = np.full(in_focus.sum(), np.mean(np.arange(draws)))  # the number of the draw, over all draws
    np.testing.assert_allclose(folds.out_of_fold(scores)[in_focus], expected)
