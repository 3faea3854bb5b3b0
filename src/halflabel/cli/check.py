"""halflabel check: read everything, fit nothing, say what was found."""

from __future__ import annotations

from halflabel.cli import options
from halflabel.cli.inputs import Inputs
from halflabel.cli.show import say, say_heading, say_points
from halflabel.cli.words import counted, in_option_words
from halflabel.errors import DataError


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
) -> None:
    """Read the files as fit would, say what was found, and warn about what may go wrong.

    Example: halflabel check edges.csv --nodes nodes.csv --positives known.txt
    """
    inputs = Inputs(
        edges=edges, nodes=nodes, positives=positives, source=source, target=target, weight=weight, id=id,
        features=features, ignore=ignore, missing=missing, unknown_nodes=unknown_nodes, undirected=undirected)
    loaded = inputs.read()

    from halflabel.base import MIN_POSITIVES
    from halflabel.diagnose import describe_links, links_among, warnings_about
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
    say_heading("Usable.")
    say("  Next: halflabel fit, with the same options and --out run/")
