"""The known positives among the nodes of one part, from ids that may be anywhere."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import torch

from halflabel.distributed.part import Part
from halflabel.distributed.team import Team
from halflabel.errors import DataError, quote_some
from halflabel.ids import NodeIds
from halflabel.labels import read_positives


def known_everywhere(positives: Any, part: Part, team: Team) -> np.ndarray:
    """A mask over the nodes of the whole graph, sorted by id, the same in every process.

    `positives` are ids, the path of a file with ids, or a boolean mask in the order in which the data listed
    the nodes; each process looks for its own nodes in it.
    """
    values = _in_file(positives) if isinstance(positives, (str, os.PathLike)) else positives
    mask = np.asarray(values) if isinstance(values, (np.ndarray, list)) else None
    if mask is not None and mask.dtype == bool:
        if len(mask) != part.manifest.nodes:
            raise DataError(f"positives: a mask of {len(mask):,} values for {part.manifest.nodes:,} nodes.")
        return team.gather_array(mask[part.listed])
    ids = NodeIds.__new__(NodeIds)  # unique already
    ids.values = part.ids.to_arrow().slice(0, len(part.place))
    positions = ids.positions(values)
    _check_found(positions >= 0, values, team)
    own = np.zeros(len(part.place), dtype=bool)
    own[positions[positions >= 0]] = True
    return team.gather_array(own)


def _in_file(path: str | os.PathLike[str]) -> pa.Array:
    """Ids without the spaces around them: no process knows all ids, to see whether one has spaces itself."""
    ids = read_positives(path)
    return pc.utf8_trim_whitespace(ids) if pa.types.is_string(ids.type) else ids


def _check_found(found: np.ndarray, values: Any, team: Team) -> None:
    """Every id has to be in some part."""
    somewhere = team.total(torch.as_tensor(found.astype(np.int32))).numpy() > 0
    if len(unknown := np.flatnonzero(~somewhere)):
        names = dict.fromkeys(str(values[int(i)]) for i in unknown)
        raise DataError(f"positives: {len(unknown):,} of {len(found):,} ids are not in the graph: "
                        f"{quote_some(names)}. Are ids strings in one file and integers in the other?")
