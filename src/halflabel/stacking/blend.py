"""Blend: one score a node from the networks of all views, by those that did not know the node's fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from halflabel.stacking.weights import learn_weights
from halflabel.stacking.worlds import Worlds


@dataclass(frozen=True)
class Blend:
    """Of every fold in every draw of folds, for the networks that lack it: how much each view counts.

    `weights` has a row for each fold of each draw; `centre` and `spread` of the networks' logits, a row for
    each view; `folds`, a row for each draw, tells which fold a node is in.
    """

    weights: np.ndarray
    centre: np.ndarray
    spread: np.ndarray
    folds: np.ndarray

    @classmethod
    def learned(
        cls, logits: np.ndarray, draws: Sequence[Worlds], positive: np.ndarray, unlabelled: np.ndarray
    ) -> Self:
        """From logits of shape (views, draws, worlds, nodes)."""
        centre, spread = logits.mean(axis=3), logits.std(axis=3).clip(min=1e-9)
        standard = (logits - centre[..., None]) / spread[..., None]
        weights = [_weights_by_fold(scores, worlds, positive, positive | unlabelled)
                   for worlds, scores in zip(draws, standard.swapaxes(0, 1), strict=True)]

        def lacking_one(side: np.ndarray) -> np.ndarray:
            return side[..., : draws[0].count].reshape(len(logits), -1)

        return cls(np.concatenate(weights), lacking_one(centre), lacking_one(spread),
                   np.stack([worlds.members.owner for worlds in draws]))

    def apart(self, logits: np.ndarray, place: np.ndarray) -> np.ndarray:
        """The score of every node by every view, (views, nodes), from logits of networks that lack one fold,
        (views, draws * folds, nodes); nodes are those at `place` among the fitted ones."""
        return np.stack([self._by_strangers(scores, place) for scores in self._standard(logits)])

    def together(self, logits: np.ndarray, place: np.ndarray) -> np.ndarray:
        """The score of every node by all views; to new nodes, at -1, all networks are strangers."""
        scores = np.einsum("vmn,mv->mn", self._standard(logits), self.weights)
        return np.where(place >= 0, self._by_strangers(scores, place), scores.mean(axis=0))

    def _standard(self, logits: np.ndarray) -> np.ndarray:
        return (logits - self.centre[..., None]) / self.spread[..., None]

    def _by_strangers(self, scores: np.ndarray, place: np.ndarray) -> np.ndarray:
        """From (draws * folds, nodes): each node's score by those that lacked its fold, mean over draws."""
        by_draw = scores.reshape(len(self.folds), -1, len(place))
        own = np.take_along_axis(by_draw, self.folds[:, None, place], axis=1)
        return own.mean(axis=(0, 1))

    def to_arrays(self) -> dict[str, np.ndarray]:
        """For a saved model."""
        return {name: getattr(self, name) for name in ("weights", "centre", "spread", "folds")}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Self:
        """The inverse of :meth:`to_arrays`."""
        return cls(*(arrays[name] for name in ("weights", "centre", "spread", "folds")))


def _weights_by_fold(
    scores: np.ndarray, worlds: Worlds, positive: np.ndarray, in_focus: np.ndarray
) -> np.ndarray:
    """For each fold, weights from the nodes of the others; `scores` of shape (views, worlds, nodes)."""
    weights = []
    for fold in range(worlds.count):
        learned = np.flatnonzero(in_focus & (worlds.members.owner != fold))
        inputs = scores[:, worlds.without(fold)[learned], learned].T
        weights.append(learn_weights(inputs, positive[learned]))
    return np.stack(weights)
