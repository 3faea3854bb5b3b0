"""Labels beside the nodes of a picture, none over another: who finds no room has none."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from halflabel.plots.rings import HEIGHT, WIDTH, Spot

SIZE = 10.0  # of the letters
LONGEST = 11  # characters
AWAY = 9.0  # from the middle of a node


class Label(NamedTuple):
    """Text that begins, ends or is centred at a spot, as `anchor` says."""

    text: str
    spot: Spot
    anchor: str


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: _Box) -> bool:
        return (self.left < other.right and other.left < self.right
                and self.top < other.bottom and other.top < self.bottom)

    def holds(self, point: Spot) -> bool:
        return self.left < point.x < self.right and self.top < point.y < self.bottom

    def is_inside(self) -> bool:
        return self.left >= 0 and self.top >= 0 and self.right <= WIDTH and self.bottom <= HEIGHT


def place_labels(
    names: Sequence[str], spots: Sequence[Spot], lines: Sequence[tuple[Spot, Spot]] = ()
) -> list[Label | None]:
    """A label for each node in turn, so the most important come first; None where there is no room.

    No label lies over another or over a node, and as few as possible over one of the lines.

    >>> first, second = place_labels(["ann", "bob"], [Spot(100, 100), Spot(101, 100)])
    >>> first.text, second is None or second.spot != first.spot
    ('ann', True)
    """
    taken = [_Box(x - 6, y - 6, x + 6, y + 6) for x, y in spots]
    points = [point for line in lines for point in _points(*line)]
    labels: list[Label | None] = []
    for name, spot in zip(names, spots, strict=True):
        free = [(label, box) for label, box in _choices(shortened(name), spot)
                if box.is_inside() and not any(box.meets(other) for other in taken)]
        best = min(free, key=lambda choice: sum(map(choice[1].holds, points)), default=None)
        if best:
            taken.append(best[1])
        labels.append(best[0] if best else None)
    return labels


def shortened(name: str) -> str:
    """The beginning and the end, which is where ids differ; control characters as a mark.

    >>> shortened("ACC-0427"), shortened("customer-000000417")
    ('ACC-0427', 'custo…00417')
    """
    plain = "".join(letter if letter.isprintable() else "·" for letter in name)
    half = (LONGEST - 1) // 2
    return plain if len(plain) <= LONGEST else f"{plain[:half]}…{plain[-half:]}"


def _choices(text: str, spot: Spot) -> list[tuple[Label, _Box]]:
    """Beside, on the far side of the centre first; then above and below."""
    x, y = spot
    width, tall = _width(text), SIZE + 1
    right = Label(text, Spot(x + AWAY, y + 3.5), "start"), _Box(x + AWAY, y - 6, x + AWAY + width, y + 6)
    left = Label(text, Spot(x - AWAY, y + 3.5), "end"), _Box(x - AWAY - width, y - 6, x - AWAY, y + 6)
    above = (Label(text, Spot(x, y - AWAY), "middle"),
             _Box(x - width / 2, y - AWAY - tall + 2, x + width / 2, y - AWAY + 2))
    below = (Label(text, Spot(x, y + AWAY + 8), "middle"),
             _Box(x - width / 2, y + AWAY - 1, x + width / 2, y + AWAY + tall))
    sides = [right, left] if x >= WIDTH / 2 else [left, right]
    ends = [above, below] if y < HEIGHT / 2 else [below, above]
    corners = [_corner(text, spot, across, down) for down in (-1, 1) for across in (1, -1)]
    return [*sides, *ends, *corners]


def _corner(text: str, spot: Spot, across: int, down: int) -> tuple[Label, _Box]:
    x, y = spot.x + 6 * across, spot.y + 10 * down
    left = x if across > 0 else x - _width(text)
    return (Label(text, Spot(x, y + 3.5), "start" if across > 0 else "end"),
            _Box(left, y - 5.5, left + _width(text), y + 5.5))


def _points(a: Spot, b: Spot) -> list[Spot]:
    """Close enough on the line that none goes through a label unseen."""
    count = int(max(abs(a.x - b.x), abs(a.y - b.y)) // 3) + 1
    return [Spot(a.x + (b.x - a.x) * i / count, a.y + (b.y - a.y) * i / count) for i in range(count + 1)]


def _width(text: str) -> float:
    """In the widest font a page may have."""
    return sum(SIZE if unicodedata.east_asian_width(letter) in "WF" else 0.64 * SIZE for letter in text)
