"""A built-in example: accounts that pay each other, a few of them fraudulent, all of it simulated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.ids import NodeIds

ACCOUNTS, FRAUDS, KNOWN = 2000, 160, 60
COMMUNITIES, SHOPS, DROPS, MULES = 20, 80, 12, 24

FEATURE_NAMES = (
    "age_days", "n_payments", "mean_amount", "max_amount", "distinct_payees", "distinct_payers",
    "share_night", "share_weekend", "share_foreign", "chargebacks_30d", "device_changes", "failed_logins_30d",
    "address_changes", "pass_through_share", "balance", "credit_limit", "support_tickets", "app_version",
    "profile_fields_filled", "newsletter",
)


@dataclass(frozen=True)
class _Cast:
    """Who plays what: positions of the accounts in each role, and the honest accounts' communities."""

    frauds: np.ndarray
    shops: np.ndarray
    drops: np.ndarray
    mules: np.ndarray
    community: np.ndarray


def payments(random_state: int = 0) -> tuple[Graph, np.ndarray]:
    """2,000 accounts with 20 features, their payments (weight: amount), and who is a fraud (1) or not (0).

    Honest accounts pay within their community and at shops. Frauds take money from honest accounts and spend
    it on honest ones, above all on a few drop merchants and money mules that they have in common: an edge at
    a fraud nearly always leads to an honest account, and two steps often lead to another fraud. Features of
    the two kinds overlap, so neither the features nor the payments alone find all 160 frauds.

    >>> graph, y = payments()
    >>> graph.n_nodes, int(y.sum()), graph.ids[427]
    (2000, 160, 'ACC-0427')
    """
    rng = np.random.default_rng([random_state, 41])
    cast = _assign_roles(rng)
    source, target = _who_pays_whom(rng, cast)
    amount = _amounts(rng, source, target, cast)
    y = np.zeros(ACCOUNTS, dtype=np.int64)
    y[cast.frauds] = 1
    X = _features(rng, y, cast, source, target, amount)
    ids = NodeIds([f"ACC-{i:04d}" for i in range(ACCOUNTS)])
    return Graph.from_edges(source, target, X, weight=amount, ids=ids, feature_names=FEATURE_NAMES), y


def payments_positives(y: np.ndarray, random_state: int = 0) -> np.ndarray:
    """The 60 frauds that are known, drawn at random, as a mask.

    >>> graph, y = payments()
    >>> known = payments_positives(y)
    >>> int(known.sum()), int(y[known].min())
    (60, 1)
    """
    frauds = np.flatnonzero(np.asarray(y) == 1)
    if len(frauds) < KNOWN:
        raise DataError(f"y has {len(frauds)} frauds; {KNOWN} known ones are to be drawn from them.")
    known = np.zeros(len(y), dtype=bool)
    known[np.random.default_rng([random_state, 42]).choice(frauds, KNOWN, replace=False)] = True
    return known


def _assign_roles(rng: np.random.Generator) -> _Cast:
    order = rng.permutation(ACCOUNTS)
    ends = np.cumsum([FRAUDS, SHOPS, DROPS, MULES])
    frauds, shops, drops, mules, _ = np.split(order, ends)
    return _Cast(frauds, shops, drops, mules, rng.integers(COMMUNITIES, size=ACCOUNTS))


def _who_pays_whom(rng: np.random.Generator, cast: _Cast) -> tuple[np.ndarray, np.ndarray]:
    """End points of single payments; repeated ones are merged later, their amounts added."""
    everyone = np.arange(ACCOUNTS)
    honest = np.setdiff1d(everyone, cast.frauds)
    friends = [honest[cast.community[honest] == c] for c in range(COMMUNITIES)]

    payers = np.repeat(honest, rng.poisson(3.0, len(honest)))
    within = np.array([rng.choice(friends[c]) for c in cast.community[payers]])
    shoppers = np.repeat(everyone, rng.poisson(1.2, ACCOUNTS))
    # Drop merchants sell to honest customers as well: a payment to one of them proves nothing.
    customers = rng.choice(honest, 10 * DROPS)
    victims = np.repeat(cast.frauds, rng.poisson(1.5, FRAUDS))
    cashing = np.repeat(cast.frauds, rng.poisson(1.6, FRAUDS))
    moving = np.repeat(cast.frauds, rng.poisson(1.0, FRAUDS))
    passing = np.repeat(cast.frauds, rng.poisson(0.7, FRAUDS))
    splitting = np.repeat(cast.frauds, rng.poisson(0.35, FRAUDS))
    flows = [
        (payers, within),
        (shoppers, rng.choice(cast.shops, len(shoppers))),
        (customers, rng.choice(cast.drops, len(customers))),
        (rng.choice(honest, len(victims)), victims),
        (cashing, rng.choice(cast.drops, len(cashing))),
        (moving, rng.choice(cast.mules, len(moving))),
        (passing, rng.choice(honest, len(passing))),
        (splitting, rng.choice(cast.frauds, len(splitting))),
    ]
    source, target = (np.concatenate(ends) for ends in zip(*flows, strict=True))
    keep = source != target
    return source[keep], target[keep]


def _amounts(rng: np.random.Generator, source: np.ndarray, target: np.ndarray, cast: _Cast) -> np.ndarray:
    """In units of money, rounded to cents; payments by or to frauds are somewhat larger."""
    shady = np.isin(source, cast.frauds) | np.isin(target, cast.frauds)
    return np.round(np.exp(rng.normal(3.6 + 0.35 * shady, 0.9)), 2)


def _features(
    rng: np.random.Generator,
    y: np.ndarray,
    cast: _Cast,
    source: np.ndarray,
    target: np.ndarray,
    amount: np.ndarray,
) -> np.ndarray:
    n, fraud = ACCOUNTS, y.astype(float)
    # Some frauds act carelessly and stand out, others hardly differ from their victims.
    boldness = fraud * rng.beta(1.6, 1.2, n)
    sent = np.bincount(source, minlength=n)
    largest = np.zeros(n)
    np.maximum.at(largest, source, amount)
    pairs = np.unique(source.astype(np.int64) * n + target)

    def share(at_rest: float, pull: float) -> np.ndarray:
        return 1 / (1 + np.exp(-(at_rest + pull * boldness + rng.normal(0, 0.9, n))))

    columns = [
        np.floor(rng.gamma(2.0, 420 * (1 - 0.55 * boldness))),
        sent,
        np.bincount(source, amount, minlength=n) / np.maximum(sent, 1),
        largest,
        np.bincount(pairs // n, minlength=n),
        np.bincount(pairs % n, minlength=n),
        share(-2.0, 1.3),
        share(-0.8, 0.0),
        share(-2.4, 1.5),
        rng.poisson(0.12 + 0.9 * boldness),
        rng.poisson(0.5 + 1.6 * boldness),
        rng.poisson(0.4 + 1.0 * boldness),
        rng.poisson(0.2 + 0.3 * boldness),
        share(-1.6, 1.2),
        np.exp(rng.normal(6.5, 1.1, n)),
        500 * rng.integers(1, 21, n),
        rng.poisson(0.6, n),
        rng.integers(30, 48, n),
        rng.integers(3, 13, n),
        rng.integers(0, 2, n),
    ]
    return np.round(np.column_stack(columns), 3)
