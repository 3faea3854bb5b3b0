"""The answer in words, the same on the terminal and in the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from halflabel.run.record import RunRecord


def answer(run: RunRecord) -> str:
    """How many positives are left, how sure that is, and how many nodes are flagged, in one sentence."""
    nodes = run.counts["unlabelled"]
    if run.prior_is_given:
        known = f"as given, {percent(run.prior)}"
    else:
        low, high = (round(share * nodes) for share in (run.prior_low, run.prior_high))
        known = (f"{percent(run.prior)}; 90 % interval {percent_range(run.prior_low, run.prior_high)}, "
                 f"or {low:,} to {high:,} nodes")
    return (f"About {round(run.prior * nodes):,} of the {nodes:,} unlabelled nodes are positive ({known}), "
            f"and {_flagged(run.expected)}.")


def _flagged(expected: dict[str, float]) -> str:
    count, hits, recall = round(expected["flagged"]), round(expected["hits"]), expected["recall"]
    if count == 0:
        return "none is flagged"
    if count == 1:
        return f"the most likely one is flagged, with a probability of {probability(expected['precision'])}"
    return (f"the {count:,} most likely are flagged: about {hits:,} of them should be positive "
            f"({percent(expected['precision'])}), which is {percent(recall)} of those that are left")


def percent(share: float) -> str:
    """A share as a percentage with one decimal, or two digits where that would say 0.

    >>> percent(0.0887), percent(0.00042)
    ('8.9 %', '0.042 %')
    """
    return f"{_hundredths(share)} %"


def percent_range(low: float, high: float) -> str:
    """An interval of shares.

    >>> percent_range(0.0707, 0.1268)
    '7.1 to 12.7 %'
    """
    return f"{_hundredths(low)} to {_hundredths(high)} %"


def probability(p: float) -> str:
    """A probability with three decimals that is never rounded to certainty.

    >>> probability(0.98765), probability(0.99999), probability(0.00001)
    ('0.988', '>0.999', '<0.001')
    """
    if p > 0.999:
        return ">0.999"
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _hundredths(share: float) -> str:
    return f"{100 * share:.1f}" if share >= 0.001 or share == 0 else f"{100 * share:.2g}"
