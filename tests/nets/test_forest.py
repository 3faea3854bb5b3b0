"""A forest as tensors says what scikit-learn's says, and each member only what it may know."""

from itertools import combinations

import numpy as np
import pytest
import torch
from sklearn.ensemble import RandomForestClassifier

from halflabel.nets import FeatureMatrix
from halflabel.nets.forest import CERTAIN, LEAF, Forest, _rounded_down

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 5)).astype(np.float32)
X[:, 4] = RNG.integers(0, 3, 400)  # with ties
POSITIVE = (X[:, 0] > 0.5) & (X[:, 4] > 0)
FOLD = np.arange(400) % 4
PAIRS = list(combinations(range(4), 2))
TREES = 200 // len(PAIRS)
HELD = np.stack([np.isin(FOLD, out) for out in (0, 1, 2, 3, *PAIRS)])


def share(forest):
    return forest.embed(FeatureMatrix(X), None)[..., 0].numpy()


@pytest.fixture(scope="module")
def forest():
    return Forest.grown(X, POSITIVE, ~POSITIVE, HELD, random_state=3)


def test_a_member_says_what_scikit_learn_says(forest):
    said = share(forest)
    for number, held in enumerate(HELD[4:]):
        theirs = RandomForestClassifier(
            TREES, min_samples_leaf=LEAF, max_features=1, class_weight="balanced",
            random_state=3 + number)
        wanted = theirs.fit(X[~held], POSITIVE[~held]).predict_proba(X)[:, 1]
        np.testing.assert_allclose(said[4 + number], wanted, atol=1e-6)


def test_of_many_features_thirty_are_tried(monkeypatch):
    tried = []

    class Noting(RandomForestClassifier):
        def fit(self, *data):
            tried.append(self.max_features)
            return super().fit(*data)

    monkeypatch.setattr("sklearn.ensemble.RandomForestClassifier", Noting)
    for width in (1, 60, 300):
        wide = np.tile(X[:, :1], width)
        Forest.grown(wide, POSITIVE, ~POSITIVE, HELD[4:5])
    assert tried == [1, 20, 30]


def test_trees_are_grown_for_worlds_that_hold_out_most_and_serve_the_others(forest):
    assert forest.roots.shape == (len(PAIRS), TREES)
    said = share(forest)
    for fold in range(4):
        pairs = [4 + number for number, pair in enumerate(PAIRS) if fold in pair]
        np.testing.assert_allclose(said[fold], said[pairs].mean(axis=0), atol=1e-6)


def test_no_tree_of_a_member_knows_whom_it_holds_out(forest):
    for fold in range(4):
        lie = POSITIVE.copy()
        lie[fold == FOLD] ^= True
        np.testing.assert_array_equal(
            share(Forest.grown(X, lie, ~lie, HELD, random_state=3))[fold], share(forest)[fold])


def test_two_members_that_hold_out_the_same_have_a_forest_each():
    twins = Forest.grown(X, POSITIVE, ~POSITIVE, HELD[[0, 0]])
    assert twins.roots.shape == (2, 40)
    assert (twins.serves == 1).all()


def test_whoever_is_neither_known_nor_unlabelled_is_not_learned_from(forest):
    elsewhere = np.concatenate([X, np.full((50, 5), 9.0, dtype=np.float32)])
    nobody = np.zeros(50, dtype=bool)
    grown = Forest.grown(elsewhere, np.r_[POSITIVE, nobody], np.r_[~POSITIVE, nobody],
                         np.pad(HELD, ((0, 0), (0, 50))), random_state=3)
    np.testing.assert_array_equal(share(grown), share(forest))


def test_nodes_in_the_same_leaves_are_equal_to_the_bit_whoever_else_is_scored(forest):
    logits = forest(FeatureMatrix(X), None)
    for some in (np.arange(7), np.arange(3, 400, 5), np.arange(393, 400)):
        assert torch.equal(forest(FeatureMatrix(X[some]), None), logits[:, some])
    twice = forest(FeatureMatrix(np.repeat(X, 3, axis=0)), None)
    assert torch.equal(twice, logits.repeat_interleave(3, dim=1))


def test_log_odds_have_an_end(forest):
    certain = forest.classify(torch.tensor([[[0.0], [0.5], [1.0]]]), None)[0]
    end = np.log(CERTAIN / (1 - CERTAIN))
    assert certain.tolist() == pytest.approx([end, 0, -end], rel=1e-3)


def test_thresholds_in_single_precision_part_the_same_numbers():
    near = np.float32(RNG.normal(size=1000))
    above = np.nextafter(near, np.float32(np.inf))
    middle = (near.astype(np.float64) + above) / 2
    assert (near <= _rounded_down(middle)).all()
    assert (above > _rounded_down(middle)).all()


@pytest.mark.parametrize(("name", "value"), [
    ("left", 0), ("right", 10**6), ("roots", -1), ("feature", -1)])
def test_trees_that_lead_nowhere_are_refused(forest, name, value):
    forged = Forest(*forest.serves.shape, TREES, len(forest.share))
    forged.load_state_dict(forest.checked().state_dict())
    forged.get_buffer(name).view(-1)[-1] = value
    with pytest.raises(ValueError, match="lead nowhere"):
        forged.checked()
