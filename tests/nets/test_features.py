"""Products with features, and the memory of the latest one."""

import numpy as np
import pytest
import torch
from scipy import sparse

from halflabel.nets import FeatureMatrix

DENSE = ((np.random.default_rng(0).random((7, 4)) < 0.5) * np.arange(1, 29).reshape(7, 4)).astype(np.float32)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_products_of_every_member_and_their_gradient(form):
    W = torch.randn(3, 4, 2, requires_grad=True)
    reference = W.detach().clone().requires_grad_()
    got, wanted = FeatureMatrix(form(DENSE)).times_each(W), torch.as_tensor(DENSE) @ reference
    torch.testing.assert_close(got, wanted)
    for product in (got, wanted):
        (product * torch.arange(1.0, 15).view(7, 2)).sum().backward()
    torch.testing.assert_close(W.grad, reference.grad)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("optimiser", [
    lambda p: torch.optim.SGD(p, lr=0.1),
    lambda p: torch.optim.Adam(p, lr=0.1),
    lambda p: torch.optim.Adam(p, lr=0.1, foreach=True),
    lambda p: torch.optim.Adam(p, lr=0.1, fused=True),
], ids=["sgd", "adam", "foreach", "fused"])
def test_a_step_of_the_optimiser_is_noticed(form, optimiser):
    """A product that is remembered must be forgotten once the weights have moved."""
    X, W = FeatureMatrix(form(DENSE)), torch.nn.Parameter(torch.randn(2, 4, 3))
    steps = optimiser([W])
    for _ in range(3):
        steps.zero_grad()
        X.times_each(W).square().sum().backward()
        steps.step()
        torch.testing.assert_close(X.times_each(W), torch.as_tensor(DENSE) @ W)


def test_loading_weights_is_noticed():
    X, layer = FeatureMatrix(DENSE), torch.nn.ParameterDict({"W": torch.randn(1, 4, 2)})
    X.times_each(layer["W"])
    layer.load_state_dict({"W": torch.ones(1, 4, 2)})
    torch.testing.assert_close(X.times_each(layer["W"]), torch.as_tensor(DENSE) @ torch.ones(1, 4, 2))


def test_other_weights_of_the_same_shape_are_noticed():
    X, W, V = FeatureMatrix(DENSE), torch.randn(1, 4, 2), torch.randn(1, 4, 2)
    X.times_each(W)
    torch.testing.assert_close(X.times_each(V), torch.as_tensor(DENSE) @ V)


def test_of_many_nodes_a_cheap_product_is_not_kept(monkeypatch):
    monkeypatch.setattr("halflabel.nets.features.MANY_NODES", len(DENSE))
    narrow, wide, W = FeatureMatrix(DENSE[:, :2]), FeatureMatrix(DENSE), torch.randn(1, 4, 2)
    assert wide.product(W) is wide.product(W)
    torch.testing.assert_close(narrow.product(W[:, :2]), torch.as_tensor(DENSE[:, :2]) @ W[:, :2])
    assert narrow.product(W[:, :2]) is not narrow.product(W[:, :2])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_dense_gives_the_matrix_back(form):
    np.testing.assert_array_equal(FeatureMatrix(form(DENSE)).dense(), DENSE)


def test_the_callers_matrix_stays_as_it_was():
    unsorted = sparse.csr_array((np.array([1.0, 2.0]), np.array([1, 0]), np.array([0, 2])), shape=(1, 2))
    FeatureMatrix(unsorted)
    assert unsorted.indices.tolist() == [1, 0]
