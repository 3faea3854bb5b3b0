"""Blend: who scores whom, and what a view counts."""

import numpy as np
import pytest

from halflabel.stacking import Blend, Worlds

# One draw of two folds, two views; the networks that lack fold 0 say 1, those that lack fold 1 say 10.
BLEND = Blend(weights=np.array([[1.0, 0.0], [0.0, 2.0]]), centre=np.zeros((2, 2)), spread=np.ones((2, 2)),
              folds=np.array([[0, 1, 1]]))
LOGITS = np.broadcast_to(np.array([1.0, 10.0])[None, :, None], (2, 2, 3))


def test_fitted_nodes_are_scored_by_who_did_not_know_them():
    assert BLEND.together(LOGITS, np.array([0, 1, 2])).tolist() == [1.0, 20.0, 20.0]
    assert BLEND.apart(LOGITS, np.array([0, 1, 2])).tolist() == [[1.0, 10.0, 10.0]] * 2


def test_to_new_nodes_everybody_is_a_stranger():
    assert BLEND.together(LOGITS, np.array([-1, 2, -1])).tolist() == [10.5, 20.0, 10.5]


def test_logits_count_in_units_of_their_spread():
    blend = Blend(BLEND.weights, centre=np.full((2, 2), 1.0), spread=np.full((2, 2), 3.0), folds=BLEND.folds)
    assert blend.together(LOGITS, np.array([0, 1, 2])).tolist() == [0.0, 6.0, 6.0]


@pytest.fixture
def drawn():
    """A view that ranks positives first and one of noise, in two draws of three folds."""
    rng = np.random.default_rng(0)
    positive = np.arange(300) < 100
    draws = [Worlds.draw(positive, ~positive, 3, rng) for _ in range(2)]
    seen = np.where(positive, 2.0, 0.0) + rng.normal(size=(2, 6, 300))
    return np.stack([5 * seen + 7, rng.normal(size=(2, 6, 300))]), draws, positive


def test_what_ranks_positives_counts(drawn):
    logits, draws, positive = drawn
    blend = Blend.learned(logits, draws, positive, ~positive)
    assert blend.weights.shape == (6, 2)
    assert (blend.weights[:, 0] > 10 * blend.weights[:, 1]).all()
    np.testing.assert_allclose(blend.centre[0], logits[0, :, :3].mean(axis=2).ravel())
    np.testing.assert_array_equal(blend.folds, [worlds.members.owner for worlds in draws])


def test_weights_for_a_fold_do_not_know_it(drawn):
    """Whatever its nodes are, and whatever networks that knew the fold say of others."""
    logits, draws, positive = drawn
    worlds = draws[0]
    in_fold = worlds.members.owner == 1
    blend = Blend.learned(logits[:, :1], [worlds], positive, ~positive)
    other = positive ^ (in_fold & (np.arange(300) % 2 == 0))
    again = Blend.learned(logits[:, :1], [worlds], other, ~other)
    np.testing.assert_array_equal(again.weights[1], blend.weights[1])
    assert (again.weights[0] != blend.weights[0]).any()


def test_arrays_bring_it_back(drawn):
    logits, draws, positive = drawn
    blend = Blend.learned(logits, draws, positive, ~positive)
    again = Blend.from_arrays(blend.to_arrays())
    kept = logits[:, :, :3].reshape(2, 6, 300)
    np.testing.assert_array_equal(again.together(kept, np.arange(300)), blend.together(kept, np.arange(300)))
