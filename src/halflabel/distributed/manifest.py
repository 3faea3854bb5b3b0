"""Manifest: what parts.json says of the whole graph, which no process reads."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from halflabel.errors import DataError
from halflabel.features.encoding import ENCODING, Encoding
from halflabel.features.scaling import SCALING, Scaling
from halflabel.sealed import Card
from halflabel.sealed.schema import either, integer, listed, mapping, nothing, number, text

MANIFEST = "parts.json"
COUNT = integer(0)
PARTS = Card(
    name=MANIFEST,
    what="partition",
    format=3,
    content={
        "parts": integer(1), "how": text, "nodes": COUNT, "edges": COUNT, "stored": COUNT, "cut": COUNT,
        "isolated": COUNT, "own_nodes": listed(COUNT), "features": COUNT, "names": listed(text),
        "notes": listed(text), "weight_unit": number(), "scaling": SCALING, "content": mapping(text),
        "encoding": either(nothing, ENCODING),
    },
    again="Partition the graph again.",
)


@dataclass(frozen=True)
class Manifest:
    """Sizes of the graph and of its parts, and how every process has to treat features and weights.

    `edges` are directed, as in the data; `stored` counts both directions of every undirected edge, and `cut`
    the undirected edges between parts. `content` tells one graph from another, `encoding` how its features
    came about.

    >>> part_name(3)
    'part-00003'
    """

    parts: int
    how: str
    nodes: int
    edges: int
    stored: int
    cut: int
    isolated: int
    own_nodes: list[int]
    features: int
    names: tuple[str, ...]
    notes: tuple[str, ...]
    weight_unit: float
    scaling: Scaling
    content: dict[str, str]
    encoding: Encoding | None

    def to_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {**asdict(self), "scaling": self.scaling.to_dict()}

    def write(self, directory: Path) -> None:
        """Write parts.json, sealed."""
        PARTS.write(directory, self.to_dict())

    @classmethod
    def read(cls, directory: str | os.PathLike[str]) -> Manifest:
        """The manifest of a directory that `partition_graph` wrote."""
        place = Path(directory)
        if place.is_file():
            raise DataError(f"{directory}: expected a directory that halflabel partition wrote, "
                            "got a file.")
        if not (place / MANIFEST).is_file():
            raise DataError(f"{directory}: not a partitioned graph, it has no {MANIFEST}. "
                            "Make one with: halflabel partition")
        saved = PARTS.read(place)
        del saved["format"]
        try:
            scaling = Scaling.from_dict(saved["scaling"])
            encoding = None if saved["encoding"] is None else Encoding.from_dict(saved["encoding"])
            if len(saved["own_nodes"]) != saved["parts"] or sum(saved["own_nodes"]) != saved["nodes"]:
                raise ValueError("the nodes of the parts are not those of the graph")
        except ValueError as error:
            raise PARTS.damaged(place / MANIFEST, error) from None
        return cls(**{**saved, "scaling": scaling, "names": tuple(saved["names"]),
                      "notes": tuple(saved["notes"]), "encoding": encoding})


def part_name(part: int) -> str:
    """The directory of a part."""
    return f"part-{part:05d}"
