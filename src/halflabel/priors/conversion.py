"""One unknown, three names: share among the unlabelled, share among all, label frequency.

With n_known positives labelled, n_unlabelled others and pi the share of positives among those others,

    share among all = (n_known + pi n_unlabelled) / (n_known + n_unlabelled)
    label frequency = n_known / (n_known + pi n_unlabelled)        (c = P(labelled | positive))

Elkan-Noto (KDD 2008) and TIcE (AAAI 2018) speak of c, nnPU and most libraries of the share among all; this
package always means the share among the unlabelled.
"""

from __future__ import annotations

from halflabel.errors import DataError


def share_among_all(prior: float, n_known: int, n_unlabelled: int) -> float:
    """Share of positives among all nodes, known ones included.

    >>> round(share_among_all(0.178, 409, 2299), 3)  # Cora, half of its positives known
    0.302
    """
    _check(n_known, n_unlabelled)
    _check_share("prior", prior, 0.0)
    return (n_known + prior * n_unlabelled) / (n_known + n_unlabelled)


def share_among_unlabelled(share_all: float, n_known: int, n_unlabelled: int) -> float:
    """The inverse of share_among_all: what this package calls the prior.

    >>> round(share_among_unlabelled(0.302, 409, 2299), 3)
    0.178
    """
    _check(n_known, n_unlabelled)
    _check_share("share_all", share_all, n_known / (n_known + n_unlabelled))
    return max(0.0, (share_all * (n_known + n_unlabelled) - n_known) / n_unlabelled)


def label_frequency(prior: float, n_known: int, n_unlabelled: int) -> float:
    """c = P(labelled | positive): the share of all positives that are known.

    >>> label_frequency(0.25, 100, 400)
    0.5
    """
    _check(n_known, n_unlabelled)
    _check_share("prior", prior, 0.0)
    return n_known / (n_known + prior * n_unlabelled)


def prior_from_label_frequency(c: float, n_known: int, n_unlabelled: int) -> float:
    """The inverse of label_frequency.

    >>> prior_from_label_frequency(0.5, 100, 400)
    0.25
    """
    _check(n_known, n_unlabelled)
    _check_share("c", c, n_known / (n_known + n_unlabelled))
    return max(0.0, n_known * (1 - c) / (c * n_unlabelled))


def _check(n_known: int, n_unlabelled: int) -> None:
    if n_known < 1 or n_unlabelled < 1:
        raise DataError(f"Got {n_known} known positives and {n_unlabelled} unlabelled nodes: at least one of "
                        "either is needed.")


def _check_share(name: str, value: float, lowest: float) -> None:
    """A share among all cannot be below that of the known positives, nor can c; rounding is forgiven."""
    if not lowest - 1e-9 <= value <= 1 + 1e-9:
        raise DataError(f"{name} = {value} is impossible here: it lies between {lowest:.4g} and 1.")
