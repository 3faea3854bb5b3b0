"""Is the diagnosis right? Its verdict beside the error of the prior; expected heterophily beside the truth.

    HALFLABEL_DATA=... python benchmarks/priors/diagnosis.py
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from real_scores import GRAPHS, scores_of

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from halflabel.crossfit import CrossFit
from halflabel.datasets import edge_heterophily
from halflabel.diagnose import diagnose_prior, expected_heterophily
from machine import describe_machine, write_json


def one_split(name: str, seed: int, cache: Path) -> dict[str, object]:
    """Diagnosis on the scores of a GCN trained on P against U."""
    scores = scores_of(name, seed, cache)
    graph, _ = hl.load_dataset(name)
    fitted = CrossFit(scores.columns["gcn"], scores.known, scores.fold)
    diagnosis = diagnose_prior(fitted)
    verdict = "trust" if diagnosis.trustworthy else "upper bound" if diagnosis.upper_bound else "rough"
    return {
        "graph": name, "seed": seed, "verdict": verdict,
        "prior": round(diagnosis.prior, 4), "true_prior": round(scores.prior, 4),
        "separation": round(diagnosis.separation, 3), "fall": round(diagnosis.fall, 3),
        "fold_spread": round(diagnosis.fold_spread, 3), "positives_above": diagnosis.positives_above,
        "heterophily": round(expected_heterophily(
            graph, fitted.probabilities(diagnosis.prior), scores.known), 4),
        "true_heterophily": round(edge_heterophily(graph, scores.truth), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "diagnosis.json")
    parser.add_argument("--cache", type=Path, default=Path("scores-cache"))
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    rows = [one_split(name, seed, arguments.cache) for name in GRAPHS for seed in range(arguments.seeds)]
    for name in GRAPHS:
        own = [row for row in rows if row["graph"] == name]
        verdicts = {verdict: sum(row["verdict"] == verdict for row in own)
                    for verdict in ("trust", "rough", "upper bound")}
        prior, truth, mixed, true_mixed = (
            float(np.mean([row[key] for row in own]))
            for key in ("prior", "true_prior", "heterophily", "true_heterophily"))
        print(f"{name:10s} prior {prior:.3f} for {truth:.3f}  heterophily {mixed:.3f} for {true_mixed:.3f}  "
              + ", ".join(f"{verdict} {count}" for verdict, count in verdicts.items() if count))
    content = {"machine": describe_machine(threads=1), "seeds": arguments.seeds, "rows": rows}
    write_json(arguments.out, content)


if __name__ == "__main__":
    main()
