"""Worlds lack one fold or two, and each node is looked up where nobody knows it."""

from itertools import combinations

import numpy as np
import pytest

from halflabel.stacking import Worlds

POSITIVE = np.arange(40) < 15


@pytest.mark.parametrize("count", [3, 5])
def test_every_fold_and_every_pair_is_unknown_once(count):
    worlds = Worlds.draw(POSITIVE, ~POSITIVE, count, np.random.default_rng(0))
    lacking = [{int(f) for f in worlds.members.owner[held]} for held in worlds.members.held]
    assert lacking == [{k} for k in range(count)] + [set(pair) for pair in combinations(range(count), 2)]


@pytest.mark.parametrize("fold", range(4))
def test_the_world_without_a_fold_lacks_it_and_the_nodes_own(fold):
    worlds = Worlds.draw(POSITIVE, ~POSITIVE, 4, np.random.default_rng(1))
    owner = worlds.members.owner
    for node, world in enumerate(worlds.without(fold)):
        assert {int(f) for f in owner[worlds.members.held[world]]} == {fold, int(owner[node])}
