"""Encoders of two views: dropping, members side by side, and the encoder that follows."""

import numpy as np
import pytest
import torch
from scipy import sparse
from torch import nn

from halflabel.edges.adjacency import Adjacency
from halflabel.nets import FeatureMatrix
from halflabel.nets.bootstrap import Encoder, NormAndRectify, View


@pytest.fixture
def adjacency():
    upper = sparse.random_array((40, 40), density=0.15, rng=np.random.default_rng(0))
    upper = sparse.triu(upper, k=1)
    return Adjacency.from_scipy(sparse.csr_array((upper + upper.T) != 0, dtype=np.float32))


@pytest.fixture
def words():
    return (np.random.default_rng(1).random((40, 12)) < 0.3).astype(np.float32)


def test_dropping_a_column_is_dropping_it_from_the_features(adjacency, words):
    kept = torch.tensor([1.0, 0.0] * 6)
    encoder = Encoder(12, 8, 5, members=2)
    csr, without = adjacency.weighted(), FeatureMatrix(sparse.csr_array(words * kept.numpy()))
    dropped = encoder(FeatureMatrix(words), View.of(csr, kept))
    torch.testing.assert_close(dropped, encoder(without, View.of(csr)))


def test_both_directions_of_an_edge_go_together(adjacency):
    torch.manual_seed(0)
    view = View.dropped(adjacency, n_features=12, edges=0.5, features=0.5)
    dense = view.csr.to_dense()
    assert torch.equal(dense, dense.T)
    assert 0 < dense.sum() < adjacency.weighted().to_dense().sum()
    assert view.kept is not None
    assert set(view.kept.tolist()) == {0.0, 1.0}
    torch.testing.assert_close(view.scale, (dense.sum(dim=1) + 1).rsqrt())


def test_members_side_by_side_are_separate_networks(adjacency, words):
    torch.manual_seed(0)
    together, X, view = Encoder(12, 8, 5, members=3), FeatureMatrix(words), View.of(adjacency.weighted())
    out = together(X, view)
    for m in range(3):
        alone = Encoder(12, 8, 5, members=1)
        shapes = {name: value.shape for name, value in alone.state_dict().items()}
        alone.load_state_dict({name: value.view(3, -1)[m].view(shapes[name])
                               for name, value in together.state_dict().items()})
        torch.testing.assert_close(alone(X, view)[0], out[m], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("training", [True, False])
def test_norm_and_rectify_is_torchs_own(training):
    ours, x = NormAndRectify(6, members=1), torch.randn(50, 6)
    theirs = nn.Sequential(nn.BatchNorm1d(6), nn.PReLU())
    for part in (ours, theirs):
        part.train()
        part(x[None] if part is ours else x)
        part.train(training)
    torch.testing.assert_close(ours(x[None])[0], theirs(x))
    torch.testing.assert_close(ours.variance, theirs[0].running_var)


def test_the_auxiliary_encoder_keeps_its_share_and_takes_the_rest():
    main, aux = Encoder(4, 3, 2, members=1), Encoder(4, 3, 2, members=1)
    before = [p.detach().clone() for p in aux.parameters()]
    aux.follow(main, momentum=0.005)
    for old, new, theirs in zip(before, aux.parameters(), main.parameters(), strict=True):
        torch.testing.assert_close(new, 0.005 * old + 0.995 * theirs)
