"""A random forest of P against U: grown by scikit-learn, kept as tensors.

Where features are numbers, what matters is often a step or a corner: amounts just below a limit, many calls
and a high bill. A tree finds these at once, a perceptron has to bend itself to them.

A tree may speak in every world of which it knows nobody that is held out. So trees are grown only for the
worlds that hold out most, and serve those that hold out less too: ten forests do for fifteen worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Self

import numpy as np
import torch
from torch import Tensor

from halflabel.edges.adjacency import MaskedGraph
from halflabel.nets.backbone import Backbone
from halflabel.nets.features import FeatureMatrix

if TYPE_CHECKING:
    from sklearn.tree._tree import Tree

TREES = 200  # of all forests together
FEWEST_TREES, MOST_TREES = 10, 40  # of a forest
LEAF = 10  # nodes, at least
TRIED, MOST_TRIED = 1 / 3, 30  # of the features, at every fork: a share, and how many at most
CERTAIN = 0.001  # no forest is surer than that


class Forest(Backbone):
    """Members that take the mean over the forests that serve them, (members, forests).

    The nodes of all trees follow each other: a feature, a threshold, whom to ask next if the feature is at
    most that, whom if not, and the share of P. A leaf refers to itself.

    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3)).astype(np.float32)
    >>> positive = X[:, 0] > 1
    >>> forest = Forest.grown(X, positive, ~positive, held=rng.random((2, 200)) < 0.5)
    >>> logits = forest(FeatureMatrix(X), None)
    >>> logits.shape, bool(logits[:, positive].min() > logits[:, ~positive].max())
    (torch.Size([2, 200]), True)
    """

    radius = 0
    serves: Tensor
    roots: Tensor  # of the trees of each forest
    feature: Tensor
    threshold: Tensor
    left: Tensor
    right: Tensor
    share: Tensor

    def __init__(self, members: int, forests: int, trees: int, nodes: int):
        super().__init__()
        self.register_buffer("serves", torch.zeros(members, forests))
        self.register_buffer("roots", torch.zeros(forests, trees, dtype=torch.int64))
        for name in ("feature", "left", "right"):
            self.register_buffer(name, torch.zeros(nodes, dtype=torch.int64))
        for name in ("threshold", "share"):
            self.register_buffer(name, torch.zeros(nodes))

    @classmethod
    def grown(
        cls, X: np.ndarray, positive: np.ndarray, unlabelled: np.ndarray, held: np.ndarray,
        random_state: int = 0, counted: Callable[[int], Iterable[int]] = range,
    ) -> Self:
        """From who is held out of each member, (members, nodes); `counted` may show how far it is."""
        within = held.astype(np.float32) @ (~held).T.astype(np.float32) == 0  # [i, j]: j holds out all of i's
        grown = np.flatnonzero(~(within & ~within.T).any(axis=1))
        count = int(np.clip(TREES // len(grown), FEWEST_TREES, MOST_TREES))
        trees: list[Tree] = []
        for number in counted(len(grown)):
            rows = np.flatnonzero((positive | unlabelled) & ~held[grown[number]])
            trees += _trees(count, X[rows], positive[rows], random_state + number)
        forest = cls(len(held), len(grown), count, sum(tree.node_count for tree in trees))
        forest.serves.copy_(torch.as_tensor(within[:, grown]))
        forest._plant(trees)
        return forest

    def _plant(self, trees: list[Tree]) -> None:
        start = np.cumsum([0, *(tree.node_count for tree in trees)])
        self.roots.copy_(torch.as_tensor(start[:-1]).view_as(self.roots))
        for tree, first, end in zip(trees, start, start[1:], strict=False):
            own, leaf = np.arange(tree.node_count), tree.children_left < 0
            for name, value in (
                ("feature", np.where(leaf, 0, tree.feature)),
                ("left", first + np.where(leaf, own, tree.children_left)),
                ("right", first + np.where(leaf, own, tree.children_right)),
                ("threshold", _rounded_down(tree.threshold)),
                ("share", tree.value[:, 0, -1] / tree.value[:, 0].sum(axis=1)),  # of P, if there is no U
            ):
                self.get_buffer(name)[first:end] = torch.as_tensor(value)

    def checked(self) -> Self:
        """Itself; ValueError if asking would not end, as trees of a forged file might want."""
        ends = torch.stack([self.left, self.right])
        own = torch.arange(ends.shape[1], device=ends.device)
        asked = torch.cat([self.roots.flatten(), ends.flatten()])
        if (ends < own).any() or (asked < 0).any() or (asked >= len(own)).any() or (self.feature < 0).any():
            raise ValueError("the trees of a forest lead nowhere")
        return self

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """The share of P that each member's trees see around a node, (members, nodes, 1).

        In double precision: nodes in the same leaves are to be equal to the bit once it is single again,
        whoever else is scored along with them. Ranks would make much of the last bit.
        """
        values = X.dense()
        by_forest = torch.stack([self._ask(roots, values) for roots in self.roots])
        serves = self.serves.double()
        return (serves @ by_forest / serves.sum(dim=1, keepdim=True))[..., None]

    def _ask(self, roots: Tensor, values: Tensor) -> Tensor:
        n, width = values.shape
        row = torch.arange(n, device=values.device) * width
        at = roots[:, None].expand(-1, n)
        while True:
            low = values.take(row + self.feature[at]) <= self.threshold[at]
            following = torch.where(low, self.left[at], self.right[at])
            if torch.equal(at, following):
                return self.share[at].double().mean(dim=0)
            at = following

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """As log odds."""
        return h[..., 0].logit(CERTAIN).float()


def _trees(count: int, X: np.ndarray, positive: np.ndarray, random_state: int) -> list[Tree]:
    from sklearn.ensemble import RandomForestClassifier  # a fifth of a second, for those who grow trees

    tried = max(1, min(int(TRIED * X.shape[1]), MOST_TRIED))
    forest = RandomForestClassifier(
        count, min_samples_leaf=LEAF, max_features=tried, class_weight="balanced",
        random_state=random_state, n_jobs=torch.get_num_threads())
    return [one.tree_ for one in forest.fit(X, positive).estimators_]


def _rounded_down(threshold: np.ndarray) -> np.ndarray:
    """To single precision, so that a number in single precision is at most this if it was at most that."""
    near = threshold.astype(np.float32)
    return np.where(near > threshold, np.nextafter(near, np.float32(-np.inf)), near)
