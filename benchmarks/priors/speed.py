"""Every estimator on 10^5 unlabelled and 10^4 positive scores; BBE's bootstrap against plain sorting.

    python benchmarks/priors/speed.py

Every estimator runs in a process of its own, whose peak memory is its own too. BBE with 1,000 replicates is
compared with sorting the same scores 1,000 times with numpy, in turns, so that a busy moment hits both.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from mixtures import scores_for

sys.path.insert(0, str(Path(__file__).parents[1]))
from halflabel.priors import best_bin_interval, estimate_prior, prior_methods
from halflabel.priors.estimators import find_estimator
from halflabel.priors.regroup import regroup_if_overlapping
from machine import describe_machine, write_json

N_P, N_U, PRIOR, GAP = 10_000, 100_000, 0.3, 4.0
REPLICATES, ROUNDS = 1000, 5
RESULTS = Path(__file__).parent / "results"


def one(method: str) -> dict[str, object]:
    """Processor seconds of the point estimate and of the whole, and the peak memory of this process in MB."""
    import resource

    P, U, _ = scores_for(method, 0, PRIOR, N_P, N_U, GAP)
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    estimator, regrouped = find_estimator(method)
    point_function = estimator.load(estimator.point)  # imports are not the estimator's time
    started = time.process_time()
    point_function(regroup_if_overlapping(P, U) if regrouped else P, U)
    point = time.process_time() - started
    started = time.process_time()
    prior = estimate_prior(P, U, method)
    return {"method": method, "point_seconds": point, "seconds": time.process_time() - started,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "base_mb": base,
            "value": prior.value, "low": prior.low, "high": prior.high}


def against_sorting() -> dict[str, object]:
    """Ratio of the medians: a bootstrap of BBE over as many plain sorts."""
    P, U, _ = scores_for("bbe", 0, PRIOR, N_P, N_U, GAP)
    U = np.random.default_rng(0).permutation(U)
    ours, sorts = [], []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        best_bin_interval(P, U, replicates=REPLICATES)
        ours.append(time.perf_counter() - started)
        started = time.perf_counter()
        for _ in range(REPLICATES):
            np.sort(U)
            np.sort(P)
        sorts.append(time.perf_counter() - started)
    return {"bbe_seconds": ours, "sort_seconds": sorts, "ratio": float(np.median(ours) / np.median(sorts))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--one", help="run one estimator and print its figures")
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(one(arguments.one)))
        return
    rows = []
    for method in prior_methods():
        command = [sys.executable, __file__, "--one", method]
        rows.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
        print(rows[-1], flush=True)
    comparison = against_sorting()
    machine = describe_machine(threads=1)
    write_json(arguments.out / "speed.json",
               {"machine": machine, "rows": rows, "bbe_against_sorting": comparison})
    lines = ["| estimator | point, s | with interval, s | peak memory, MB | estimate |",
             "|---|---|---|---|---|"]
    lines += [f"| {r['method']} | {r['point_seconds']:.2f} | {r['seconds']:.2f} | {r['peak_mb']:.0f} "
              f"| {r['value']:.3f} [{r['low']:.3f}, {r['high']:.3f}] |" for r in rows]
    text = (f"# Speed on {N_U:,} unlabelled and {N_P:,} positive scores\n\n"
            f"True share {PRIOR}; classes {GAP:g} apart. "
            f"The process holds {rows[0]['base_mb']:.0f} MB before it starts.\n"
            f"Measured on {machine['processor']}, one thread.\n\n" + "\n".join(lines) +
            f"\n\nBBE with {REPLICATES:,} replicates takes "
            f"{comparison['ratio']:.3f} times as long as {REPLICATES:,} plain sorts of the same scores.\n")
    (arguments.out / "speed.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
