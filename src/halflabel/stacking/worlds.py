"""Worlds: in each of them the labels of one fold, or of two, are unknown.

A node's score must not depend on its own label. Networks are easily kept from it; but the weights that put
views together are learned from scores too, and those from networks. So the weights used on fold k come from
worlds that lack k, in which a node of fold j is scored by networks that lack j as well: worlds lack pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from halflabel.training.folds import Folds


@dataclass(frozen=True)
class Worlds:
    """The first `count` worlds lack one fold each, the others two; `members` holds out accordingly.

    >>> positive = np.arange(12) < 6
    >>> worlds = Worlds.draw(positive, ~positive, count=3, rng=np.random.default_rng(0))
    >>> worlds.members.held.shape
    (6, 12)
    >>> held = worlds.members.held[worlds.without(1), np.arange(12)]  # in its world, nobody is known
    >>> bool(held.all())
    True
    """

    count: int
    members: Folds

    @classmethod
    def draw(
        cls, positive: np.ndarray, unlabelled: np.ndarray, count: int, rng: np.random.Generator
    ) -> Worlds:
        """Stratified folds and all pairs of them."""
        folds = Folds.draw(positive, unlabelled, count, rng)
        pairs = [folds.held[j] | folds.held[k] for j, k in combinations(range(count), 2)]
        return cls(count, Folds(np.stack([*folds.held, *pairs]), folds.owner))

    def without(self, fold: int) -> np.ndarray:
        """For each node the world that lacks this fold and the node's own."""
        world_of = np.full(self.count, fold)
        for index, pair in enumerate(combinations(range(self.count), 2), start=self.count):
            if fold in pair:
                world_of[sum(pair) - fold] = index
        return world_of[self.members.owner]
