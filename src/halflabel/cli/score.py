"""halflabel score: nodes that a run did not see, scored without training again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halflabel.cli import options
from halflabel.cli.show import say_heading, say_json, say_pairs, say_points, say_prose, say_table
from halflabel.cli.words import counted, in_option_words
from halflabel.errors import DataError

if TYPE_CHECKING:
    from halflabel.run.new_nodes import NewScores
    from halflabel.run.opened import Run

SHOWN = 10
RunDirectory = Annotated[Path, typer.Argument(
    metavar="RUN", help="Directory that halflabel fit wrote.", show_default=False)]
NewEdges = Annotated[Path, typer.Argument(
    metavar="EDGES", help="Edges of the new nodes, among each other and with those of the run.",
    show_default=False)]
NewNodes = Annotated[Path | None, typer.Option(
    help="The new nodes: an id, and the columns that the nodes of the run had. Not needed for a run without "
         "a node table.", show_default=False)]
Out = Annotated[Path, typer.Option(help="Where the scores go: .parquet or .csv.", show_default=False)]
OnItsOwn = Annotated[bool, typer.Option(
    "--alone", help="The new files are a graph of their own, not an addition to the one of the run.")]
NewThreshold = Annotated[str | None, typer.Option(
    help="Whom of the new nodes to flag; by default, whoever reaches the threshold of the run.",
    metavar="prior|f1|budget:N|precision:X|cost:X", show_default=False)]


def score(
    run: RunDirectory,
    edges: NewEdges,
    out: Out,
    nodes: NewNodes = None,
    alone: OnItsOwn = False,
    threshold: NewThreshold = None,
    as_json: options.AsJson = False,
    source: options.Source = None,
    target: options.Target = None,
    weight: options.Weight = None,
    id: options.Id = None,
    missing: options.MissingValues = options.Missing.error,
    unknown_nodes: options.Unknown = options.UnknownNodes.error,
    undirected: options.Undirected = False,
) -> None:
    """Score new nodes with a run, without training again.

    The new nodes are added to the graph of the run, and only they are scored. Columns are read as those of
    the run were. Says so if the new nodes are unlike the fitted ones.

    Example: halflabel score run/ new_edges.csv --nodes new_nodes.csv --out scores.parquet
    """
    check_out(out, run, [path for path in (edges, nodes) if path is not None])
    goal = None if threshold is None else options.parse_threshold(threshold)

    from halflabel.convert import append, read_graph
    from halflabel.run.new_nodes import score_new
    from halflabel.run.opened import open_run

    opened = open_run(run)
    how: dict[str, Any] = {
        "source": source, "target": target, "weight": weight, "id": id, "missing": missing.value,
        "unknown_nodes": unknown_nodes.value, "verbose": not as_json}
    graph = (read_graph(edges, nodes, like=opened.graph, directed=not undirected, **how) if alone else
             append(opened.graph, edges, nodes, directed=False if undirected else None, **how))
    notes = [in_option_words(note) for note in graph.notes[0 if alone else len(opened.graph.notes) :]]
    found = score_new(opened.model, graph, goal)
    write_scores(found, out)
    new_edges = graph.n_edges - (0 if alone else opened.graph.n_edges)
    if as_json:
        _print_json(found, new_edges, notes, out)
    else:
        _say(opened, found, new_edges, notes)
        say_heading(f"Written: {out}")


def check_out(out: Path, run: Path, inputs: list[Path]) -> None:
    """Only formats that can be written, and nothing that would be lost: said before any work is done.

    >>> check_out(Path("scores.csv"), Path("run"), [Path("edges.csv")])
    """
    if out.suffix.lower() not in (".parquet", ".csv"):
        raise typer.BadParameter(f"{out}: expected a name that ends in .parquet or .csv.", param_hint="--out")
    place = out.resolve()
    if place.is_dir():
        raise DataError(f"{out}: is a directory. Give the name of a file.")
    if place in [path.resolve() for path in inputs]:
        raise DataError(f"{out}: is one of the files to be read, and would be lost. Choose another name.")
    if place.is_relative_to(run.resolve()):
        raise DataError(f"{out}: is in the directory of the run, whose own scores must not be replaced. "
                        "Choose a place outside of it.")


def write_scores(found: NewScores, out: Path) -> None:
    """The table as a file, whole or not at all."""
    import pyarrow.csv
    import pyarrow.parquet

    from halflabel.files import whole_file
    from halflabel.files.formulas import guard

    with whole_file(out) as filling:
        if out.suffix.lower() == ".csv":
            pyarrow.csv.write_csv(guard(found.table), filling)
        else:
            pyarrow.parquet.write_table(found.table, filling)


def _say(run: Run, found: NewScores, edges: int, notes: list[str]) -> None:
    from halflabel.run.answer import probability

    say_heading("Read")
    say_pairs([
        ("run", f"{run.record.method}, fitted on {counted(run.graph.n_nodes, 'node')}"),
        ("new", f"{counted(found.table.num_rows, 'node')}, {counted(edges, 'directed edge')}"),
    ])
    say_points(notes, "dim")
    say_points(found.drift, "yellow")
    rows = found.table.to_pylist()
    flagged, expected = sum(row["flagged"] for row in rows), sum(row["probability"] for row in rows)
    say_heading("Answer")
    say_prose(f"{flagged:,} of the {len(rows):,} new nodes {'is' if flagged == 1 else 'are'} flagged; "
              f"by their probabilities {expected:.1f} of all of them are positive.")
    say_heading("Most likely positives")
    say_table(["rank", "id", "probability", "flagged"],
              [[row["rank"], row["id"], probability(row["probability"]), "yes" if row["flagged"] else "no"]
               for row in rows[:SHOWN]], right=("rank", "probability"))


def _print_json(found: NewScores, edges: int, notes: list[str], out: Path) -> None:
    import pyarrow.compute as pc

    table = found.table
    say_json({
        "nodes": table.num_rows,
        "flagged": int(pc.sum(table["flagged"]).as_py()),
        "expected_positives": round(pc.sum(table["probability"]).as_py(), 3),
        "edges": edges,
        "drift": found.drift,
        "notes": notes,
        "out": str(out),
    })
