"""Who is like whom: against dense matrices, for nodes that were fitted, changed or new."""

import numpy as np
import pytest
from scipy import sparse

from halflabel.stacking import likeness as module
from halflabel.stacking.likeness import LIKES, Likeness

RNG = np.random.default_rng(0)
WORDS = (RNG.random((60, 90)) < 0.1).astype(np.float32)
WORDS[7] = 0  # somebody has nothing
EVERYBODY = np.arange(60)


def cosines(rows, fitted):
    weight = np.log((len(fitted) + 1) / (fitted.sum(axis=0) + 1))
    one, other = (side * weight for side in (rows, fitted))
    lengths = np.linalg.norm(one, axis=1)[:, None] * np.linalg.norm(other, axis=1)
    return one @ other.T / lengths.clip(min=1e-12)


def shares(rows, fitted, place):
    found = cosines(rows, fitted)
    found[np.flatnonzero(place >= 0), place[place >= 0]] = 0
    found[found < np.sort(found, axis=1)[:, [-LIKES]] - 1e-9] = 0
    return found / found.sum(axis=1, keepdims=True).clip(min=1e-12)


@pytest.fixture(scope="module")
def likeness():
    return Likeness.of(sparse.csr_array(WORDS))


@pytest.mark.parametrize("dense", [True, False])
def test_likes_have_the_largest_cosines(monkeypatch, dense):
    monkeypatch.setattr(module, "DENSE", 1e9 if dense else 1e-9)
    monkeypatch.setattr(module, "BLOCK", 700)  # eleven rows at a time
    found = Likeness.of(sparse.csr_array(WORDS))(sparse.csr_array(WORDS), EVERYBODY).toarray()
    np.testing.assert_allclose(found, shares(WORDS, WORDS, EVERYBODY), atol=1e-6)
    assert found.diagonal().max() == 0
    assert found[7].max() == 0


def test_how_much_there_is_of_something_does_not_matter(likeness):
    np.testing.assert_array_equal(likeness(sparse.csr_array(3 * WORDS), EVERYBODY).toarray(),
                                  likeness(sparse.csr_array(WORDS), EVERYBODY).toarray())


def test_changed_and_new_rows_find_their_likes_among_the_fitted(likeness):
    rows = WORDS[[3, 4, 4, 5, 3]].copy()
    rows[1] = WORDS[20]  # now that of another
    place = np.array([3, 4, 4, -1, 3])
    np.testing.assert_allclose(likeness(sparse.csr_array(rows), place).toarray(),
                               shares(rows, WORDS, place), atol=1e-6)


def test_only_rows_that_differ_are_compared_and_copies_once(likeness, monkeypatch):
    compared = []
    found = Likeness._found
    monkeypatch.setattr(Likeness, "_found", lambda self, rows, place: (
        compared.append(len(place)), found(self, rows, place))[1])
    copies = np.tile(EVERYBODY, 3)
    rows = WORDS[copies].copy()
    rows[[4, 64]] = WORDS[20]  # node 4 in two of the copies
    likeness(sparse.csr_array(rows), copies)
    assert compared == [1]


def test_saved_and_loaded_it_finds_the_same(likeness):
    again = Likeness.from_arrays(likeness.to_arrays())
    rows, place = sparse.csr_array(WORDS[[3, 4]]), np.array([3, -1])
    np.testing.assert_array_equal(again(rows, place).toarray(), likeness(rows, place).toarray())


@pytest.mark.parametrize(("name", "forged"), [
    ("likes", lambda likes: likes + 60), ("likes", lambda likes: likes - 60),
    ("likes", lambda likes: likes[1:]), ("share", lambda share: share[:, 1:]), ("has", lambda has: has + 90),
    ("first", lambda first: first + 1), ("width", lambda width: width - 60)])
def test_forged_arrays_are_refused(likeness, name, forged):
    arrays = likeness.to_arrays()
    arrays[name] = forged(arrays[name])
    with pytest.raises(ValueError):
        Likeness.from_arrays(arrays)


def test_what_everybody_has_tells_nothing_and_few_nodes_have_few_likes():
    words = sparse.csr_array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 1.0]])
    found = Likeness.of(words)
    assert found.likes.node.shape == (3, 2)
    assert found(words, np.arange(3)).toarray().tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
