"""The prior from pairs of views on real graphs, against best-bin estimation: five splits a graph.

The combination: the median over the pairs of ego, neighbours and links in which both views carry signal;
where no pair does, ego x gcn. It was put together after a look at the errors of the first three splits, so
the table also gives the mean error on those and on the other two apart.

    HALFLABEL_DATA=... python benchmarks/priors/two_view_study.py
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from real_scores import GRAPHS, Scores, scores_of

sys.path.insert(0, str(Path(__file__).parents[1]))
from halflabel.errors import DataError
from halflabel.priors import Prior, best_bin, estimate_prior
from halflabel.viewprior import LAST_RESORT, PAIRS, combine_views
from machine import describe_machine, write_json

LOOKED_AT = 3


def value_or_nan(estimate: Callable[[], Prior]) -> float:
    """Not a number where a view carries no signal and the estimate is refused."""
    try:
        return estimate().value
    except DataError:
        return np.nan


def two_views(scores: Scores, pair: tuple[str, str]) -> Prior:
    """The estimate of a pair."""
    columns = np.column_stack([scores.columns[view] for view in pair])
    return estimate_prior(columns[scores.known], columns[~scores.known], "two_view", replicates=20)


def errors_of(name: str, seed: int, cache: Path) -> dict[str, float]:
    """Signed error of every estimate on one split."""
    scores = scores_of(name, seed, cache)
    pairs = {" x ".join(pair): value_or_nan(lambda pair=pair: two_views(scores, pair))
             for pair in (*PAIRS, LAST_RESORT)}
    combined = value_or_nan(lambda: combine_views(scores.columns, scores.known))
    bins = {f"bbe on {source}": best_bin(*scores.pair(source)) for source in ("gcn", "ego", "supervised")}
    return {name: value - scores.prior for name, value in {**pairs, "combined": combined, **bins}.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "two-view.json")
    parser.add_argument("--cache", type=Path, default=Path("scores-cache"))
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    splits = {name: [errors_of(name, seed, arguments.cache) for seed in range(arguments.seeds)]
              for name in GRAPHS}
    kinds = list(splits["cora"][0])
    rows = []
    print(f"{'bias':22s}" + "".join(f"{name:>11s}" for name in GRAPHS) + "   |error|  looked-at  others")
    for kind in kinds:
        bias = {name: _mean([split[kind] for split in splits[name]]) for name in GRAPHS}
        error, looked, others = (
            _mean([_mean(np.abs([split[kind] for split in splits[name][part]])) for name in GRAPHS])
            for part in (slice(None), slice(LOOKED_AT), slice(LOOKED_AT, None)))
        refused = {name: count for name in GRAPHS
                   if (count := sum(bool(np.isnan(split[kind])) for split in splits[name]))}
        rows.append({"estimate": kind, "bias": bias, "mean_absolute_error": error, "refused_splits": refused,
                     "splits_looked_at": looked, "other_splits": others})
        cells = "".join(f"{'none' if value is None else f'{value:+.3f}':>11s}" for value in bias.values())
        print(f"{kind:22s}{cells}   {error:.3f}    {looked:.3f}      {others:.3f}   "
              + (f"refused: {refused}" if refused else ""))
    content = {"machine": describe_machine(threads=1), "seeds": arguments.seeds, "rows": rows}
    write_json(arguments.out, content)


def _mean(values: list | np.ndarray) -> float | None:
    """Mean of what there is."""
    present = [value for value in values if value is not None and not np.isnan(value)]
    return round(float(np.mean(present)), 4) if present else None


if __name__ == "__main__":
    main()
