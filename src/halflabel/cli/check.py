"""halflabel check: read everything, say what was found, and how far a prior could be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from halflabel.cli import options
from halflabel.cli.inputs import Inputs
from halflabel.cli.show import say, say_heading, say_points
from halflabel.cli.words import counted, in_option_words
from halflabel.errors import DataError

if TYPE_CHECKING:
    import numpy as np

    from halflabel.graph import Graph


FilesOnly = Annotated[bool, typer.Option(
    "--files-only", help="Only read the files; train nothing, and say nothing of the prior.")]


def check(
    edges: options.Edges,
    positives: options.Positives,
    nodes: options.Nodes = None,
    source: options.Source = None,
    target: options.Target = None,
    weight: options.Weight = None,
    id: options.Id = None,
    features: options.Features = None,
    ignore: options.Ignore = None,
    missing: options.MissingValues = options.Missing.error,
    unknown_nodes: options.Unknown = options.UnknownNodes.error,
    undirected: options.Undirected = False,
    files_only: FilesOnly = False,
) -> None:
    """Read the files as fit would, say what was found, and warn about what may go wrong.

    Trains small networks to see how far an estimate of the prior can be trusted.

    Example: halflabel check edges.csv --nodes nodes.csv --positives known.txt
    """
    inputs = Inputs(
        edges=edges, nodes=nodes, positives=positives, source=source, target=target, weight=weight, id=id,
        features=features, ignore=ignore, missing=missing, unknown_nodes=unknown_nodes, undirected=undirected)
    loaded = inputs.read()

    from halflabel.base import MIN_POSITIVES
    from halflabel.diagnose.given import describe_links, links_among, warnings_about
    from halflabel.scaling import Scaling

    graph, known = loaded.graph, loaded.known
    inputs.say_what_was_read(loaded, Scaling.fit(graph.X, graph.names()).describe())
    say_heading("Known positives")
    say_points([describe_links(links_among(graph, known))])
    if warnings := warnings_about(graph, known):
        say_heading("Warnings")
        say_points([in_option_words(warning) for warning in warnings], "yellow")
    if (count := int(known.sum())) < MIN_POSITIVES:
        raise DataError(f"{positives.name}: {counted(count, 'known positive')}; a fit needs at least "
                        f"{MIN_POSITIVES}, because some are held out to estimate how many are left.")
    if not files_only:
        _say_how_far_to_trust(graph, known)
    say_heading("Usable.")
    say("  Next: halflabel fit, with the same options and --out run/")


def _say_how_far_to_trust(graph: Graph, known: np.ndarray) -> None:
    from halflabel.crossfit import cross_fit
    from halflabel.diagnose import diagnose_prior, expected_heterophily
    from halflabel.run.answer import percent

    fitted = cross_fit(graph, known, folds=min(5, int(known.sum())))
    diagnosis = diagnose_prior(fitted)
    mixed = expected_heterophily(graph, fitted.probabilities(diagnosis.prior), known)
    say_heading("Prior")
    say_points([
        f"a first estimate: {percent(diagnosis.prior)} of the unlabelled nodes are positive",
        *diagnosis.words(),
        f"about {percent(mixed)} of the edges join a positive to a negative",
    ])
