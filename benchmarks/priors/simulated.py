"""Error of every class-prior estimator on Gaussian pairs, from separated to overlapping.

    python benchmarks/priors/simulated.py [--only NAME ...]

Scores are log-likelihood ratios, the logits of an ideal classifier. Two views get two independent scores with
the same distance of the classes in each. Point estimates only; intervals are measured in coverage.py.
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
from mixtures import scores_for

sys.path.insert(0, str(Path(__file__).parents[1]))
from halflabel.errors import DataError
from halflabel.priors.estimators import find_estimator, prior_methods
from halflabel.priors.regroup import regroup_if_overlapping
from machine import describe_machine, write_json

GAPS = (6.0, 4.0, 2.0, 1.0)
PRIORS = (0.05, 0.2, 0.5, 0.8)
SIZES = ((200, 800), (1000, 4000))
SEEDS, SLOW_SEEDS = 40, 10
SLOW = ("km1", "km2")  # a second or two each
METHODS = (*prior_methods(), "regroup:bbe")
RESULTS = Path(__file__).parent / "results"


def run(method: str, gap: float, prior: float, size: tuple[int, int]) -> dict[str, object]:
    """Mean error, bias, spread and time of one estimator in one setting."""
    estimator, regrouped = find_estimator(method)
    point = estimator.load(estimator.point)
    errors, seconds, refused = [], [], 0
    for seed in range(SLOW_SEEDS if method in SLOW else SEEDS):
        P, U, share = scores_for(method, seed, prior, *size, gap)
        started = time.process_time()  # of one thread: others may be using the machine
        try:
            estimate = point(regroup_if_overlapping(P, U) if regrouped else P, U)
        except DataError:
            refused += 1
            continue
        seconds.append(time.process_time() - started)
        errors.append(estimate - share)
    return {"method": method, "gap": gap, "prior": prior, "n_p": size[0], "n_u": size[1],
            "runs": len(errors), "refused": refused, "mean_error": float(np.mean(np.abs(errors))),
            "bias": float(np.mean(errors)), "sd": float(np.std(errors)), "lowest": float(np.min(errors)),
            "highest": float(np.max(errors)), "seconds": float(np.median(seconds))}


def table(rows: list[dict]) -> str:
    """Mean absolute error and bias over the priors, one row an estimator, one column a setting."""
    settings = list(product(GAPS, SIZES))
    head = " | ".join(f"{gap:g} apart, {n_p:,} + {n_u:,}" for gap, (n_p, n_u) in settings)
    lines = [f"| estimator | {head} | s at 1,000 + 4,000 |", "|---" * (len(settings) + 2) + "|"]
    for method in METHODS:
        mine = [row for row in rows if row["method"] == method]
        cells = []
        for gap, size in settings:
            of = [row for row in mine if row["gap"] == gap and (row["n_p"], row["n_u"]) == size]
            error, bias = (np.mean([row[key] for row in of]) for key in ("mean_error", "bias"))
            cells.append(f"{error:.3f} ({bias:+.3f})")
        seconds = np.median([row["seconds"] for row in mine if row["n_p"] == SIZES[-1][0]])
        lines.append(f"| {method} | {' | '.join(cells)} | {seconds:.3f} |")
    return "\n".join(lines)


def verdict(rows: list[dict]) -> str:
    """The two promises: small errors where classes are separated, a bound that bounds; and who refused."""
    large = [row for row in rows if row["gap"] >= 4 and row["n_p"] == SIZES[-1][0]]
    worst = {m: max(row["mean_error"] for row in large if row["method"] == m) for m in METHODS}
    lowest = min(row["lowest"] for row in rows if row["method"] == "roc")
    over = ", ".join(f"{method} {error:.3f}" for method, error in worst.items() if error > 0.03)
    refused = [row for row in rows if row["refused"]]
    where = "; ".join(f"{row['method']} {row['refused']} of {row['refused'] + row['runs']} at {row['gap']:g} "
                      f"apart, prior {row['prior']}, {row['n_p']:,} + {row['n_u']:,}" for row in refused)
    return (f"Separated classes (4 or more apart), 1,000 + 4,000, worst mean error over priors above .03: "
            f"{over or 'none'}.\nLowest error of the ROC bound in any run: {lowest:+.3f}.\n"
            f"Samples refused for want of signal, and left out above: {where or 'none'}.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--only", nargs="+", choices=METHODS, default=METHODS, metavar="NAME")
    arguments = parser.parse_args()
    out, chosen = arguments.out, arguments.only
    started = time.perf_counter()
    rows = kept_rows(out / "simulated.json", chosen, METHODS)
    for method in chosen:
        rows += [run(method, *setting) for setting in product(GAPS, PRIORS, SIZES)]
        print(f"{method}: {time.perf_counter() - started:.0f} s", flush=True)
    rows.sort(key=lambda row: METHODS.index(row["method"]))
    machine = describe_machine(threads=1)
    last_run = {"methods": list(chosen), "seconds": time.perf_counter() - started}
    write_json(out / "simulated.json", {"machine": machine, "seeds": SEEDS, "slow_seeds": SLOW_SEEDS,
                                        "last_run": last_run, "rows": rows})
    write_table(out, machine, rows)


def write_table(out: Path, machine: dict, rows: list[dict]) -> None:
    """The same for people."""
    text = ("# Class priors on Gaussian pairs\n\n"
            f"Mean absolute error (bias), over priors {PRIORS}, {SEEDS} samples each "
            f"({SLOW_SEEDS} for {' and '.join(SLOW)}).\n"
            f"Measured on {machine['processor']}, one thread.\n\n{table(rows)}\n\n{verdict(rows)}\n")
    (out / "simulated.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
