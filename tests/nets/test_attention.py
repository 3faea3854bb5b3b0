"""GAT: unit weights are torch_geometric's own layer, and a weight of two is an edge twice."""

import numpy as np
import torch
from scipy import sparse
from torch_geometric.nn import GATConv

from halflabel.edges.adjacency import Adjacency
from halflabel.nets import FeatureMatrix
from halflabel.nets.attention import GAT, HEADS

X = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)
ADJACENCY = Adjacency.from_scipy(sparse.csr_array(np.ones((5, 5)) - np.eye(5)))


def plain_gat(net, edge_index, member):
    """The same weights in unmodified layers, which know no edge weights."""
    h = torch.as_tensor(X)
    for values, layer, width, heads in (
        (net.first_values, net.first, 2, HEADS), (net.second_values, net.second, 1, 1)):
        plain = GATConv(h.shape[1], width, heads=heads)
        plain.load_state_dict({
            "lin.weight": values[member].detach().T, "bias": layer.bias[member, 0].detach(),
            "att_dst": layer.receiver[member].detach().T[None],
            "att_src": layer.sender[member].detach().T[None]})
        h = plain(torch.nn.functional.elu(h) if width == 1 else h, edge_index)
    return h.squeeze(-1)


def test_a_weight_counts_like_as_many_parallel_edges():
    net = GAT(3, 8, members=2, dropout=0.5).eval()
    edge_index, _ = ADJACENCY.masked().of_each(2)
    for weight in (1, 2, 3):
        mask = torch.ones(ADJACENCY.n_edges)
        mask[4] = weight
        again = edge_index[:, ADJACENCY.edge == 4].repeat(1, weight - 1)
        got = net(FeatureMatrix(X), ADJACENCY.masked(mask))
        for member in range(2):
            wanted = plain_gat(net, torch.cat([edge_index, again], dim=1), member)
            torch.testing.assert_close(got[member], wanted)


def test_members_with_graphs_of_their_own_keep_their_weights():
    net = GAT(3, 8, members=2, dropout=0.5).eval()
    mask = torch.ones(2, ADJACENCY.n_edges)
    mask[1, 4] = 0.5
    both = net(FeatureMatrix(X), ADJACENCY.repeat(2).masked(mask.flatten()))
    for member in range(2):
        alone = net(FeatureMatrix(X), ADJACENCY.masked(mask[member]))
        torch.testing.assert_close(both[member], alone[member])
