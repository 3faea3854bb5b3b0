"""Features as yes or no: has it, or lies in this tenth of the values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from scipy import sparse

from halflabel.graph import Features, dense
from halflabel.training.team import ALONE, Alone

BINS = 10
SAMPLE = 100_000  # rows that quantiles are taken from


@dataclass(frozen=True)
class Indicators:
    """Features that are mostly zero are yes where they are not; others by which quantiles they lie between.

    `edges` has a row for each quantile and a column for each feature; no rows where zeros decide.

    >>> X = np.arange(20.0)[:, None]
    >>> Indicators.of(X)(X).shape
    (20, 10)
    >>> Indicators.of(X)(np.array([[-5.0], [100.0]])).toarray().argmax(axis=1).tolist()
    [0, 9]
    """

    edges: np.ndarray

    @classmethod
    def of(cls, X: Features, team: Alone = ALONE) -> Self:
        """Quantiles of these features; of the first rows, where there are very many."""
        stored = np.count_nonzero(X) if isinstance(X, np.ndarray) else X.nnz
        filled, size = team.total(torch.tensor([stored, np.prod(X.shape)])).tolist()
        if 4 * filled < size:
            return cls(np.zeros((0, X.shape[1]), dtype=np.float32))
        inner = np.arange(1, BINS) / BINS
        return cls(np.quantile(team.first_rows(X, SAMPLE), inner, axis=0).astype(np.float32))

    @property
    def of_numbers(self) -> bool:
        """Whether features are numbers, and not something that most nodes lack."""
        return len(self.edges) > 0

    def __call__(self, X: Features) -> sparse.csr_array:
        """A sparse matrix of zeros and ones."""
        if not self.of_numbers:
            found = sparse.csr_array(X, dtype=np.float32, copy=True)
            found.data = (found.data != 0).astype(np.float32)
            return found
        values, (n, width) = dense(X), X.shape
        column = sum((edge < values for edge in self.edges), np.zeros(X.shape, dtype=np.int32))
        column += np.arange(width, dtype=np.int32) * BINS
        return sparse.csr_array(
            (np.ones(n * width, dtype=np.float32), column.ravel(), np.arange(0, n * width + 1, width)),
            shape=(n, width * BINS))
