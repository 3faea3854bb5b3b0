"""How many small mistakes in the heart of the package its tests notice.

    python benchmarks/trust/mutants.py [labels km ...] [--again] [--survivors] [--patience 3]

Every mutant (see mutations.py) of each module is tried against the tests of that module that reach the
changed function, the quickest first, until one fails. A group of modules in which fewer than four in five
are noticed is a failure. Results are kept by module; one whose text and tests have not changed since is not
tried again.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mutant_results import Results, read_results, summary, write_results
from mutant_trials import Baseline, Workshop
from mutations import mutants_of

Table = dict[str, tuple[str, list[str]]]
ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).parent / "results" / "mutants.json"
NEEDED = 0.8
PATIENCE = 3.0  # seconds; few that survive these tests die by slower ones, which every survivor pays for
ENOUGH = 2.0  # times what the tests took, and
MORE = 8.0  # seconds

ELSEWHERE = {"labels": ["tests/test_marks.py", "tests/trust/test_formulas.py"]}
ALL_PRIORS = ["tests/priors/test_estimators.py", "tests/priors/test_prior.py"]
PRIORS = {  # files that no test file is named after
    "bootstrap": ["bootstrap", "two_view"], "density": ["dedpul"], "estimate": ["estimate", "regroup"],
    "estimators": ["estimate", "regroup"],
    "kernel_matrix": ["km"], "kernel_sample": ["kernel_sample", "km"], "knee": ["alphamax"],
    "nearest_mixture": ["km"], "samples": ["samples", "km", "pen_l1", "tice"],
}


def modules() -> Table:
    """Group and tests of each module; its own examples are among them."""
    table = {f"src/halflabel/{name}.py": (name, [f"tests/test_{name}.py", *ELSEWHERE.get(name, [])])
             for name in ("propagation", "labels", "thresholds")}
    for room in ("run", "bench"):
        table[f"src/halflabel/{room}/store.py"] = ("store", [f"tests/{room}/test_store.py"])
    for path in sorted((ROOT / "src/halflabel/priors").glob("*.py")):
        named = PRIORS.get(path.stem, [path.stem])
        if mutants_of(path.read_text(encoding="utf-8")):
            tests = [*(f"tests/priors/test_{name}.py" for name in named), *ALL_PRIORS]
            table[f"src/halflabel/priors/{path.name}"] = ("priors", tests)
    return {module: (group, [*tests, module]) for module, (group, tests) in table.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="groups or modules: labels, priors, km, run/store, ...; all")
    parser.add_argument("--again", action="store_true", help="also modules that have not changed")
    parser.add_argument("--survivors", action="store_true",
                        help="only mutants that survived before, where nothing but tests was added since")
    parser.add_argument("--patience", type=float, default=PATIENCE, metavar="SECONDS",
                        help="of tests that a mutant is tried against, the quickest first; default: 3")
    asked = parser.parse_args()
    table = modules()
    chosen = [module for module, (group, _) in table.items() if not asked.names or any(
        name == group or module.endswith(f"/{name}.py") for name in asked.names)]
    if not chosen:
        parser.error(f"none of {', '.join(asked.names)} is a group or a module; there are "
                     + ", ".join(dict.fromkeys(group for group, _ in table.values())))
    results = read_results(RESULTS)
    with tempfile.TemporaryDirectory() as place:
        for module, result in tried_anew(Workshop(ROOT, Path(place)), table, chosen, results, asked):
            results[module] = result
            write_results(RESULTS, {name: results[name] for name in table if name in results})
    shares = summary(results)
    for group, counts in shares.items():
        print(f"{group}: {counts['mutants'] - counts['survived']} of {counts['mutants']} noticed, "
              f"{counts['share']:.1%}")
    if any(counts["share"] < NEEDED for counts in shares.values()):
        sys.exit(f"fewer than {NEEDED:.0%} are noticed")


def tried_anew(
    workshop: Workshop, table: Table, chosen: list[str], results: Results, asked: argparse.Namespace
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Results of those that changed, group by group: the tests of a group are run once as they are."""
    digests = {module: _digest(workshop.place, table[module][1]) for module in chosen}
    due = [module for module in chosen
           if asked.again or results.get(module, {}).get("digest") != digests[module]]
    for group in dict.fromkeys(table[module][0] for module in due):
        members = [module for module in due if table[module][0] == group]
        baseline = workshop.baseline(members, list(dict.fromkeys(
            test for module in members for test in table[module][1])))
        for module in members:
            source, before = _digest(workshop.place, [module]), results.get(module, {})
            known = before if asked.survivors and before.get("source") == source else {}
            outcome = tried(workshop, baseline, module, table[module][1], known, asked.patience)
            yield module, {"group": group, "digest": digests[module], "source": source,
                           "patience": asked.patience, **outcome}


def tried(
    workshop: Workshop, baseline: Baseline, module: str, tests: list[str], known: dict[str, Any],
    patience: float,
) -> dict[str, Any]:
    """Counts of outcomes and who survived; with results that are known, of those that did so far."""
    begun = time.perf_counter() - known.get("seconds", 0)
    found = {"killed": known.get("killed", 0), "timed out": known.get("timed out", 0), "survived": 0}
    survivors = []
    mutants = mutants_of((workshop.place / module).read_text(encoding="utf-8"))
    total = len(mutants)
    if known:
        left = [tuple(survivor.values()) for survivor in known["survivors"]]
        mutants = [mutant for mutant in mutants if mutant[:4] in left]
    for number, mutant in enumerate(mutants, start=1):
        reaching = baseline.of(module, mutant.function, tests, patience)
        limit = ENOUGH * sum(baseline.seconds[test] for test in reaching) + MORE
        outcome = workshop.outcome(module, mutant.source, reaching, limit) if reaching else "survived"
        found[outcome] += 1
        if outcome == "survived":
            survivors.append(dict(zip(("line", "column", "before", "after"), mutant, strict=False)))
        print(f"\r{module} {number}/{len(mutants)} {found}", end="", flush=True)
    print()
    return {"mutants": total, **found, "seconds": round(time.perf_counter() - begun),
            "survivors": survivors}


def _digest(place: Path, files: list[str]) -> str:
    """Of the copies that are tried: the originals may change meanwhile."""
    whole = hashlib.sha256()
    for name in files:
        whole.update((place / name).read_bytes())
    return whole.hexdigest()[:16]


if __name__ == "__main__":
    main()
