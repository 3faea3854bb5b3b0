"""A network that somebody else wrote, such as one made of torch_geometric's layers, as a backbone."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import torch
from torch import Tensor, nn

from halflabel.edges.adjacency import MaskedGraph
from halflabel.errors import DataError
from halflabel.nets.backbone import Backbone
from halflabel.nets.features import FeatureMatrix
from halflabel.nets.restart import start_afresh

OwnNetwork = nn.Module | Callable[[int], nn.Module]
EXPECTED = "Expected forward(x, edge_index, edge_weight=None), which gives one logit for each node"


class OtherNetwork(DataError):
    """Saved weights, and a module that they do not belong to."""


class OwnNetworks(Backbone):
    """Independent copies of a module, or modules that a function makes, one for each member.

    Modules follow torch_geometric: forward(x, edge_index, edge_weight=None) gives logits, (nodes,) or
    (nodes, 1). A module is copied and its copies are initialised anew; a function gets the number of features
    and is called once for each member. Nobody can tell where the hidden layer of such a module ends, so its
    embeddings are its logits.

    >>> from torch_geometric.nn import GCNConv
    >>> nets = OwnNetworks(GCNConv(4, 1), n_features=4, members=3)
    >>> len(nets.members), nets.uses_weights
    (3, True)
    """

    def __init__(self, given: OwnNetwork, n_features: int, members: int):
        super().__init__()
        self.name = name_of(given)
        made = [_make(given, n_features) for _ in range(members)]
        if len({id(module) for module in made}) < members:
            raise DataError(f"backbone={self.name}: gave the same module twice. Each of {members} networks "
                            "needs its own: make a new one in every call, or pass the module itself.")
        uses = [_try_out(module, n_features, self.name) for module in made]
        if isinstance(given, nn.Module):
            for module in made:  # after the trial, which gives lazy layers their shapes
                start_afresh(module)
        self.members, self.uses_weights = nn.ModuleList(made), all(uses)
        self._takes_weights = "edge_weight" in _arguments(made[0])

    def embed(self, X: FeatureMatrix, graph: MaskedGraph) -> Tensor:
        """The logits, as embeddings of one column."""
        edge_index, weights = graph.of_each(len(self.members))
        x = X.dense()
        pairs = zip(self.members, weights, strict=True)
        logits = [_run(module, x, edge_index, w if self._takes_weights else None) for module, w in pairs]
        return torch.stack([values.reshape(len(x)) for values in logits])[..., None]

    def classify(self, h: Tensor, graph: MaskedGraph) -> Tensor:
        """The same without the column."""
        return h.squeeze(-1)


def name_of(backbone: str | OwnNetwork) -> str:
    """What to call a backbone in messages and files.

    >>> name_of("gcn"), name_of(nn.Linear(2, 1)), name_of(nn.Linear)
    ('gcn', 'Linear', 'Linear')
    """
    if isinstance(backbone, str):
        return backbone
    return getattr(backbone, "__name__", type(backbone).__name__)


def _make(given: OwnNetwork, n_features: int) -> nn.Module:
    if isinstance(given, nn.Module):
        return deepcopy(given)
    made: Any = given(n_features)
    if not isinstance(made, nn.Module):
        raise DataError(f"backbone={name_of(given)}: gave {type(made).__name__} for {n_features} features. "
                        "Expected a function from the number of features to a torch.nn.Module.")
    return made


def _try_out(module: nn.Module, n_features: int, name: str) -> bool:
    """Two nodes and an edge: says early what would fail late. Whether edge weights make a difference."""
    if any(getattr(layer, "cached", False) is True for layer in module.modules()):
        raise DataError(f"backbone={name}: has a layer with cached=True, which would keep the first graph it "
                        "sees and ignore every other. Pass cached=False.")
    takes = "edge_weight" in _arguments(module)
    edge_index, weight = torch.tensor([[0, 1], [1, 0]]), torch.ones(2, requires_grad=True)
    module.cpu().eval()
    try:
        logits = _run(module, torch.ones(2, n_features), edge_index, weight if takes else None)
    except (RuntimeError, TypeError, ValueError) as error:
        raise DataError(
            f"backbone={name}: fails on a graph of 2 nodes with {n_features} features, which is how many are "
            f"left without constant ones ({str(error).splitlines()[0]}). {EXPECTED}. A function from the "
            "number of features to a module always fits.") from error
    shape = tuple(getattr(logits, "shape", ()))
    if shape not in ((2,), (2, 1)):
        got = f"shape {shape}" if isinstance(logits, Tensor) else type(logits).__name__
        raise DataError(f"backbone={name}: gives {got} for 2 nodes. {EXPECTED}: shape (2,) or (2, 1).")
    # An argument that no layer looks at has no gradient at all.
    return takes and logits.requires_grad and _reached(logits, weight)


def _reached(logits: Tensor, weight: Tensor) -> bool:
    return torch.autograd.grad(logits.sum(), weight, allow_unused=True)[0] is not None


def _run(module: nn.Module, x: Tensor, edge_index: Tensor, weight: Tensor | None) -> Tensor:
    return module(x, edge_index) if weight is None else module(x, edge_index, edge_weight=weight)


def _arguments(module: nn.Module) -> set[str]:
    """Names of what forward takes; torch_geometric.nn.Sequential has a list of its own."""
    listed = getattr(getattr(module, "signature", None), "param_dict", None)
    return set(listed or inspect.signature(module.forward).parameters)
