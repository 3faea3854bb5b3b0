"""The curve above the slider: expected hits for every budget that the slider can stop at."""

from __future__ import annotations

from halflabel.report.budget import Budget

WIDTH, HEIGHT, MARGIN = 480, 120, 20  # of the picture; the margin is below, for the numbers
TICKS = (1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000)


def gains_svg(budget: Budget) -> str:
    """A line over the slider's stops, from none to all of the positives that are left; empty without nodes.

    >>> from halflabel.report.budget import Review
    >>> gains_svg(Budget([Review(1, 0.9, 0.9, 0.9), Review(2, 1.0, 0.5, 1.0)], 1, 1.0)).startswith("<svg")
    True
    """
    if len(budget.reviews) < 2:
        return ""
    x = [WIDTH * i / (len(budget.reviews) - 1) for i in range(len(budget.reviews))]
    y = [_height(review.recall) for review in budget.reviews]
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    at = {review.count: place for review, place in zip(budget.reviews, x, strict=True)}
    ticks = "".join(_tick(at[k], f"{k:,}") for k in TICKS if k in at and at[k] < WIDTH - 70)
    last = _tick(WIDTH, f"{budget.reviews[-1].count:,}")
    return (f'<svg class="gains" viewBox="-8 0 {WIDTH + 16} {HEIGHT}" role="img" '
            'aria-label="expected hits by the number of nodes reviewed">'
            f'<polygon points="0,{_height(0):.1f} {line} {WIDTH},{_height(0):.1f}"/>'
            f'<polyline points="{line}"/>{ticks}{last}'
            f'<circle id="marker" cx="{x[budget.start]:.1f}" cy="{y[budget.start]:.1f}" r="6"/></svg>')


def _height(recall: float) -> float:
    room = HEIGHT - MARGIN - 14
    return 8 + room * (1 - recall)


def _tick(x: float, text: str) -> str:
    anchor = "start" if x < 10 else "end" if x > WIDTH - 10 else "middle"
    return f'<text x="{x:.1f}" y="{HEIGHT - 3}" text-anchor="{anchor}">{text}</text>'
