"""Who owns which node: parts of about the same work, with few edges between them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal

import numpy as np
from scipy import sparse

from halflabel.errors import DataError

How = Literal["auto", "metis", "contiguous"]


def assign_parts(symmetric: sparse.csr_array, parts: int, how: How = "auto") -> tuple[np.ndarray, str]:
    """The part of every node, and how that was found: by METIS where pymetis is installed, else in runs.

    >>> ring = sparse.csr_array(np.roll(np.eye(6), 1, axis=0) + np.roll(np.eye(6), -1, axis=0))
    >>> assign_parts(ring, 2, "contiguous")
    (array([0, 0, 0, 1, 1, 1], dtype=int32), 'contiguous')
    """
    n = symmetric.shape[0]
    if not 1 <= parts <= n:
        raise DataError(f"{parts:,} parts of {n:,} nodes: expected between 1 and {n:,} parts.")
    if how == "metis" and find_spec("pymetis") is None:
        raise DataError("No pymetis here: pip install 'halflabel[distributed]', or choose contiguous parts.")
    if parts > 1 and (how == "metis" or (how == "auto" and find_spec("pymetis") is not None)):
        return _by_metis(symmetric, parts), "metis"
    return _in_runs(symmetric, parts), "contiguous"


def _in_runs(symmetric: sparse.csr_array, parts: int) -> np.ndarray:
    """Runs of consecutive nodes with the same number of nodes and stored edges together."""
    n = symmetric.shape[0]
    work = symmetric.indptr[1:].astype(np.int64) + np.arange(1, n + 1)
    number = np.arange(parts)
    first = np.searchsorted((work - 1) * parts // work[-1], number)
    # Each part has a node, also where one node has nearly all edges.
    first = np.maximum.accumulate(first - number) + number
    first = np.minimum(first, n - parts + number)
    return (np.searchsorted(first, np.arange(n), side="right") - 1).astype(np.int32)


def _by_metis(symmetric: sparse.csr_array, parts: int) -> np.ndarray:
    import pymetis  # pyright: ignore[reportMissingImports]

    adjacency = pymetis.CSRAdjacency(symmetric.indptr, symmetric.indices)
    _, part = pymetis.part_graph(parts, adjacency=adjacency)
    part = np.asarray(part, dtype=np.int32)
    if len(np.unique(part)) < parts:  # METIS may leave a part of a tiny graph without nodes
        return _in_runs(symmetric, parts)
    return part
