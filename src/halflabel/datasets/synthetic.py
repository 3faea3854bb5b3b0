"""Random graphs with a chosen size, degree, heterophily, prior and signal."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement

import numpy as np

from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.ids import NodeIds

# Directed entries made at a time: their 64-bit sort keys are the only temporary of any size.
BLOCK_ENTRIES = 1 << 20


def synthetic(
    n: int,
    *,
    degree: float = 10.0,
    heterophily: float = 0.2,
    features: int = 16,
    signal: float = 1.0,
    prior: float = 0.2,
    random_state: int = 0,
) -> tuple[Graph, np.ndarray]:
    """A two-block random graph with Gaussian features, and its labels (1 positive, 0 negative).

    Every edge is stored in both directions. `degree` is the expected mean number of neighbours, `heterophily`
    the expected share of edges joining a positive to a negative, `prior` the share of positives among all
    nodes, `signal` the distance of the two class means in units of the features' standard deviation. Both
    classes have the same mean degree wherever `heterophily` leaves that possible, so degree tells
    nothing.

    Memory stays near the size of the result, also at 10^8 entries: edges are drawn between pairs of small
    groups of nodes, each pair from its own seed, so that any block of rows can be drawn on its own and the
    whole edge list never exists.

    >>> graph, y = synthetic(1000, degree=8, prior=0.3)
    >>> graph.n_nodes, int(y.sum())
    (1000, 300)
    """
    _check(n, degree, heterophily, features, prior)
    rng = np.random.default_rng(random_state)
    y = np.zeros(n, dtype=np.int64)
    y[: round(prior * n)] = 1
    rng.shuffle(y)
    X = _features(rng, y, features, signal)
    indptr, indices = _draw_rows(y, n * degree / 2, heterophily, random_state)
    return Graph(indptr=indptr, indices=indices, X=X, ids=NodeIds.range(n)), y


def _check(n: int, degree: float, heterophily: float, features: int, prior: float) -> None:
    if not 2 <= n < 2**31:
        raise DataError(f"n must be between 2 and 2^31 - 1; got {n}.")
    if not 0 <= degree < n - 1:
        raise DataError(f"degree must be at least 0 and below n - 1 = {n - 1}; got {degree}.")
    if not (0 <= heterophily <= 1 and 0 <= prior <= 1):
        raise DataError(f"heterophily and prior are shares between 0 and 1; got {heterophily} and {prior}.")
    if features < 0:
        raise DataError(f"features must be 0 or more; got {features}.")


def _features(rng: np.random.Generator, y: np.ndarray, features: int, signal: float) -> np.ndarray:
    X = rng.standard_normal((len(y), features), dtype=np.float32)
    if features:
        shift = np.full(features, signal / math.sqrt(features), dtype=np.float32)
        np.add(X, shift, out=X, where=(y == 1)[:, None])
    return X


def _draw_rows(
    y: np.ndarray, edges: float, heterophily: float, random_state: int
) -> tuple[np.ndarray, np.ndarray]:
    n = len(y)
    number = min(n, max(1, math.ceil(2 * edges / BLOCK_ENTRIES)))
    blocks = np.array_split(np.arange(n, dtype=np.int32), number)
    groups = [block[y[block] == label] for block in blocks for label in (0, 1)]
    draws = _draws_per_pair(groups, edges, heterophily, float(np.mean(y)), random_state)
    indptr = np.zeros(n + 1, dtype=np.int64)
    indices = np.empty(2 * sum(draws.values()), dtype=np.int32)
    filled = 0
    for number, block in enumerate(blocks):
        start, rows = int(block[0]), len(block)
        keys = _block_keys(number, groups, draws, n, start, random_state)
        stop = filled + len(keys)
        np.remainder(keys, n, out=indices[filled:stop], casting="unsafe")
        indptr[start + 1 : start + rows + 1] = filled + np.searchsorted(keys, np.arange(1, rows + 1) * n)
        filled = stop
    indices.resize(filled, refcheck=False)
    return indptr, indices


def _draws_per_pair(
    groups: list[np.ndarray], edges: float, heterophily: float, prior: float, random_state: int
) -> dict[tuple[int, int], int]:
    """How many edges to draw, with replacement, between each two groups (even number: negatives)."""
    # Equal mean degree for both classes needs a share of prior - heterophily / 2 of positive-positive edges.
    both_positive = min(max(prior - heterophily / 2, 0.0), 1 - heterophily)
    shares = {0: 1 - heterophily - both_positive, 1: heterophily, 2: both_positive}
    rng = np.random.default_rng([random_state, 2])
    draws: dict[tuple[int, int], int] = {}
    every_pair = list(combinations_with_replacement(range(len(groups)), 2))
    for kind, share in shares.items():
        pairs = [(a, b) for a, b in every_pair if a % 2 + b % 2 == kind]
        sizes = np.array([_possible_edges(groups, a, b) for a, b in pairs])
        total, wanted = float(sizes.sum()), share * edges
        if wanted > 0.95 * total:
            raise DataError(f"{wanted:,.0f} edges wanted where only {total:,.0f} pairs of nodes exist "
                            f"({('negative-negative', 'positive-negative', 'positive-positive')[kind]}). "
                            "Choose a lower degree, or another heterophily or prior.")
        if total:
            # Repeated draws merge into one edge: draw as many as leave the wanted number on average.
            number = round(-total * math.log1p(-wanted / total))
            draws |= zip(pairs, rng.multinomial(number, sizes / total).tolist(), strict=True)
    return draws


def _possible_edges(groups: list[np.ndarray], a: int, b: int) -> float:
    return len(groups[a]) * (len(groups[a]) - 1) / 2 if a == b else float(len(groups[a]) * len(groups[b]))


def _block_keys(
    number: int,
    groups: list[np.ndarray],
    draws: dict[tuple[int, int], int],
    n: int,
    start: int,
    random_state: int,
) -> np.ndarray:
    """Sorted keys (row - start) * n + column of every directed entry in the rows of one block."""
    keys = []
    for (a, b), count in draws.items():
        if count and number in (a // 2, b // 2):
            first, second = _endpoints(groups, a, b, count, random_state)
            if a // 2 == number:
                keys.append((first - start) * n + second)
            if b // 2 == number:
                keys.append((second - start) * n + first)
    joined = np.concatenate(keys) if keys else np.empty(0, dtype=np.int64)
    del keys
    joined.sort()
    return joined[np.diff(joined, prepend=-1) != 0]


def _endpoints(
    groups: list[np.ndarray], a: int, b: int, count: int, random_state: int
) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([random_state, 1, a, b])
    first = rng.integers(len(groups[a]), size=count)
    if a == b:
        # Any node but the first one: no self-loops.
        second = rng.integers(len(groups[b]) - 1, size=count)
        second += second >= first
    else:
        second = rng.integers(len(groups[b]), size=count)
    return groups[a][first].astype(np.int64), groups[b][second].astype(np.int64)
