"""Networks that a user wrote: copied, initialised anew, given the learned weights, or refused by name."""

import json
from dataclasses import replace

import numpy as np
import pytest
import torch
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from torch import nn
from torch_geometric.nn import GCN, GCNConv, GraphSAGE, SAGEConv

import halflabel as hl
from halflabel.checkpoint.fit import describe_fit
from halflabel.distributed.fitting import check_can_share
from halflabel.edges.adjacency import Adjacency
from halflabel.errors import DataError
from halflabel.nets import FeatureMatrix, OwnNetworks

X = FeatureMatrix(np.random.default_rng(0).normal(size=(6, 4)).astype(np.float32))


class Weighted(nn.Module):
    """Two convolutions that use edge weights."""

    def __init__(self, n_features):
        super().__init__()
        self.first, self.second = GCNConv(n_features, 8), GCNConv(8, 1)

    def forward(self, x, edge_index, edge_weight=None):
        return self.second(self.first(x, edge_index, edge_weight).relu(), edge_index, edge_weight)


class Unweighted(nn.Module):
    """Two layers that take no weights; logits without a second axis."""

    def __init__(self, n_features):
        super().__init__()
        self.first, self.second = SAGEConv(n_features, 8), SAGEConv(8, 1)

    def forward(self, x, edge_index):
        return self.second(self.first(x, edge_index).relu(), edge_index).squeeze(-1)


class Bare(nn.Module):
    """A parameter that nobody initialises anew."""

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(20, 1))

    def forward(self, x, edge_index):
        return x @ self.w


@pytest.fixture(scope="module")
def payments():
    graph, y = hl.load_dataset("payments")
    return graph, y, hl.payments_positives(y)


def path():
    ends = np.arange(5)
    upper = sparse.coo_array((np.ones(5), (ends, ends + 1)), shape=(6, 6))
    return Adjacency.from_scipy((upper + upper.T).tocsr())


def auc(model, y, known):
    return roc_auc_score(y[~known], model.scores_[~known])


@pytest.mark.parametrize("backbone", [Weighted, Weighted(20), Unweighted, GCN(-1, 8, 2, 1)],
                         ids=["function", "module", "without weights", "lazy"])
def test_a_network_of_torch_geometric_finds_frauds(payments, backbone):
    graph, y, known = payments
    model = hl.Naive(backbone=backbone, epochs=30, folds=2).fit(graph, known)
    assert auc(model, y, known) > 0.8
    np.testing.assert_allclose(model.predict_proba(replace(graph, X=graph.X.copy()))[:, 1],
                               model.predict_proba()[:, 1], atol=1e-4)


def test_gpl_learns_edges_for_it(payments):
    graph, y, known = payments
    model = hl.GPL(backbone=Weighted, warmup=20, epochs=5, folds=2, guide=False).fit(graph, known)
    assert auc(model, y, known) > 0.8
    assert model.edge_weight_.std() > 0.01


@pytest.mark.parametrize("method", [hl.NNPU, hl.UPU, hl.TED, hl.CVIR, hl.DistPU, hl.GRAB])
def test_every_method_with_a_backbone_takes_it(payments, method):
    graph, y, known = payments
    few = {"epochs": 10} if "epochs" in method().get_params() else {}
    model = method(backbone=Weighted, folds=2, prior=0.05, **few)
    if method is hl.GRAB:
        model.set_params(iterations=1)
    assert auc(model.fit(graph, known), y, known) > 0.6


def test_edge_weights_reach_it_and_gradients_come_back():
    nets, adjacency = OwnNetworks(Weighted, 4, members=2), path()
    masks = torch.rand(2, adjacency.n_edges, requires_grad=True)
    logits = nets(X, adjacency.repeat(2).masked(masks.flatten()))
    assert logits.shape == (2, 6)
    logits[0].sum().backward()
    assert masks.grad is not None
    assert (masks.grad[0] != 0).all()
    assert (masks.grad[1] == 0).all()


def test_each_member_sees_its_own_weights():
    nets, adjacency = OwnNetworks(Weighted(4), 4, members=2).eval(), path()
    masks = torch.rand(2, adjacency.n_edges)
    both = nets(X, adjacency.repeat(2).masked(masks.flatten()))
    for mask, module, logits in zip(masks, nets.members, both, strict=True):
        edge_index, weight = adjacency.masked(mask).of_each(1)
        torch.testing.assert_close(module(X.dense(), edge_index, weight[0]).squeeze(-1), logits)


