"""What a job does, by its kind: one module each, with a function `run(job, split) -> metrics`.

Labels of unlabelled nodes are used in the last step of a run only, to score.
"""

from __future__ import annotations

import time
import warnings
from importlib import import_module
from typing import Any

from halflabel.bench.job import Job
from halflabel.bench.kinds.split import draw_split
from halflabel.bench.provenance import peak_memory, provenance, reset_peak_memory
from halflabel.errors import CollapseWarning

__all__ = ["run_job"]


def run_job(job: Job) -> dict[str, Any]:
    """Metrics, what it took, and what it was run with."""
    kind = import_module(f"halflabel.bench.kinds.{job.kind}")
    split = draw_split(job)
    reset_peak_memory()
    start = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", CollapseWarning)
        metrics = kind.run(job, split)
    return {
        "metrics": metrics,
        "warnings": sorted({str(warning.message) for warning in caught}),
        "fit_seconds": round(time.perf_counter() - start, 3),
        "peak_mb": peak_memory(),
        **provenance(),
    }
