"""GAT: unit weights are torch_geometric's own layer, and a weight of two is an edge twice."""

import numpy as np
import torch
from scipy import sparse
from torch_geometric.nn import GATConv

from halflabel.adjacency import Adjacency
from halflabel.nets import FeatureMatrix
from halflabel.nets.attention import GAT, HEADS

X = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)
ADJACENCY = Adjacency.from_scipy(sparse.csr_array(np.ones((5, 5)) - np.eye(5)))


def plain_gat(net, edge_index):
    """The same weights in unmodified layers, which know no edge weights."""
    first, second = GATConv(3, 2, heads=HEADS), GATConv(8, 1)
    first.load_state_dict({**net.first[0].state_dict(), "lin.weight": net.first_values[0].detach().T})
    second.load_state_dict({**net.second[0].state_dict(), "lin.weight": net.second_values[0].detach().T})
    h = torch.nn.functional.elu(first(torch.as_tensor(X), edge_index))
    return second(h, edge_index).squeeze(-1)


def test_a_weight_counts_like_as_many_parallel_edges():
    net = GAT(3, 8, members=1, dropout=0.5).eval()
    edge_index, _ = ADJACENCY.masked().of_each(1)
    for weight in (1, 2, 3):
        mask = torch.ones(ADJACENCY.n_edges)
        mask[4] = weight
        again = edge_index[:, ADJACENCY.edge == 4].repeat(1, weight - 1)
        wanted = plain_gat(net, torch.cat([edge_index, again], dim=1))
        torch.testing.assert_close(net(FeatureMatrix(X), ADJACENCY.masked(mask))[0], wanted)
