"""GPL as one would write it first: torch_geometric's layers, gathering and scattering, autograd.

The steps are those of `halflabel.methods.gpl.Run`, and the prior and the selection are our own functions, so
that what differs is the kernels.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.nn import GCNConv, MessagePassing
from torch_geometric.utils import scatter, to_torch_csr_tensor

from halflabel.base import Problem
from halflabel.methods.gpl import GPL, SELF_LOOP
from halflabel.methods.selection import top_share
from halflabel.priors import best_bin


class PlainNetwork(nn.Module):
    """Two GCNConv layers; the adjacency is an edge index with weights, or a sparse matrix."""

    def __init__(self, n_features: int, hidden: int, normalize: bool = True):
        super().__init__()
        self.first = GCNConv(n_features, hidden, normalize=normalize)
        self.second = GCNConv(hidden, 1, normalize=normalize)

    def forward(self, x: Tensor, edges: Tensor, weight: Tensor | None = None) -> Tensor:
        h = torch.relu(self.first(x, edges, weight))
        h = nn.functional.dropout(h, 0.5, self.training)
        return self.second(h, edges, weight)[:, 0]


class PlainEpoch:
    """An epoch of GPL: posterior, one mask step, prior, selection, one classifier step."""

    def __init__(self, problem: Problem, settings: GPL, held_out: Tensor):
        adjacency = problem.adjacency
        self.settings, self.problem = settings, problem
        self.edge_index = torch.stack([adjacency.rows, adjacency.col]).long()
        self.edge = adjacency.edge.long()
        self.x = torch.as_tensor(problem.X if isinstance(problem.X, np.ndarray) else problem.X.toarray())
        self.held_out = held_out
        self.P, self.U = (torch.as_tensor(mask) for mask in (problem.positive, problem.unlabelled))
        self.P = self.P & ~held_out
        self.network = PlainNetwork(self.x.shape[1], settings.hidden)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=0.01, weight_decay=5e-4)
        self.theta = torch.full((adjacency.n_edges,), 3.0, requires_grad=True)
        self.mask_optimiser = torch.optim.Adam([self.theta], lr=0.1)
        self.spread = Spread()
        self.S = torch.zeros_like(self.U)
        self.candidates = self.U.nonzero()[:, 0]

    def __call__(self) -> None:
        self.learn_edges()
        weight = torch.sigmoid(self.theta.detach())[self.edge]
        posterior = self.posterior(weight)
        scores = posterior.numpy()
        prior = best_bin(scores[self.held_out.numpy()], scores[self.problem.unlabelled])
        self.S = top_share(posterior[None], self.candidates, prior)[0]
        self.network.train()
        self.optimiser.zero_grad()
        pu_loss(self.network(self.x, self.edge_index, weight), self.P, self.U & ~self.S).backward()
        self.optimiser.step()

    def posterior(self, weight: Tensor) -> Tensor:
        self.network.eval()
        with torch.no_grad():
            return self.network(self.x, self.edge_index, weight)

    def learn_edges(self) -> None:
        posterior = torch.sigmoid(self.posterior(torch.sigmoid(self.theta.detach())[self.edge]))
        e = plain_propagation(self, torch.where(self.P, 1.0, posterior))
        loss = -e[self.P | self.S, 0].log().mean() - e[self.U & ~self.S, 1].log().mean()
        self.mask_optimiser.zero_grad()
        loss.backward()
        self.mask_optimiser.step()


class Spread(MessagePassing):
    """Every node takes the weighted sum of what its neighbours have."""

    def __init__(self):
        super().__init__(aggr="sum")

    def forward(self, E: Tensor, edges: Tensor, weight: Tensor) -> Tensor:
        return self.propagate(edges, x=E, weight=weight)

    def message(self, x_j: Tensor, weight: Tensor) -> Tensor:
        return weight[:, None] * x_j


def plain_propagation(epoch: PlainEpoch, start: Tensor) -> Tensor:
    """E^(K), two columns, by messages along the edges; with `E[col]` and `index_add` it would be slower."""
    alpha = epoch.settings.alpha
    weight = torch.sigmoid(epoch.theta)[epoch.edge]
    degree = scatter(weight, epoch.edge_index[0], dim_size=len(start)) + SELF_LOOP
    E = torch.stack([start, 1 - start], dim=1)
    for _ in range(epoch.settings.K):
        gathered = epoch.spread(E, epoch.edge_index, weight) + SELF_LOOP * E
        E = alpha * E + (1 - alpha) * gathered / degree[:, None]
    return E


def pu_loss(logits: Tensor, P: Tensor, negative: Tensor) -> Tensor:
    """Both classes weigh the same."""
    return nn.functional.softplus(-logits[P]).mean() + nn.functional.softplus(logits[negative]).mean()


class SparseNetworkStep:
    """A training step of torch_geometric's GCN on its best path: a sparse matrix, normalised beforehand."""

    def __init__(self, problem: Problem, hidden: int, inverse_root_degree: Tensor):
        adjacency = problem.adjacency
        n = adjacency.n_nodes
        loops = torch.arange(n).expand(2, -1)
        index = torch.cat([torch.stack([adjacency.rows, adjacency.col]).long(), loops], dim=1)
        value = inverse_root_degree[index[0]] * inverse_root_degree[index[1]]
        self.matrix = to_torch_csr_tensor(index, value, size=(n, n))
        self.x = torch.as_tensor(problem.X if isinstance(problem.X, np.ndarray) else problem.X.toarray())
        self.P, self.U = (torch.as_tensor(mask) for mask in (problem.positive, problem.unlabelled))
        self.network = PlainNetwork(self.x.shape[1], hidden, normalize=False)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=0.01, weight_decay=5e-4)

    def __call__(self) -> None:
        self.network.train()
        self.optimiser.zero_grad()
        pu_loss(self.network(self.x, self.matrix), self.P, self.U).backward()
        self.optimiser.step()
