"""Manifest: what parts.json says of the whole graph, which no process reads."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from halflabel.errors import DataError
from halflabel.scaling import Scaling

MANIFEST = "parts.json"
FORMAT = 1


@dataclass(frozen=True)
class Manifest:
    """Sizes of the graph and of its parts, and how every process has to treat features and weights.

    `edges` are directed, as in the data; `stored` counts both directions of every undirected edge, and `cut`
    the undirected edges between parts. `content` tells one graph from another.

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

    def to_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {"format": FORMAT, **asdict(self), "scaling": self.scaling.to_dict()}

    @classmethod
    def read(cls, directory: str | os.PathLike[str]) -> Manifest:
        """The manifest of a directory that `partition_graph` wrote."""
        path = Path(directory) / MANIFEST
        try:
            saved = json.loads(path.read_text(encoding="utf-8"))
            form = saved.pop("format", None)
        except FileNotFoundError:
            raise DataError(f"{directory}: not a partitioned graph, it has no {MANIFEST}. "
                            "Make one with: halflabel partition") from None
        except NotADirectoryError:
            raise DataError(f"{directory}: expected a directory that halflabel partition wrote, "
                            "got a file.") from None
        except (json.JSONDecodeError, UnicodeDecodeError, AttributeError) as error:
            raise DataError(f"{path}: not the record of a partitioned graph ({error}).") from None
        if form != FORMAT:
            raise DataError(f"{path}: format {form!r}, but this version reads format {FORMAT}. "
                            "Partition the graph again.")
        plain = {**saved, "scaling": Scaling.from_dict(saved["scaling"]), "names": tuple(saved["names"]),
                 "notes": tuple(saved["notes"])}
        return cls(**plain)


def part_name(part: int) -> str:
    """The directory of a part."""
    return f"part-{part:05d}"
