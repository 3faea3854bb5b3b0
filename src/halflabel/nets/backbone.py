"""Choose a backbone by name."""

from __future__ import annotations

from importlib import import_module

from torch import nn

# Imported on demand: torch_geometric alone takes seconds and hundreds of megabytes.
BACKBONES = {
    "gcn": "halflabel.nets.gcn:GCN",
    "mlp": "halflabel.nets.mlp:MLP",
    "gat": "halflabel.nets.attention:GAT",
    "arma": "halflabel.nets.spectral:ARMA",
    "appnp": "halflabel.nets.spectral:APPNP",
}


def build_backbone(name: str, *, n_features: int, hidden: int, members: int, dropout: float) -> nn.Module:
    """`members` networks of one kind, freshly initialised from torch's random state.

    >>> net = build_backbone("mlp", n_features=4, hidden=8, members=2, dropout=0.5)
    >>> [tuple(p.shape) for p in net.parameters()]
    [(2, 4, 8), (2, 1, 8), (2, 8, 1), (2, 1, 1)]
    """
    module, cls = BACKBONES[name].split(":")
    return getattr(import_module(module), cls)(n_features, hidden, members, dropout)
