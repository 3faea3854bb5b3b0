"""halflabel check: read everything, say what was found, and how far a prior could be trusted."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from halflabel.cli import options
from halflabel.cli.facts import graph_facts
from halflabel.cli.inputs import Inputs
from halflabel.cli.show import say, say_heading, say_json, say_points
from halflabel.cli.words import counted, in_option_words
from halflabel.errors import DataError

if TYPE_CHECKING:
    import numpy as np

    from halflabel.diagnose.trust import PriorDiagnosis
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
    as_json: options.AsJson = False,
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
    from halflabel.features.scaling import Scaling

    graph, known = loaded.graph, loaded.known
    scaling = Scaling.fit(graph.X, graph.names()).describe()
    links = links_among(graph, known)
    warnings = [in_option_words(warning) for warning in warnings_about(graph, known)]
    count = int(known.sum())
    if not as_json:
        inputs.say_what_was_read(loaded, scaling)
        say_heading("Known positives")
        say_points([describe_links(links)])
        if warnings:
            say_heading("Warnings")
            say_points(warnings, "yellow")
    if count < MIN_POSITIVES:
        raise DataError(f"{positives.name}: {counted(count, 'known positive')}; a fit needs at least "
                        f"{MIN_POSITIVES}, because some are held out to estimate how many are left.")
    outlook = None if files_only else _outlook(graph, known)
    if as_json:
        say_json({
            "graph": graph_facts(graph), "scaling": scaling, "known_positives": count,
            "unlabelled": graph.n_nodes - count, "links_among_known": links._asdict(), "warnings": warnings,
            "prior": outlook and outlook.to_dict()})
        return
    if outlook:
        _say_outlook(outlook)
    say_heading("Usable.")
    say("  Next: halflabel fit, with the same options and --out run/")


class Outlook(NamedTuple):
    """A first estimate of the prior with what speaks against it, and the share of mixed edges."""

    diagnosis: PriorDiagnosis
    mixed_edges: float

    def to_dict(self) -> dict[str, object]:
        """As JSON has it."""
        judged = {"trustworthy": self.diagnosis.trustworthy, "words": self.diagnosis.words()}
        return {**asdict(self.diagnosis), **judged, "mixed_edges": self.mixed_edges}


def _outlook(graph: Graph, known: np.ndarray) -> Outlook:
    from halflabel.crossfit import cross_fit
    from halflabel.diagnose import diagnose_prior, expected_heterophily

    fitted = cross_fit(graph, known, folds=min(5, int(known.sum())))
    diagnosis = diagnose_prior(fitted)
    mixed = expected_heterophily(graph, fitted.probabilities(diagnosis.prior), known)
    return Outlook(diagnosis, mixed)


def _say_outlook(outlook: Outlook) -> None:
    from halflabel.run.answer import percent

    say_heading("Prior")
    say_points([
        f"a first estimate: {percent(outlook.diagnosis.prior)} of the unlabelled nodes are positive",
        *outlook.diagnosis.words(),
        f"about {percent(outlook.mixed_edges)} of the edges join a positive to a negative",
    ])
