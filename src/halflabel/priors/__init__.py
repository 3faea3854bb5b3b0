"""Class-prior estimators: pure functions from scores of P and U to the share of positives in U."""

from halflabel.priors.bbe import best_bin, best_bin_interval
from halflabel.priors.conversion import (
    label_frequency,
    prior_from_label_frequency,
    share_among_all,
    share_among_unlabelled,
)
from halflabel.priors.estimate import estimate_prior
from halflabel.priors.estimators import prior_methods
from halflabel.priors.prior import Prior

__all__ = [
    "Prior", "estimate_prior", "prior_methods",
    "best_bin", "best_bin_interval",
    "share_among_all", "share_among_unlabelled", "label_frequency", "prior_from_label_frequency",
]
