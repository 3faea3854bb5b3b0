"""Where to draw the nodes around one: on two rings, those further out near those they are linked with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 340.0, 270.0
RADII = ((0.0, 0.0), (78.0, 62.0), (136.0, 112.0))  # of the rings, across and down
GAP = 0.42  # radians between neighbours on the outer ring, if there is room
ROUNDS = 60


class Spot(NamedTuple):
    """A place in the picture."""

    x: float
    y: float


def place_on_rings(steps: Sequence[int], links: Mapping[int, Sequence[int]]) -> list[Spot]:
    """A place for every node, by how many steps it is away and whom it is linked with; the same every time.

    >>> spots = place_on_rings([0, 1, 1], {1: [0], 2: [0]})
    >>> spots[0] == Spot(WIDTH / 2, HEIGHT / 2), spots[1].y < spots[0].y < spots[2].y
    (True, True)
    """
    rings = [[i for i, step in enumerate(steps) if min(step, 2) == ring] for ring in range(3)]
    angle = dict.fromkeys(rings[0], 0.0)
    angle |= {i: -math.pi / 2 + 2 * math.pi * k / len(rings[1]) for k, i in enumerate(rings[1])}
    inner = set(rings[1])
    wanted = {i: _mean_angle([angle[j] for j in links.get(i, ()) if j in inner]) for i in rings[2]}
    angle |= _pushed_apart(wanted)
    return [_spot(min(step, 2), angle[i]) for i, step in enumerate(steps)]


def _spot(ring: int, angle: float) -> Spot:
    across, down = RADII[ring]
    return Spot(round(WIDTH / 2 + across * math.cos(angle), 1), round(HEIGHT / 2 + down * math.sin(angle), 1))


def _mean_angle(angles: Sequence[float]) -> float:
    return math.atan2(sum(map(math.sin, angles)), sum(map(math.cos, angles))) if angles else 0.0


def _pushed_apart(wanted: Mapping[int, float]) -> dict[int, float]:
    """The angles that were wanted, moved until neighbours keep their distance."""
    order = sorted(wanted, key=lambda i: (wanted[i], i))
    angles = [wanted[i] for i in order]
    count = len(angles)
    gap = min(GAP, 2 * math.pi / max(count, 1))
    for _ in range(ROUNDS if count > 1 else 0):
        for k in range(count):
            after = (k + 1) % count
            turn = 2 * math.pi if after == 0 else 0.0
            lack = gap - (angles[after] + turn - angles[k])
            if lack > 0:
                angles[k] -= lack / 2
                angles[after] += lack / 2
    return dict(zip(order, angles, strict=True))
