"""halflabel data: which datasets there are, and getting one."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from halflabel.cli import complete, options
from halflabel.cli.facts import graph_facts
from halflabel.cli.show import say, say_json, say_table
from halflabel.cli.words import counted

app = typer.Typer(no_args_is_help=True, help="List the datasets, or get one.")

DataDir = Annotated[Path | None, typer.Option(
    help="Where datasets live; else $HALFLABEL_DATA, else the user's cache.", show_default=False)]


@app.command("list")
def list_(data_dir: DataDir = None, as_json: options.AsJson = False) -> None:
    """Show every dataset, and whether it is here."""
    from halflabel.datasets import data_directory, list_datasets
    from halflabel.run.answer import percent

    found = list_datasets(data_dir=data_dir)
    if as_json:
        say_json({"directory": data_directory(data_dir), "datasets": [asdict(info) for info in found]})
        return
    rows = [
        [info.name, info.kind, f"{info.nodes:,}", f"{info.edges:,}", f"{info.features:,}",
         percent(info.prior), "built in" if info.path is None else "yes" if info.available else "no"]
        for info in found
    ]
    numbers = ("nodes", "edges", "features", "prior")
    say_table(["name", "kind", *numbers, "here"], rows, right=numbers)
    say()
    say(f"Data directory: {data_directory(data_dir)}", "dim")
    say("prior: share of positives among the unlabelled nodes when half of the positives are known.", "dim")


@app.command("get")
def get(
    name: Annotated[str, typer.Argument(
        metavar="NAME", help="A name from: halflabel data list", show_default=False,
        autocompletion=complete.dataset)],
    data_dir: DataDir = None,
    as_json: options.AsJson = False,
) -> None:
    """Load a dataset, downloading it if it is not here."""
    from halflabel.datasets import list_datasets, load_dataset

    graph, _ = load_dataset(name, data_dir=data_dir)
    place = next(info.path for info in list_datasets(data_dir=data_dir) if info.name == name)
    if as_json:
        say_json({"name": name, "directory": place, "graph": graph_facts(graph)})
        return
    say(f"{name}: {counted(graph.n_nodes, 'node')}, {counted(graph.n_edges, 'directed edge')}, "
        f"{counted(graph.X.shape[1], 'feature')}")
    say("It is built in; halflabel demo writes it as files." if place is None else f"It is in {place}")
