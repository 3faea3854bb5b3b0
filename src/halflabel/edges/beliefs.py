"""Loopy belief propagation on a binary Markov network whose neighbours tend to agree.

    P(y) proportional to  prod_i phi_i(y_i)  prod_{i~j} psi(y_i, y_j),   psi = e if y_i = y_j, else 1 - e

Two states need one number: messages and beliefs are log-odds of being positive. Leaving out of i's belief
what j itself had said, and passing the rest through psi, is

    m_{i->j} = 2 artanh( (2e - 1) tanh( (b_i - m_{j->i}) / 2 ) ),     b_i = log-odds(phi_i) + sum_j m_{j->i}

so nodes that are certain (infinite log-odds) need no special case, and no message exceeds log(e / (1-e)).
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from halflabel.edges.adjacency import Adjacency
from halflabel.edges.csr import csr_tensor


class Beliefs(NamedTuple):
    """Probability of being positive, (members, nodes); and for each member, how the propagation ended."""

    positive: Tensor
    sweeps: Tensor
    converged: Tensor


def node_log_odds(known: Tensor, called: Tensor, prior: Tensor) -> Tensor:
    """Node potentials (negative, positive) as log-odds; `prior` has a row per member.

    Known positives (0, 1); nodes called positive (prior, 1 - prior); the others (1 - prior, prior).

    >>> known, called = torch.tensor([[True, False, False]]), torch.tensor([[True, True, False]])
    >>> node_log_odds(known, called, torch.tensor([[0.25]])).sigmoid()
    tensor([[1.0000, 0.7500, 0.2500]])
    """
    toward = torch.logit(1 - prior)
    return torch.where(known, torch.inf, torch.where(called, toward, -toward))


def propagate_beliefs(
    adjacency: Adjacency, log_odds: Tensor, *,
    agreement: float, tolerance: float = 1e-6, most_sweeps: int = 100,
) -> Beliefs:
    """Beliefs from the node potentials' log-odds, of shape (members, nodes); inf for known positives.

    `agreement` is e, the chance that neighbours have the same label: below one half they tend to differ.
    All messages change at once; a member ends when none of its beliefs moved by `tolerance`, or after
    `most_sweeps`. On a tree the result is exact. Weights of edges do not count.

    >>> import numpy as np
    >>> from scipy import sparse
    >>> path = Adjacency.from_scipy(sparse.csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]])))
    >>> beliefs = propagate_beliefs(path, torch.tensor([[torch.inf, 0.0, 0.0]]), agreement=0.9)
    >>> [round(b, 2) for b in beliefs.positive[0].tolist()], beliefs.converged.item()
    ([1.0, 0.9, 0.82], True)
    """
    members = torch.arange(len(log_odds))
    sweeps, converged = torch.full_like(members, most_sweeps), torch.zeros_like(members, dtype=torch.bool)
    result = torch.empty_like(log_odds)
    # Columns are the members that still run: one that has ended is not moved by how long others take.
    node, total = log_odds.T.contiguous(), log_odds.T
    message = node.new_zeros(len(adjacency.col), len(members))
    sums, belief = _row_sums(adjacency, node.dtype), torch.sigmoid(node)
    for sweep in range(1, most_sweeps + 1):
        message = _exchange(adjacency, total, message, agreement)
        total = node + sums @ message
        before, belief = belief, torch.sigmoid(total)
        moving = ((belief - before).abs().amax(dim=0) >= tolerance).cpu()
        if not moving.all():
            ended = members[~moving]
            result[ended], sweeps[ended], converged[ended] = belief[:, ~moving].T, sweep, True
            members = members[moving]
            node, total, message, belief = (t[:, moving] for t in (node, total, message, belief))
        if not len(members):
            break
    result[members] = belief.T
    return Beliefs(result, sweeps, converged)


def _exchange(adjacency: Adjacency, total: Tensor, message: Tensor, agreement: float) -> Tensor:
    """All messages at once; entry (i, j) holds what j tells i."""
    heard_elsewhere = total.index_select(0, adjacency.rows).sub_(message)
    told = heard_elsewhere.mul_(0.5).tanh_().mul_(2 * agreement - 1).atanh_().mul_(2.0)
    return told.index_select(0, adjacency.reverse)


def _row_sums(adjacency: Adjacency, dtype: torch.dtype) -> Tensor:
    """The matrix that adds up the entries of each row."""
    entries = torch.arange(len(adjacency.col), dtype=torch.int32, device=adjacency.col.device)
    ones = torch.ones(len(entries), dtype=dtype, device=entries.device)
    return csr_tensor(adjacency.crow, entries, ones, (adjacency.n_nodes, len(entries)))
