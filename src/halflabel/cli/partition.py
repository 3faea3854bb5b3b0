"""halflabel partition: a graph in parts, one for each process that will fit it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from halflabel.cli import options
from halflabel.cli.show import say, say_heading, say_json, say_pairs
from halflabel.cli.words import counted


class How(StrEnum):
    """How nodes are shared out."""

    auto = "auto"
    metis = "metis"
    contiguous = "contiguous"


def partition(
    edges: options.Edges,
    out: Annotated[Path, typer.Argument(
        metavar="OUT_DIR", help="Directory for the parts; earlier parts there are replaced.",
        show_default=False)],
    parts: Annotated[int, typer.Option(help="How many: one for each process.", min=1, show_default=False)],
    nodes: options.Nodes = None,
    how: Annotated[How, typer.Option(
        help="metis: few edges between parts, by pymetis; contiguous: runs of nodes in the order of their "
             "ids; auto: metis where it is installed.")] = How.auto,
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
    """Cut a graph into parts that several processes fit together.

    Example: halflabel partition edges.csv parts/ --nodes nodes.csv --parts 2
    """
    from halflabel.convert import read_graph
    from halflabel.distributed.partition import check_partition_place, partition_graph

    check_partition_place(out)
    graph = read_graph(
        edges, nodes, source=source, target=target, weight=weight, id=id,
        features=options.split_names(features), ignore=options.split_names(ignore),
        missing=missing.value, unknown_nodes=unknown_nodes.value, directed=not undirected)
    made = partition_graph(graph, parts, out, how=how.value, verbose=True)
    share = 2 * made.cut / made.stored if made.stored else 0.0
    if as_json:
        say_json({"directory": str(out), "nodes": made.nodes, "edges": made.edges, "parts": made.parts,
                  "how": made.how, "nodes_in_parts": made.own_nodes, "share_of_edges_between_parts": share})
        return
    say_heading(f"Parts in {out}")
    say_pairs([
        ("graph", f"{counted(made.nodes, 'node')}, {counted(made.edges, 'directed edge')}"),
        ("parts", f"{counted(made.parts, 'part')}, {made.how}, of {min(made.own_nodes):,} to "
                  f"{max(made.own_nodes):,} nodes"),
        ("between parts", f"{100 * share:.1f} % of the edges"),
    ])
    say()
    say(f"Next: torchrun --nproc-per-node {parts} -m halflabel fit {out} --positives known.txt --distributed "
        "--out run/")
