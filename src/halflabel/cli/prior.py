"""halflabel prior: how many positives are left, by every estimator."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from halflabel.cli import complete, options
from halflabel.cli.inputs import Inputs
from halflabel.cli.show import say_error, say_heading, say_json, say_points, say_table
from halflabel.errors import DataError

if TYPE_CHECKING:
    from halflabel.crossfit import CrossFit
    from halflabel.graph import Graph
    from halflabel.priors import Prior

Methods = Annotated[str | None, typer.Option(
    metavar="A,B", help="Estimators to use; all of them if not given.", show_default=False,
    autocompletion=complete.estimators)]
FoldCount = Annotated[int, typer.Option(help="Each node is scored by a network trained without its fold.")]


class Timed(NamedTuple):
    """An estimate, and how long it took."""

    prior: Prior
    seconds: float


def prior(
    edges: options.Edges,
    positives: options.Positives,
    nodes: options.Nodes = None,
    methods: Methods = None,
    folds: FoldCount = 5,
    out: options.Picture = Path("prior.png"),
    as_json: options.AsJson = False,
    backbone: options.Backbone = None,
    seed: options.Seed = 0,
    source: options.Source = None,
    target: options.Target = None,
    weight: options.Weight = None,
    id: options.Id = None,
    features: options.Features = None,
    ignore: options.Ignore = None,
    missing: options.MissingValues = options.Missing.error,
    unknown_nodes: options.Unknown = options.UnknownNodes.error,
    undirected: options.Undirected = False,
) -> None:
    """Estimate the share of positives among the unlabelled nodes, by every estimator, and draw it.

    Example: halflabel prior edges.csv --nodes nodes.csv --positives known.txt
    """
    options.check_picture(out)
    inputs = Inputs(
        edges=edges, nodes=nodes, positives=positives, source=source, target=target, weight=weight, id=id,
        features=features, ignore=ignore, missing=missing, unknown_nodes=unknown_nodes, undirected=undirected)
    chosen = _names(methods)
    loaded = inputs.read()

    from halflabel.crossfit import cross_fit
    from halflabel.diagnose import diagnose_prior
    from halflabel.files import whole_file
    from halflabel.plots.prior import draw_prior

    fitted = cross_fit(loaded.graph, loaded.known, backbone or "gcn", folds=folds, random_state=seed)
    timed, failed = _estimate(loaded.graph, fitted, chosen, seed)
    if not timed:
        raise DataError(" ".join(failed))
    with whole_file(out) as filling:
        draw_prior(fitted, [row.prior for row in timed], filling)
    words = diagnose_prior(fitted).words()
    if as_json:
        _print_json(timed, failed, words, out)
        return
    _show(timed, failed, words, len(fitted.scores_u))
    say_heading(f"Picture: {out}")


def _names(methods: str | None) -> list[str]:
    """The estimators asked for; a mistyped name says so before any file is read."""
    from halflabel.priors import prior_methods
    from halflabel.priors.estimators import find_estimator

    names = options.split_names(methods) or prior_methods()
    for name in names:
        find_estimator(name)
    return names


def _estimate(graph: Graph, fitted: CrossFit, names: list[str], seed: int) -> tuple[list[Timed], list[str]]:
    from threadpoolctl import threadpool_limits

    from halflabel.priors import estimate_prior
    from halflabel.progress import track
    from halflabel.viewprior import prior_from_views

    def estimate(name: str) -> Prior:
        if name == "two_view":  # takes scores of its own
            folds = int(fitted.fold.max()) + 1
            return prior_from_views(graph, fitted.known, folds=folds, random_state=seed)
        return estimate_prior(fitted.scores_p, fitted.scores_u, name, random_state=seed)

    timed, failed = [], []
    # One thread: the matrices are small, and threads that wait for each other take longer than one.
    with threadpool_limits(1):
        for i in track(len(names), "estimating the prior", shown=True):
            start = perf_counter()
            try:
                timed.append(Timed(estimate(names[i]), perf_counter() - start))
            except DataError as error:
                failed.append(f"{names[i]}: {error}")
    return timed, failed


def _show(timed: list[Timed], failed: list[str], words: list[str], unlabelled: int) -> None:
    from halflabel.run.answer import percent, percent_range

    say_heading(f"Share of positives among the {unlabelled:,} unlabelled nodes")
    rows = [(p.method, percent(p.value), percent_range(p.low, p.high), f"{round(p.value * unlabelled):,}",
             f"{seconds:.1f}") for p, seconds in timed]
    columns = ("estimator", "share", "90 % interval", "nodes", "seconds")
    say_table(columns, rows, right=("share", "nodes", "seconds"))
    for message in failed:
        say_error(f"  {message}")
    say_heading("How far to trust it")
    say_points(words)


def _print_json(timed: list[Timed], failed: list[str], words: list[str], out: Path) -> None:
    estimates = [{**row.prior._asdict(), "seconds": round(row.seconds, 3)} for row in timed]
    say_json({"estimates": estimates, "failed": failed, "diagnosis": words, "picture": str(out)})
