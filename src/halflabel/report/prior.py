"""What the held-out scores say of the prior: other estimators' views of it, and how far to trust it."""

from __future__ import annotations

from dataclasses import dataclass

from halflabel.crossfit import CrossFit
from halflabel.diagnose import diagnose_prior
from halflabel.errors import DataError
from halflabel.priors import Prior, estimate_prior
from halflabel.run.answer import percent, percent_range
from halflabel.run.record import RunRecord

QUICK = ("bbe", "dedpul", "roc", "elkan_noto")
REPLICATES = 60  # of a bootstrap that is only looked at


@dataclass(frozen=True)
class Agreement:
    """The run's own prior first, then what each estimator makes of the same scores."""

    priors: list[Prior]
    diagnosis: list[str]

    @classmethod
    def of(cls, fitted: CrossFit, run: RunRecord) -> Agreement:
        """Ask the quick estimators, and diagnose the curve that the prior is read off."""
        own = Prior(run.prior, run.prior_low, run.prior_high, "this run")
        others = [prior for name in QUICK if (prior := _asked(fitted, name)) is not None]
        return cls([own, *others], diagnose_prior(fitted).words())

    def words(self) -> str:
        """Who agrees with the run, in one sentence.

        >>> priors = [Prior(.1, .05, .2, "this run"), Prior(.15, .1, .2, "bbe"), Prior(.3, .25, .4, "roc")]
        >>> Agreement(priors, []).words()
        'Other estimators say 15.0 to 30.0 %; bbe lies in the interval of this run, roc does not.'
        """
        own, *others = self.priors
        if not others:
            return "No other estimator could be asked."
        low, high = min(p.value for p in others), max(p.value for p in others)
        said = percent(low) if low == high else percent_range(low, high)
        if own.low == own.high:
            return f"Estimators say {said}, where {percent(own.value)} was given."
        inside = [p.method for p in others if own.low <= p.value <= own.high]
        outside = [p.method for p in others if p.method not in inside]
        if not outside:
            return f"Other estimators say {said}, all within the interval of this run."
        if not inside:
            return f"Other estimators say {said}, none within the interval of this run."
        lie, do = ("lies" if len(inside) == 1 else "lie"), ("does" if len(outside) == 1 else "do")
        return (f"Other estimators say {said}; {_listed(inside)} {lie} in the interval of this run, "
                f"{_listed(outside)} {do} not.")


def _asked(fitted: CrossFit, name: str) -> Prior | None:
    """An estimate, or None of an estimator that has nothing to say about these scores."""
    try:
        return estimate_prior(fitted.scores_p, fitted.scores_u, name, replicates=REPLICATES)
    except DataError:
        return None


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
