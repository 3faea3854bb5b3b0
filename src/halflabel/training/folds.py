"""Who is held out of whose training: every node gets a score from a network that did not train on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

HELD_OUT_SHARE = 0.2  # of the positives, where a single network must do


@dataclass(frozen=True)
class Folds:
    """`held[m, i]`: member m trains without node i. `owner[i]`: the member whose score of i is out of fold.

    Held-out nodes stay in the graph, and leave both terms of the loss. Folds can be drawn several times:
    `again` has the owners in the further draws, whose members come after those of the first.

    >>> positive = np.array([True, True, True, True, False, False])
    >>> folds = Folds.draw(positive, ~positive, members=2, rng=np.random.default_rng(0))
    >>> folds.held.sum(axis=0).tolist()
    [1, 1, 1, 1, 1, 1]
    >>> folds.out_of_fold(np.zeros((2, 6))).shape
    (6,)
    """

    held: np.ndarray
    owner: np.ndarray
    again: tuple[np.ndarray, ...] = ()

    @classmethod
    def draw_often(
        cls, positive: np.ndarray, unlabelled: np.ndarray, members: int, draws: int, rng: np.random.Generator
    ) -> Folds:
        """So many draws of folds, with members of their own.

        >>> positive = np.arange(8) < 4
        >>> folds = Folds.draw_often(positive, ~positive, members=2, draws=3, rng=np.random.default_rng(0))
        >>> folds.held.shape, folds.held.sum(axis=0).tolist()
        ((6, 8), [3, 3, 3, 3, 3, 3, 3, 3])
        """
        drawn = [cls.draw(positive, unlabelled, members, rng) for _ in range(draws)]
        later = (members * number + folds.owner for number, folds in enumerate(drawn[1:], start=1))
        return cls(np.concatenate([folds.held for folds in drawn]), drawn[0].owner, tuple(later))

    @classmethod
    def draw(
        cls, positive: np.ndarray, unlabelled: np.ndarray, members: int, rng: np.random.Generator
    ) -> Folds:
        """Stratified folds, one per member.

        A single member holds out a fifth of the positives only; 0 stands for one that holds out nobody.
        """
        owner = np.zeros(len(positive), dtype=np.int64)
        held = np.zeros((max(members, 1), len(positive)), dtype=bool)
        if members == 0:
            return cls(held, owner)
        if members == 1:
            shuffled = rng.permutation(np.flatnonzero(positive))
            held[0, shuffled[: max(1, int(HELD_OUT_SHARE * len(shuffled)))]] = True
            return cls(held, owner)
        for group in (positive, unlabelled):
            shuffled = rng.permutation(np.flatnonzero(group))
            owner[shuffled] = np.arange(len(shuffled)) % members
            held[owner[shuffled], shuffled] = True
        return cls(held, owner)

    def out_of_fold(self, scores: np.ndarray) -> np.ndarray:
        """From scores of shape (members, nodes), for each node that of its owner; of several, their mean."""
        if len(scores) == 1:
            return scores[0].copy()
        nodes = np.arange(scores.shape[1])
        if not self.again:
            return scores[self.owner, nodes]
        return scores[np.stack([self.owner, *self.again]), nodes].mean(axis=0)

    def judged(self, positive: np.ndarray) -> np.ndarray:
        """The positives whose out-of-fold score is honest."""
        return positive & self.held.any(axis=0)
