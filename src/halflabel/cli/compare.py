"""halflabel compare: which method ranks best on these files, judged on hidden known positives."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from halflabel.cli import complete, options
from halflabel.cli.inputs import Inputs
from halflabel.cli.show import say_error, say_heading, say_json, say_points, say_table

if TYPE_CHECKING:
    from halflabel.comparison import Comparison
    from halflabel.comparison.words import Table

Methods = Annotated[str, typer.Option(
    metavar="A,B", help="Methods to compare; NAME:BACKBONE chooses the network.",
    autocompletion=complete.methods)]
FoldCount = Annotated[int, typer.Option(help="Known positives are hidden in so many parts, in turn.")]
CommonPrior = Annotated[str, typer.Option(
    metavar="auto|NAME|NUMBER", rich_help_panel=options.FIT, autocompletion=complete.prior,
    help="Share of positives among the unlabelled nodes, or the estimator of it, one for all methods.")]


def compare(
    edges: options.Edges,
    positives: options.Positives,
    nodes: options.Nodes = None,
    methods: Methods = "auto,gpl,naive,naive:mlp",
    folds: FoldCount = 5,
    out: options.Picture = Path("compare.png"),
    as_json: options.AsJson = False,
    prior: CommonPrior = "auto",
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
    """Rank methods on your own files, without negatives: known positives are hidden, and should be found.

    Each method is fitted once a fold, so this takes as long as that many fits.

    Example: halflabel compare edges.csv --nodes nodes.csv --positives known.txt --methods gpl,nnpu
    """
    options.check_picture(out)
    inputs = Inputs(
        edges=edges, nodes=nodes, positives=positives, source=source, target=target, weight=weight, id=id,
        features=features, ignore=ignore, missing=missing, unknown_nodes=unknown_nodes, undirected=undirected)
    names, share = options.split_names(methods), _prior(prior)
    _check_names(names, share)
    loaded = inputs.read()

    from halflabel.comparison import compare
    from halflabel.files import whole_file
    from halflabel.plots.compare import draw_comparison

    found = compare(
        loaded.graph, loaded.known, names, folds=folds, prior=share, random_state=seed, verbose=True)
    with whole_file(out) as filling:
        draw_comparison(found, filling)
    if as_json:
        _print_json(found, out)
        return
    _show(found)
    say_heading(f"Picture: {out}")


def _prior(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _check_names(names: list[str] | None, prior: float | str) -> None:
    """A mistyped name says so before any file is read."""
    from halflabel.comparison.contestants import contestants
    from halflabel.comparison.prior import as_share, check_prior_name

    contestants(names)
    if as_share(prior) is None:
        check_prior_name(str(prior))


def _show(found: Comparison) -> None:
    from halflabel.cli.words import counted
    from halflabel.comparison.words import decisions, ranking, sentences
    from halflabel.run.answer import percent, percent_range

    prior, folds = found.prior, len(found.rows[0].folds)
    _say_table(ranking(found))
    for row in found.failed:
        say_error(f"  {row.method}: {row.failure}")
    _say_table(decisions(found))
    say_heading("What this says")
    say_points(sentences(found))
    say_heading("How it was found")
    known = counted(found.known, "known positive")
    how = ("as given" if prior.method == "given" else
           f"by {prior.method}, 90 % interval {percent_range(prior.low, prior.high)}")
    say_points([
        f"{known} in {folds} parts, each hidden once among {counted(found.unlabelled, 'unlabelled node')}.",
        f"Precision and F1 follow from one prior for all methods: {percent(prior.value)}, {how}.",
        "F1 by prior: at either end of that interval. Recall at prior: of as many nodes as the prior says "
        "are positive; their precision and F1 are then the same number.",
        "Intervals (±) are 90 %; those behind the best are paired by hidden positive, and hold together.",
    ])


def _say_table(table: Table) -> None:
    say_heading(table.heading)
    say_table(table.columns, table.rows, right=("seconds",))


def _print_json(found: Comparison, out: Path) -> None:
    from halflabel.comparison.words import sentences

    say_json({**found.to_dict(), "words": sentences(found), "picture": str(out)})
