"""KM1 and KM2 by the size of their sub-sample, on separated Gaussians with 1,000 + 4,000 scores.

    python benchmarks/priors/km_sizes.py
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import product
from pathlib import Path

import numpy as np
from mixtures import mixture

sys.path.insert(0, str(Path(__file__).parents[1]))
from halflabel.priors import km
from machine import describe_machine, write_json

POINTS = ((400, 400), (1000, 1000), (2000, 2000), (2000, 4000))  # of P and of U, at most
GAPS, PRIORS, SIZE = (6.0, 4.0), (0.05, 0.2, 0.5, 0.8), (1000, 4000)
SEEDS = 10
RESULTS = Path(__file__).parent / "results"


def run(points: tuple[int, int], gap: float, prior: float) -> dict[str, object]:
    """Mean error of both estimators, from one curve a sample, and its processor time."""
    km.MAX_POINTS = points
    errors, seconds = [], []
    for seed in range(SEEDS):
        P, U, share = mixture(seed, prior, *SIZE, gap)
        started = time.process_time()
        both = km.km_both(P, U)
        seconds.append(time.process_time() - started)
        errors.append([both.km1 - share, both.km2 - share])
    km1, km2 = np.abs(errors).mean(axis=0).tolist()
    return {"points": points, "gap": gap, "prior": prior, "runs": SEEDS, "km1": km1, "km2": km2,
            "seconds": float(np.median(seconds))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=RESULTS)
    out = parser.parse_args().out
    rows = [run(*setting) for setting in product(POINTS, GAPS, PRIORS)]
    write_json(out / "km-sizes.json", {"machine": describe_machine(threads=1), "rows": rows})
    for points in POINTS:
        mine = [row for row in rows if row["points"] == points]
        means = " ".join(f"{name} {np.mean([row[name] for row in mine]):.3f} (worst "
                         f"{max(row[name] for row in mine):.3f})" for name in ("km1", "km2"))
        seconds = np.median([row["seconds"] for row in mine])
        print(f"{points[0]} + {points[1]}: {means}, both in {seconds:.2f} s")


if __name__ == "__main__":
    main()