def test_copies_are_initialised_anew_from_torchs_random_state():
    given = Weighted(4)
    before = {name: value.clone() for name, value in given.state_dict().items()}
    made = []
    for _ in range(2):
        torch.manual_seed(3)
        made.append(OwnNetworks(given, 4, members=2).state_dict())
    assert all(torch.equal(made[0][name], made[1][name]) for name in made[0])
    weight = "first.lin.weight"
    assert not torch.equal(made[0][f"members.0.{weight}"], made[0][f"members.1.{weight}"])
    assert not torch.equal(made[0][f"members.0.{weight}"], before[weight])
    assert all(torch.equal(value, before[name]) for name, value in given.state_dict().items())


def test_the_same_seed_gives_the_same_bits_and_clones_do_too(payments):
    graph, _, known = payments
    model = hl.Naive(backbone=Weighted(20), epochs=3, folds=2)
    scores = [clone(model).fit(graph, known).scores_ for _ in range(2)]
    assert np.array_equal(*scores)


@pytest.mark.parametrize("backbone", [Unweighted, GraphSAGE(20, 8, 2, 1)], ids=["no argument", "ignored"])
def test_gpl_says_where_edge_weights_would_have_no_effect(payments, backbone):
    graph, _, known = payments
    model = hl.GPL(backbone=backbone, warmup=3, epochs=1, folds=2, guide=False)
    with pytest.raises(DataError, match=r"GPL learns edge weights, which \w+.forward does not take"):
        model.fit(graph, known)
    assert model.set_params(edge_learning=False).fit(graph, known).prior_ > 0


@pytest.mark.parametrize(("model", "message"), [
    (hl.Naive(backbone=Weighted(21)), r"fails on .* 2 nodes with 20 features, .*cannot be multiplied"),
    (hl.Naive(backbone=GCN(20, 8, 2, 3)), r"backbone=GCN: gives shape \(2, 3\) for 2 nodes"),
    (hl.Naive(backbone=lambda n: n), r"gave int for 20 features. Expected a function"),
    (hl.Naive(backbone=Bare()), r"nothing initialises 'w' anew.*Give Bare a reset_parameters"),
    (hl.Naive(backbone=GCNConv(20, 1, cached=True)), r"cached=True, which would keep the first graph"),
    (hl.Naive(backbone=Weighted, batch_size=64), r"batch_size=64: how far Weighted looks is not known"),
    (hl.PUGNN(backbone=Weighted), r"compares the hidden embeddings .* and Weighted gives logits only"),
])
def test_what_cannot_work_is_refused_before_training(payments, model, message):
    graph, _, known = payments
    with pytest.raises(DataError, match=message):
        model.fit(graph, known)


def test_a_function_that_repeats_itself_is_refused():
    module = Weighted(4)
    with pytest.raises(DataError, match="gave the same module twice"):
        OwnNetworks(lambda n: module, 4, members=2)


def test_several_processes_refuse_it():
    with pytest.raises(DataError, match="backbone='Weighted' needs the whole graph in one process"):
        check_can_share(hl.Naive(backbone=Weighted))


def test_saved_weights_come_back_with_the_module_and_never_without(payments, tmp_path):
    graph, _, known = payments
    model = hl.Naive(backbone=Weighted, epochs=3, folds=2).fit(graph, known)
    model.save(tmp_path / "model")
    config = json.loads((tmp_path / "model" / "config.json").read_text())
    assert config["parameters"]["backbone"] == "own:Weighted"
    with pytest.raises(DataError, match=r"a network of your own, Weighted. Its code is not in the files"):
        hl.load(tmp_path / "model")
    with pytest.raises(DataError, match="backbone=Unweighted: not the network that was saved"):
        hl.load(tmp_path / "model", backbone=Unweighted)
    other = replace(graph, X=graph.X.copy())
    for backbone in (Weighted, Weighted(20)):
        again = hl.load(tmp_path / "model", backbone=backbone)
        np.testing.assert_array_equal(again.predict_proba(other), model.predict_proba(other))


def test_its_scores_are_explained(payments):
    graph, _, known = payments
    model = hl.Naive(backbone=Weighted, epochs=3, folds=2).fit(graph, known)
    assert model.why("ACC-0427").sentences


def test_a_checkpoint_knows_a_function_again(payments):
    graph, _, known = payments
    text = describe_fit(hl.Naive(backbone=lambda n: Weighted(n)), graph, known, ~known)["backbone"]
    assert "lambda" in text
    assert "0x" not in text  # where it is in memory


def test_a_module_has_no_place_in_a_model_of_ours(payments, tmp_path):
    graph, _, known = payments
    hl.Naive(epochs=3, folds=2).fit(graph, known).save(tmp_path / "model")
    with pytest.raises(DataError, match="has a network of ours"):
        hl.load(tmp_path / "model", backbone=Weighted)
