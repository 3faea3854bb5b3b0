"""How often the 90 % intervals hold the prior, where irreducibility holds: separated Gaussians.

    python benchmarks/priors/coverage.py [--only NAME ...]

Every unlabelled point is positive with the probability called prior, and the interval is asked for that
probability; the share in the very sample, which varies less, is counted too. Two views get classes 1.5 apart.
With --only, rows of the other estimators are kept from the results that are there.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import product
from pathlib import Path

import numpy as np
from earlier import kept_rows
from mixtures import VIEW_GAP, scores_for

sys.path.insert(0, str(Path(__file__).parents[1]))
from halflabel.priors import estimate_prior, prior_methods
from machine import describe_machine, write_json

GAPS = (6.0, 4.0)
PRIORS = (0.1, 0.3, 0.6)
SIZES = ((200, 800), (1000, 4000))
WANTED = 0.85
# Samples per setting, by what the estimator's interval costs; 50 where nothing is said.
SAMPLES = {"alphamax": 20, "dedpul": 40, "pen_l1": 10, "km1": 20, "km2": 20}
METHODS = (*prior_methods(), "regroup:bbe")
RESULTS = Path(__file__).parent / "results"


def run(method: str, gap: float, prior: float, size: tuple[int, int]) -> dict[str, object]:
    """Coverage and width of one estimator's intervals in one setting."""
    held, held_share, widths, biases = [], [], [], []
    for seed in range(SAMPLES.get(method, 50)):
        separation = VIEW_GAP if method == "two_view" else gap
        P, U, share = scores_for(method, seed, prior, *size, separation, fixed=False)
        estimate = estimate_prior(P, U, method, random_state=seed)
        held.append(estimate.low <= prior <= estimate.high)
        held_share.append(estimate.low <= share <= estimate.high)
        widths.append(estimate.high - estimate.low)
        biases.append(estimate.value - prior)
    return {"method": method, "gap": gap, "prior": prior, "n_p": size[0], "n_u": size[1],
            "samples": len(held), "coverage": float(np.mean(held)),
            "coverage_of_share": float(np.mean(held_share)),
            "width": float(np.mean(widths)), "bias": float(np.mean(biases))}


def table(rows: list[dict]) -> str:
    """Coverage over all settings and in the worst one."""
    lines = ["| estimator | samples | coverage of the prior | worst setting | of the share in the sample "
             "| mean width | mean bias |", "|---|---|---|---|---|---|---|"]
    for method in METHODS:
        mine = [row for row in rows if row["method"] == method]
        columns = ("coverage", "coverage_of_share", "width", "bias")
        means = {key: np.mean([row[key] for row in mine]) for key in columns}
        worst = min(mine, key=lambda row: row["coverage"])
        mark = "" if means["coverage"] >= WANTED else " (below)"
        lines.append(
            f"| {method} | {sum(row['samples'] for row in mine)} | {means['coverage']:.2f}{mark} | "
            f"{worst['coverage']:.2f} at {worst['gap']:g} apart, prior {worst['prior']}, "
            f"{worst['n_p']:,} + {worst['n_u']:,} | "
            f"{means['coverage_of_share']:.2f} | {means['width']:.3f} | {means['bias']:+.3f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--only", nargs="+", choices=METHODS, default=METHODS, metavar="NAME")
    arguments = parser.parse_args()
    out, chosen = arguments.out, arguments.only
    started = time.perf_counter()
    rows = kept_rows(out / "coverage.json", chosen, METHODS)
    for method in chosen:
        rows += [run(method, *setting) for setting in product(GAPS, PRIORS, SIZES)]
        print(f"{method}: {time.perf_counter() - started:.0f} s", flush=True)
    rows.sort(key=lambda row: METHODS.index(row["method"]))
    machine = describe_machine(threads=1)
    last_run = {"methods": list(chosen), "seconds": time.perf_counter() - started}
    write_json(out / "coverage.json",
               {"machine": machine, "nominal": 0.9, "last_run": last_run, "rows": rows})
    text = ("# Coverage of the 90 % intervals\n\n"
            f"Separated Gaussians, {GAPS} apart, priors {PRIORS}, sizes {SIZES}.\n"
            f"Measured on {machine['processor']}, one thread.\n\n{table(rows)}\n")
    (out / "coverage.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
