"""Whether to trust an estimate of the prior, judged from the curve that it was read off.

Ratio estimators assume that somewhere only positives live (irreducibility). If so, the curve q_u(c) / q_p(c)
falls with rising threshold until it reaches the prior, and stays there. If classes overlap everywhere it goes
on falling to the very top, and wherever one stops is too high; or scores carry so little that it hardly falls
at all. The second shows in the area under the curve: with a prior pi, AUC(P, U) = pi/2 + (1 - pi) AUC(P, N).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halflabel.auc import SEPARATED, WEAK, implied_auc, pu_auc
from halflabel.crossfit import CrossFit
from halflabel.priors import best_bin
from halflabel.priors.bbe import chosen_bin, counts_above

ENOUGH_POSITIVES = 60  # above the threshold; the ratio's relative error is then about an eighth
FALLING = 2.0  # standard errors by which the ratio must fall in the top half to count as falling
STABLE = 0.35  # standard error by the spread over folds, relative to the estimate


@dataclass(frozen=True)
class PriorDiagnosis:
    """What the curve and the folds say.

    `positives_above`: known positives above the chosen threshold. `fall`: by how much, relative to itself,
    the ratio falls between there and the threshold that half as many positives pass, with `fall_error`, its
    standard error. `auc`: of known positives against unlabelled nodes; `separation`: of positives against
    negatives, if the estimate is right.
    `fold_spread`: standard error of the estimate by its spread over folds, relative to the estimate;
    0 where there is a single one.
    """

    prior: float
    positives_above: int
    fall: float
    fall_error: float
    auc: float
    separation: float
    fold_spread: float

    @property
    def falling(self) -> bool:
        """Whether the curve goes on falling above the chosen threshold."""
        return self.fall > FALLING * self.fall_error

    @property
    def overlapping(self) -> bool:
        """Whether scores tell positives from negatives too badly for a pure region to exist."""
        return self.separation < SEPARATED or self.auc < WEAK

    @property
    def upper_bound(self) -> bool:
        """Whether the prior is probably lower than the estimate."""
        return self.falling or self.overlapping

    @property
    def stable(self) -> bool:
        """Whether the folds agree."""
        return self.fold_spread < STABLE

    @property
    def trustworthy(self) -> bool:
        """Whether nothing speaks against the estimate."""
        return self.stable and not self.upper_bound and self.positives_above >= ENOUGH_POSITIVES

    def words(self) -> list[str]:
        """The verdict, the reasons, and what to do."""
        reasons = []
        if self.auc < WEAK:
            reasons.append(
                f"The scores hardly tell known positives from unlabelled nodes (AUC {self.auc:.2f}): either "
                "nearly all of them are positive, or the features and edges say little. Try other features.")
        elif self.overlapping:
            reasons.append(
                f"The scores separate positives from negatives only to an AUC of {self.separation:.2f}: even "
                "among the highest there are probably negatives, which are counted as positives. Better "
                "features or another method would separate them.")
        if self.falling:
            reasons.append(
                "The ratio of unlabelled to known nodes still falls among the highest scores, by "
                f"{self.fall:.0%} ± {self.fall_error:.0%}: the prior is probably lower.")
        if self.positives_above < ENOUGH_POSITIVES:
            reasons.append(f"Only {self.positives_above} known positives carry the estimate; "
                           f"{ENOUGH_POSITIVES} or more would make it solid. Label a few more.")
        if not self.stable:
            reasons.append(f"The folds disagree by {self.fold_spread:.0%} of the estimate: other known "
                           "positives might have given as different an answer.")
        if not reasons:
            return ["Nothing in the scores speaks against the prior: the curve is flat at the top, and the "
                    "folds agree."]
        verdict = "Take the prior for an upper bound." if self.upper_bound else "Take the prior as rough."
        return [verdict, *reasons]


def diagnose_prior(fitted: CrossFit) -> PriorDiagnosis:
    """Judge the best-bin estimate on cross-fitted scores.

    >>> rng = np.random.default_rng(0)
    >>> known = np.arange(3000) < 500
    >>> scores = np.where(np.arange(3000) < 1000, rng.normal(4, 1, 3000), rng.normal(0, 1, 3000))
    >>> diagnose_prior(CrossFit(scores, known, rng.integers(5, size=3000))).trustworthy
    True
    """
    P, U = fitted.scores_p, fitted.scores_u
    above_p, above_u = counts_above(P, U)
    best = chosen_bin(above_p, above_u, len(P), len(U))
    half = int(np.argmin(np.abs(above_p[: best + 1] - above_p[best] / 2)))
    ratio, ratio_half = (above_u[at] / len(U) / max(above_p[at] / len(P), 1e-12) for at in (best, half))
    # Of the points above `best`, which are above `half` is a draw for each of them: given the former counts,
    # the latter two are binomial.
    share_p, share_u = above_p[half] / max(above_p[best], 1), above_u[half] / max(above_u[best], 1)
    variance = sum((1 - share) / max(share * count, 1e-12)
                   for share, count in ((share_p, above_p[best]), (share_u, above_u[best])))
    prior, auc = float(min(ratio, 1.0)), pu_auc(P, U)
    return PriorDiagnosis(
        prior=prior,
        positives_above=int(above_p[best]),
        fall=float(1 - ratio_half / ratio) if ratio else 0.0,
        fall_error=float(np.sqrt(variance)),
        auc=auc,
        separation=implied_auc(auc, prior),
        fold_spread=_fold_spread(fitted, ratio),
    )


def _fold_spread(fitted: CrossFit, ratio: float) -> float:
    """Spread of the estimates by each fold's positives alone, as the standard error of their mean."""
    folds = np.unique(fitted.fold)
    if len(folds) < 2:  # a single network, which no other contradicts
        return 0.0
    estimates = [best_bin(fitted.scores[fitted.known & (fitted.fold == fold)], fitted.scores_u)
                 for fold in folds]
    return float(np.std(estimates, ddof=1) / np.sqrt(len(folds)) / max(ratio, 1e-12))
