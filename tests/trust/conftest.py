"""Small saved things of each kind, and a twin of each that differs."""

from pathlib import Path

import numpy as np
import pytest

import halflabel as hl
from halflabel.ids import NodeIds
from halflabel.run.store import write_run


def write_small(place: Path, seed: int) -> Path:
    """A run of 40 nodes, which holds a model and a graph."""
    rng = np.random.default_rng(seed)
    source, target = rng.integers(40, size=(2, 120))
    graph = hl.Graph.from_edges(
        source, target, rng.random((40, 3)), weight=rng.random(120),
        ids=NodeIds([f"{'AB'[seed]}-{i}" for i in range(40)]), feature_names=["p", "q", "r"])
    known = np.arange(40) < 10
    model = hl.Naive(epochs=1, hidden=4, folds=2, random_state=seed).fit(graph, known)
    write_run(place, graph, model, known, seconds=1.0, inputs={})
    return place


@pytest.fixture(scope="session")
def runs(tmp_path_factory) -> tuple[Path, Path]:
    """Two runs of the same sizes."""
    place = tmp_path_factory.mktemp("trust")
    return write_small(place / "one", seed=0), write_small(place / "other", seed=1)
