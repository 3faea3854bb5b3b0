"""halflabel convert: tables become a stored graph, which later commands map into memory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from halflabel.cli import options
from halflabel.cli.facts import graph_facts
from halflabel.cli.inputs import Inputs
from halflabel.cli.show import say, say_heading, say_json
from halflabel.cli.words import counted


def convert(
    edges: options.Edges,
    out: Annotated[Path, typer.Option(
        help="Directory for the graph; an earlier graph there is replaced, anything else is left alone.",
        show_default=False)],
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
    as_json: options.AsJson = False,
) -> None:
    """Read tables once and store the graph; give its directory to any command in place of the edge table.

    Example: halflabel convert edges.csv --nodes nodes.csv --out payments.graph/
    """
    from halflabel.graphfiles import check_place, save_graph

    check_place(out)  # before long work, not after
    inputs = Inputs(
        edges=edges, nodes=nodes, positives=None, source=source, target=target, weight=weight, id=id,
        features=features, ignore=ignore, missing=missing, unknown_nodes=unknown_nodes, undirected=undirected)
    graph = inputs.read_graph()
    save_graph(graph, out)
    if as_json:
        say_json({"directory": str(out), "graph": graph_facts(graph)})
        return
    inputs.say_graph(graph, [("features", counted(graph.X.shape[1], "column"))])
    say_heading(f"Stored in {out}")
    say(f"  Next: halflabel check {out} --positives known.txt")
