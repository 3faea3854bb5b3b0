"""The files a user gives, read as a graph and a mask of known positives."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from halflabel.cli.options import Missing, UnknownNodes, split_names
from halflabel.cli.show import say_heading, say_pairs, say_points
from halflabel.cli.words import counted, in_option_words

if TYPE_CHECKING:
    import numpy as np

    from halflabel.graph import Graph
    from halflabel.run.machine import InputFile


class Loaded(NamedTuple):
    """What was read, and the hashes of the files as they were then."""

    graph: Graph
    known: np.ndarray
    files: dict[str, InputFile]


@dataclass(frozen=True)
class Inputs:
    """Files, and how to read them."""

    edges: Path
    nodes: Path | None
    positives: Path | None
    source: str | None = None
    target: str | None = None
    weight: str | None = None
    id: str | None = None
    features: str | None = None
    ignore: str | None = None
    missing: Missing = Missing.error
    unknown_nodes: UnknownNodes = UnknownNodes.error
    undirected: bool = False

    @property
    def paths(self) -> dict[str, Path]:
        """The files by role."""
        from halflabel.graphfiles import CARD, is_stored_graph

        # The card of a stored graph has the hashes of all its files.
        edges = self.edges / CARD if is_stored_graph(self.edges) else self.edges
        given = {"edges": edges, "nodes": self.nodes, "positives": self.positives}
        return {role: path for role, path in given.items() if path is not None}

    def read_graph(self) -> Graph:
        """Read the graph, with progress on the standard error if it takes long."""
        from halflabel.convert import read_graph

        return read_graph(
            self.edges, self.nodes, source=self.source, target=self.target, weight=self.weight, id=self.id,
            features=split_names(self.features), ignore=split_names(self.ignore), missing=self.missing.value,
            unknown_nodes=self.unknown_nodes.value, directed=not self.undirected, verbose=True)

    def read(self) -> Loaded:
        """Read everything."""
        from halflabel.labels import as_positive_mask
        from halflabel.run.machine import InputFile

        graph = self.read_graph()
        known = as_positive_mask(self.positives, graph)
        return Loaded(graph, known, {role: InputFile.of(path) for role, path in self.paths.items()})

    def say_what_was_read(self, loaded: Loaded, scaling: str, memory: str | None = None) -> None:
        """The files, what is in them, and what was changed on the way; what memory a fit needs."""
        known, nodes = int(loaded.known.sum()), loaded.graph.n_nodes
        labels = f"{counted(known, 'known positive')}, {counted(nodes - known, 'unlabelled node')}"
        needed = [("memory", memory)] if memory else []
        self.say_graph(loaded.graph, [
            (Path(self.positives or "").name, labels), ("features", scaling), *needed])

    def say_graph(self, graph: Graph, more: list[tuple[str, str]]) -> None:
        """What is in the tables, and what was changed on the way."""
        from halflabel.diagnose.given import count_isolated

        nodes = [counted(graph.n_nodes, "node")]
        if isolated := count_isolated(graph):
            nodes.append(f"{isolated:,} of them without any edge")
        kind = "directed" if graph.edge_weight is None else "weighted directed"
        say_heading("Read")
        say_pairs([
            (self.edges.name, counted(graph.n_edges, f"{kind} edge")),
            (self.nodes.name if self.nodes else "nodes", ", ".join(nodes)),
            *more,
        ])
        say_points([in_option_words(note) for note in graph.notes], "dim")
