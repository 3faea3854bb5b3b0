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
    positives: Path
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
        given = {"edges": self.edges, "nodes": self.nodes, "positives": self.positives}
        return {role: path for role, path in given.items() if path is not None}

    def read(self) -> Loaded:
        """Read everything."""
        from halflabel.convert import read_graph
        from halflabel.labels import as_positive_mask
        from halflabel.run.machine import InputFile

        graph = read_graph(
            self.edges, self.nodes, source=self.source, target=self.target, weight=self.weight, id=self.id,
            features=split_names(self.features), ignore=split_names(self.ignore), missing=self.missing.value,
            unknown_nodes=self.unknown_nodes.value, directed=not self.undirected)
        known = as_positive_mask(self.positives, graph)
        return Loaded(graph, known, {role: InputFile.of(path) for role, path in self.paths.items()})

    def say_what_was_read(self, loaded: Loaded, scaling: str) -> None:
        """The files, what is in them, and what was changed on the way."""
        from halflabel.diagnose.given import count_isolated

        graph, known = loaded.graph, int(loaded.known.sum())
        nodes = [counted(graph.n_nodes, "node")]
        if isolated := count_isolated(graph):
            nodes.append(f"{isolated:,} of them without any edge")
        kind = "directed" if graph.edge_weight is None else "weighted directed"
        say_heading("Read")
        say_pairs([
            (self.edges.name, counted(graph.n_edges, f"{kind} edge")),
            (self.nodes.name if self.nodes else "nodes", ", ".join(nodes)),
            (self.positives.name, f"{counted(known, 'known positive')}, "
                                  f"{counted(graph.n_nodes - known, 'unlabelled node')}"),
            ("features", scaling),
        ])
        say_points([in_option_words(note) for note in graph.notes], "dim")
