"""halflabel fit: from files to a run directory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from halflabel.cli import options
from halflabel.cli.facts import fit_facts
from halflabel.cli.fitting import Result, Settings, fit_files, say_answer, say_files, say_top
from halflabel.cli.inputs import Inputs
from halflabel.cli.later import GoingOn
from halflabel.cli.show import say_json
from halflabel.cli.together import Sharing, fit_parts, refuse_reading_options, refuse_sharing


def fit(
    edges: options.Edges,
    positives: options.Positives,
    out: Annotated[Path, typer.Option(
        help="Directory for the results; an earlier run there is replaced, anything else is left alone.",
        show_default=False)],
    nodes: options.Nodes = None,
    method: options.Method = "auto",
    prior: options.Prior = "auto",
    threshold: options.Threshold = None,
    seed: options.Seed = 0,
    backbone: options.Backbone = None,
    batch_size: options.BatchSize = None,
    epochs: options.Epochs = None,
    folds: options.Folds = None,
    as_json: options.AsJson = False,
    source: options.Source = None,
    target: options.Target = None,
    weight: options.Weight = None,
    id: options.Id = None,
    features: options.Features = None,
    ignore: options.Ignore = None,
    missing: options.MissingValues = options.Missing.error,
    unknown_nodes: options.Unknown = options.UnknownNodes.error,
    undirected: options.Undirected = False,
    distributed: options.Distributed = False,
    resume: options.Resume = False,
    checkpoint_every: options.CheckpointEvery = None,
    patience: options.Patience = 600.0,
) -> None:
    """Rank every node, estimate how many positives are left, and write a report.

    Example: halflabel fit edges.csv --nodes nodes.csv --positives known.txt --out run/

    Under torchrun, with --distributed, EDGES is a directory that halflabel partition wrote.
    """
    settings = Settings(method, prior, threshold, seed, backbone, batch_size, epochs, folds)
    sharing = Sharing(checkpoint_every, resume, patience)
    if distributed:
        refuse_reading_options({
            "nodes": nodes, "source": source, "target": target, "weight": weight, "id": id,
            "features": features, "ignore": ignore, "undirected": undirected,
            "missing": missing != options.Missing.error,
            "unknown_nodes": unknown_nodes != options.UnknownNodes.error})
        shared = fit_parts(edges, positives, settings, out, sharing, told=not as_json)
        if shared is not None:
            say_result(shared, out, as_json)
        return
    refuse_sharing(edges, sharing)
    inputs = Inputs(
        edges=edges, nodes=nodes, positives=positives, source=source, target=target, weight=weight, id=id,
        features=features, ignore=ignore, missing=missing, unknown_nodes=unknown_nodes, undirected=undirected)
    result = fit_files(inputs, settings, out, GoingOn(checkpoint_every, resume), told=not as_json)
    say_result(result, out, as_json)


def say_result(result: Result, out: Path, as_json: bool) -> None:
    """The answer, the most likely positives, and where everything is."""
    if as_json:
        say_json(fit_facts(result, out))
        return
    say_answer(result)
    say_top(result)
    say_files(out)
