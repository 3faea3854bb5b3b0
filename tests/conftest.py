"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from halflabel.base import PUNodeClassifier
from halflabel.cli.fitting import Settings
from halflabel.datasets import load_dataset
from halflabel.datasets.paper import PAPER_GRAPHS
from halflabel.graph import Graph
from halflabel.stacking import effort

# How long an example takes says something of the machine, not of the code.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


@cache
def _load(name: str, symmetric: bool) -> tuple[Graph, np.ndarray]:
    return load_dataset(name, symmetric=symmetric)


@pytest.fixture(scope="session")
def real_graph() -> Callable[..., tuple[Graph, np.ndarray]]:
    """real_graph("cora") gives (graph, y) of a graph of the paper, loaded once, or skips with the reason."""

    def load(name: str, symmetric: bool = False) -> tuple[Graph, np.ndarray]:
        place = os.environ.get("HALFLABEL_DATA")
        if not place:
            pytest.skip("HALFLABEL_DATA is not set: the real graphs are not available")
        if missing := PAPER_GRAPHS[name].raw.missing(Path(place)):
            pytest.skip(f"HALFLABEL_DATA={place} lacks {missing[0]} of {name}")
        return _load(name, symmetric)

    return load


@pytest.fixture(scope="module")
def few_draws() -> Iterator[None]:
    """Auto draws folds twice at most: ten draws are right or wrong as two are, and take much longer."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(effort, "MAX_DRAWS", 2)
        yield


@pytest.fixture
def short_fits(monkeypatch: pytest.MonkeyPatch, few_draws: None) -> None:
    """Fits of a few epochs: what they find does not matter here."""
    long = Settings.model

    def short(self: Settings) -> PUNodeClassifier:
        model, wanted = long(self), {"warmup": 4, "epochs": 3}
        return model.set_params(**{name: wanted[name] for name in wanted.keys() & model.get_params().keys()})

    monkeypatch.setattr(Settings, "model", short)
