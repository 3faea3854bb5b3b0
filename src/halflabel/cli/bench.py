"""halflabel bench: the tables and figures of the paper, or a plan of your own, from one command."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halflabel.cli import complete, options
from halflabel.cli.options import split_names
from halflabel.cli.show import say, say_error, say_heading, say_json, say_points
from halflabel.cli.words import counted

if TYPE_CHECKING:
    from halflabel.bench.execute import Executor
    from halflabel.bench.job import Job
    from halflabel.bench.targets import Target

SHOWN = 10  # failures on the screen; all of them are on the page


class Where(StrEnum):
    """Where jobs run."""

    local = "local"
    ray = "ray"


TargetName = Annotated[str, typer.Argument(
    metavar="TARGET", show_default=False, autocompletion=complete.target,
    help="table1 .. table4, figure1 .. figure5, all of them (all), auto, auto_few, methods, authors, smoke, "
         "or a plan.toml.")]
Out = Annotated[Path, typer.Option(
    help="Where results, tables, figures and the page go. Run again with the same to continue.",
    show_default=False)]
Datasets = Annotated[str | None, typer.Option(
    metavar="A,B", help="Only these graphs.", show_default=False, autocompletion=complete.datasets)]
Rows = Annotated[str | None, typer.Option(
    "--methods", metavar="A,B", help="Only these rows, by method or by label.", show_default=False,
    autocompletion=complete.methods)]
Seeds = Annotated[int | None, typer.Option(
    min=1, help="Number of splits; by default the plan's.", show_default=False)]
Jobs = Annotated[int | None, typer.Option(
    min=1, help="Processes, of one thread each; by default one for each core.", show_default=False)]
Executors = Annotated[Where, typer.Option(
    help="Processes here, or a Ray cluster: the one that RAY_ADDRESS names, else a local one.")]


def bench(
    target: TargetName,
    out: Out,
    datasets: Datasets = None,
    methods: Rows = None,
    seeds: Seeds = None,
    jobs: Jobs = None,
    executor: Executors = Where.local,
    as_json: options.AsJson = False,
) -> None:
    """Run the benchmark, or what is missing of it, and write its tables, figures and a page over them.

    It can be stopped at any moment: what has been measured is kept, and the same command continues.

    Example: halflabel bench table1 --datasets cora,texas --methods gpl,nnpu --out bench/
    """
    from halflabel.bench.execute import run_missing
    from halflabel.bench.outputs import Asked, write_outputs
    from halflabel.bench.own import search_beside
    from halflabel.bench.store import Store
    from halflabel.bench.targets import find_targets, is_file, narrow, rows_in

    search_beside(target if is_file(target) else "here")
    targets = find_targets(target)
    wanted = (split_names(datasets), rows_in(methods, targets), seeds)
    targets = narrow(targets, *wanted)
    todo = [job for each in targets for plan in each.plans for job in plan.jobs()]
    store = Store(out / "results.jsonl")
    ran = run_missing(todo, store, _executor(executor, jobs or os.cpu_count() or 1), shown=True)
    asked = Asked(out)
    names = [each.name for each in targets]
    page = write_outputs(targets, asked.others(names), store.results, out)
    asked.add({name: str(Path(target).resolve()) if is_file(target) else name for name in names}, *wanted)
    if as_json:
        say_json({"page": page, **_facts(targets, todo, store.results, ran)})
        return
    _show(targets, todo, store.results, ran)
    say_heading(f"Page: {page}")


def _executor(where: Where, workers: int) -> Executor:
    if where is Where.ray:
        from halflabel.bench.on_ray import on_ray

        return on_ray(workers)
    from halflabel.bench.execute import in_processes

    return in_processes(workers)


def _facts(targets: list[Target], todo: list[Job], results: dict[str, Any], ran: int) -> dict[str, Any]:
    from halflabel.bench.measured import missing_data
    from halflabel.bench.summary import tables_of

    unique = {job.key for job in todo}
    found = [results[key] for key in unique]
    tables = [
        {"target": target.name, "title": table.title, "metric": table.metric, "rows": {
            label: {column: {"mean": cell.mean if cell.values else None, "splits": len(cell.values),
                             "published": cell.published, "best": cell.best, "note": cell.note}
                    for column, cell in cells.items()} for label, cells in table.cells.items()}}
        for target in targets for plan in target.plans for table in tables_of(plan, results)]
    failed = [{"job": result["key"], "reason": result["reason"].splitlines()[0]}
              for result in found if result["status"] == "failed"]
    return {"jobs": len(unique), "run_now": ran, "tables": tables, "no_data": missing_data(found),
            "failed": failed}


def _show(targets: list[Target], todo: list[Job], results: dict[str, Any], ran: int) -> None:
    from halflabel.bench.measured import missing_data
    from halflabel.bench.render import to_markdown
    from halflabel.bench.summary import tables_of

    if len(targets) == 1:
        for plan in targets[0].plans:
            for table in tables_of(plan, results):
                say(to_markdown(table))
    unique = {job.key for job in todo}
    say(f"{counted(len(unique), 'job')}: {ran:,} run now, {len(unique) - ran:,} from the store.")
    found = [results[key] for key in unique]
    if reasons := missing_data(found):
        say_heading("No data")
        say_points(reasons)
    _say_failed([result for result in found if result["status"] == "failed"])


def _say_failed(results: list[dict[str, Any]]) -> None:
    if not results:
        return
    say_error(f"{counted(len(results), 'job')} failed; tracebacks are on the page, and in results.jsonl. "
              "The same command tries them again.")
    for result in results[:SHOWN]:
        what = result["settings"].get("method") or result["kind"]
        say_error(f"  {result['key']} ({what}): {result['reason'].splitlines()[0]}")
    if len(results) > SHOWN:
        say_error(f"  ... and {len(results) - SHOWN:,} more")
