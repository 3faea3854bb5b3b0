"""Shares among all, shares among the unlabelled and label frequencies are one thing under three names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halflabel.errors import DataError
from halflabel.priors import (
    label_frequency,
    prior_from_label_frequency,
    share_among_all,
    share_among_unlabelled,
)

COUNTS = st.integers(1, 10**6)


@given(st.floats(0, 1), COUNTS, COUNTS)
def test_there_and_back(prior, n_known, n_unlabelled):
    sizes = n_known, n_unlabelled
    # Where known nodes far outnumber the others, their share among all says little about the others.
    near = pytest.approx(prior, abs=1e-15 * (n_known + n_unlabelled) / n_unlabelled * 10 + 1e-12)
    assert share_among_unlabelled(share_among_all(prior, *sizes), *sizes) == near
    assert prior_from_label_frequency(label_frequency(prior, *sizes), *sizes) == near


@given(st.floats(0, 1), COUNTS, COUNTS)
def test_label_frequency_is_the_known_share_over_the_share_among_all(prior, n_known, n_unlabelled):
    known = n_known / (n_known + n_unlabelled)
    c = label_frequency(prior, n_known, n_unlabelled)
    assert c == pytest.approx(known / share_among_all(prior, n_known, n_unlabelled))


@pytest.mark.parametrize("call", [
    lambda: share_among_all(1.2, 10, 90), lambda: share_among_unlabelled(0.05, 10, 90),
    lambda: label_frequency(-0.1, 10, 90), lambda: prior_from_label_frequency(0.05, 10, 90),
    lambda: share_among_all(float("nan"), 10, 90)])
def test_impossible_shares_are_refused(call):
    with pytest.raises(DataError, match="impossible here: it lies between"):
        call()


@pytest.mark.parametrize("sizes", [(0, 5), (5, 0)])
@pytest.mark.parametrize("convert", [
    share_among_all, share_among_unlabelled, label_frequency, prior_from_label_frequency])
def test_either_kind_is_needed(convert, sizes):
    with pytest.raises(DataError, match="at least one of either"):
        convert(0.1, *sizes)


@pytest.mark.parametrize(("convert", "name"), [
    (share_among_all, "prior"), (share_among_unlabelled, "share_all"), (label_frequency, "prior"),
    (prior_from_label_frequency, "c")])
def test_what_is_impossible_is_named(convert, name):
    with pytest.raises(DataError, match=f"^{name} = 1.5 is impossible"):
        convert(1.5, 10, 90)
