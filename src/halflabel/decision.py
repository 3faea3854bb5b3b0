"""Decisions: scikit-learn's three answers, from one score a node and the prior among the unlabelled."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit
from sklearn.utils.validation import check_is_fitted

from halflabel.errors import DivergedError
from halflabel.priors import Prior
from halflabel.probabilities import calibration_slope, cut_between, prior_shift
from halflabel.thresholds import Expected, Threshold, least_flagged


class Decisions:
    """What a classifier says, given `scores_`, `out_of_fold_` and `prior_`, which fitting sets.

    Probabilities are sigmoid(slope * score + shift). `threshold_` is a probability, `cut_` the score there.
    """

    threshold: Threshold = "prior"  # a parameter of all methods
    usual_threshold: ClassVar[Threshold] = "prior"  # its default
    classes_: np.ndarray
    scores_: np.ndarray
    out_of_fold_: np.ndarray
    prior_: float

    @abstractmethod
    def _raw_scores(self, X: Any) -> np.ndarray:
        """Scores of the fitted nodes (None), of another graph's or of rows; higher is more positive."""

    def decision_function(self, X: Any = None) -> np.ndarray:
        """Scores minus the score at the threshold: above zero what `predict` calls positive.

        Of the fitted nodes, or of those in focus in another graph, or of new rows if rows were fitted.

        >>> from halflabel import LabelProp, load_dataset, payments_positives
        >>> graph, y = load_dataset("payments")
        >>> model = LabelProp().fit(graph, payments_positives(y))
        >>> bool(((model.decision_function() > 0) == model.predict()).all())
        True
        """
        check_is_fitted(self)
        return self._finite_scores(X).astype(np.float64) - self.cut_

    def predict_proba(self, X: Any = None) -> np.ndarray:
        """Columns P(negative), P(positive); over the unlabelled nodes the second averages to the prior.

        >>> from halflabel import LabelProp, load_dataset, payments_positives
        >>> graph, y = load_dataset("payments")
        >>> known = payments_positives(y)
        >>> model = LabelProp().fit(graph, known)
        >>> bool(abs(model.predict_proba()[~known, 1].mean() - model.prior_) < 1e-6)
        True
        """
        check_is_fitted(self)
        positive = self._probabilities(self._finite_scores(X))
        return np.column_stack([1 - positive, positive])

    def predict(self, X: Any = None) -> np.ndarray:
        """1 where the probability reaches `threshold_`, which the parameter `threshold` decides.

        Of rows, the positive class where its probability exceeds one half, unless `threshold` was changed.

        >>> from halflabel import LabelProp, load_dataset, payments_positives
        >>> graph, y = load_dataset("payments")
        >>> sorted(set(LabelProp().fit(graph, payments_positives(y)).predict().tolist()))
        [0, 1]
        """
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(np.int64)]

    def _finite_scores(self, X: Any) -> np.ndarray:
        """A score that is no number would be a probability that is none, and sorts anywhere."""
        scores = self._raw_scores(X)
        if bad := int((~np.isfinite(scores)).sum()):
            raise DivergedError(f"{bad:,} of {len(scores):,} scores are not finite numbers. Are features or "
                                "weights of edges many times larger than those of the graph that was fitted?")
        return scores

    def _check_finite(self, prior: Prior) -> None:
        """The last guard of a fit, whatever the method: nothing that is not a number is kept."""
        found = {"scores": self.scores_, "the prior": np.array([prior.value, prior.low, prior.high]),
                 "weights of edges": getattr(self, "edge_weight_", np.empty(0))}
        for what, values in found.items():
            if bad := int((~np.isfinite(values)).sum()):
                raise DivergedError(f"{type(self).__name__}: {what}: {bad:,} of {values.size:,} numbers are "
                                    "not finite. Look for outliers in features and weights of edges.")

    def _decide(self, positive: np.ndarray, unlabelled: np.ndarray, by_half: bool) -> None:
        """Set the slope, the shift, the threshold, the score at the threshold, and what to expect of it."""
        honest = positive & ~np.isnan(self.out_of_fold_)
        self.slope_ = calibration_slope(
            self.out_of_fold_[honest], self.out_of_fold_[unlabelled], self.prior_) if honest.any() else 1.0
        scores_u = self.scores_[unlabelled]
        self.shift_ = prior_shift(self.slope_ * scores_u, self.prior_)
        if not np.isfinite([self.slope_, self.shift_]).all():
            raise DivergedError(f"{type(self).__name__}: scores from {scores_u.min():.3g} to "
                                f"{scores_u.max():.3g} give no probabilities. Look for outliers in the data.")
        probabilities = self._probabilities(scores_u)
        if by_half and self.threshold == self.usual_threshold:
            self.threshold_, self.cut_ = 0.5, -self.shift_ / self.slope_
        else:
            self.threshold_ = least_flagged(probabilities, self.threshold, self.prior_)
            self.cut_ = cut_between(scores_u, probabilities >= self.threshold_)
        self.expected_ = Expected.of(probabilities, probabilities >= self.threshold_).to_dict()

    def _probabilities(self, scores: np.ndarray) -> np.ndarray:
        return expit(self.slope_ * scores.astype(np.float64) + self.shift_)
