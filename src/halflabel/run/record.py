"""RunRecord: what run.json holds, which is all that a report or a later command needs beside the scores."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from halflabel.base import PUNodeClassifier
from halflabel.diagnose import count_isolated, doubts
from halflabel.errors import DataError
from halflabel.graph import Graph
from halflabel.methods import method_classes
from halflabel.modelfiles.ownbackbone import plain_parameters
from halflabel.run.card import RUN, SEALED
from halflabel.run.machine import InputFile, peak_memory_bytes, versions
from halflabel.sealed import describe


@dataclass(frozen=True)
class RunRecord:
    """One fit: its result in numbers, and what is needed to repeat it.

    `prior` is the share of positives among the unlabelled nodes, `prior_low` and `prior_high` its interval;
    `threshold` is the probability from which nodes are flagged, `expected` what that should bring; `doubts`
    speak against the answer, `notes` say what was done to the data and `scaling` what to the features.

    >>> RunRecord.__dataclass_fields__.keys() >= {"prior", "threshold", "seed", "data"}
    True
    """

    prior: float
    prior_low: float
    prior_high: float
    threshold: float
    expected: dict[str, float]
    method: str
    parameters: dict[str, Any]
    seed: int
    counts: dict[str, int]
    doubts: list[str]
    notes: list[str]
    scaling: str
    seconds: float
    peak_memory_bytes: int | None
    data: dict[str, dict[str, str]]
    versions: dict[str, str]

    @property
    def prior_is_given(self) -> bool:
        """Whether the user said what the prior is."""
        return not isinstance(self.parameters.get("prior", "auto"), str)

    @classmethod
    def read(cls, directory: str | os.PathLike[str]) -> RunRecord:
        """The record of a run directory."""
        return cls.read_sealed(directory)[0]

    @classmethod
    def read_sealed(cls, directory: str | os.PathLike[str]) -> tuple[RunRecord, dict[str, dict[str, Any]]]:
        """The record, and the sizes and hashes of the files that belong to it."""
        place = Path(directory)
        if not (place / RUN.name).is_file():
            raise DataError(f"{directory}: not a run directory, it has no {RUN.name}.")
        content = RUN.read(place)
        files = content.pop("files")
        del content["format"]
        return cls(**content), files

    def write(self, directory: Path) -> None:
        """Write run.json, sealed with the files that the directory has by now."""
        files = {name: describe(directory / name) for name in SEALED if (directory / name).exists()}
        RUN.write(directory, {**asdict(self), "files": files})


def record_run(
    graph: Graph,
    model: PUNodeClassifier,
    scores: pa.Table,
    *,
    seconds: float,
    inputs: Mapping[str, InputFile],
    sizes: Mapping[str, int] | None = None,
) -> RunRecord:
    """Collect the record of a fitted model; `scores` is its `score_table`, `sizes` counts the graph."""
    names = {cls: name for name, cls in method_classes().items()}
    low, high = model.prior_interval_
    return RunRecord(
        prior=float(model.prior_),
        prior_low=float(low),
        prior_high=float(high),
        threshold=float(model.threshold_),
        expected=model.expected_,
        method=names[type(model)],
        parameters=plain_parameters(model),
        seed=model.random_state,
        counts=_counts(sizes or _sizes(graph), scores),
        doubts=[] if model._graph is None else [doubt.message for doubt in doubts(model)],
        notes=list(graph.notes),
        scaling=model.scaling_.describe(),
        seconds=round(seconds, 3),
        peak_memory_bytes=peak_memory_bytes(),
        data={role: asdict(file) for role, file in inputs.items()},
        versions=versions(),
    )


def _sizes(graph: Graph) -> dict[str, int]:
    return {"nodes": graph.n_nodes, "edges": graph.n_edges, "isolated": count_isolated(graph),
            "features": graph.X.shape[1]}


def _counts(sizes: Mapping[str, int], scores: pa.Table) -> dict[str, int]:
    known, flagged = (int(pc.sum(scores[name]).as_py()) for name in ("known_positive", "flagged"))
    return {
        **sizes,
        "known_positives": known,
        "unlabelled": scores.num_rows - known,
        "flagged": flagged,
    }
