"""Class-prior estimators: pure functions from scores of P and U to the share of positives in U."""

from halflabel.priors.bbe import best_bin, best_bin_interval
from halflabel.priors.prior import Prior, estimate_prior

__all__ = ["Prior", "estimate_prior", "best_bin", "best_bin_interval"]
