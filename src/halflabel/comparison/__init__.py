"""Comparison of methods on the user's own graph, without negatives."""

from halflabel.comparison.compare import compare
from halflabel.comparison.result import Comparison

__all__ = ["compare", "Comparison"]
