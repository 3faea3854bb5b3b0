"""What a safetensors file holds, told by its header, which is checked before anything is loaded."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from halflabel.sealed.schema import choice, integer, listed, mapping, record, text
from halflabel.sealed.strictjson import parse_json

ITEM_BYTES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1,
              "BOOL": 1}
LARGEST = 1 << 24  # bytes of a header
DTYPE, SHAPE = choice(*ITEM_BYTES), listed(integer(0))
TENSOR = record({"dtype": DTYPE, "shape": SHAPE})
HEADER = mapping(record({"dtype": DTYPE, "shape": SHAPE, "data_offsets": listed(integer(0), length=2)}))


def tensors_in(path: Path) -> dict[str, dict[str, Any]]:
    """Name, dtype and shape of every tensor; ValueError unless they fill the file exactly.

    >>> import tempfile, torch
    >>> from safetensors.torch import save_file
    >>> path = Path(tempfile.mkdtemp()) / "weights.safetensors"
    >>> save_file({"first": torch.zeros(2, 3)}, path)
    >>> tensors_in(path)
    {'first': {'dtype': 'F32', 'shape': [2, 3]}}
    """
    size = path.stat().st_size
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        if length > min(LARGEST, size - 8):
            raise ValueError(f"a header of {length:,} bytes in a file of {size:,}")
        header = parse_json(stream.read(length).decode("utf-8"))
    if isinstance(header, dict):
        mapping(text)(header.pop("__metadata__", {}), "__metadata__")
    HEADER(header, path.name)
    end = 0
    for name, tensor in sorted(header.items(), key=lambda entry: entry[1]["data_offsets"]):
        wanted = [end, end + math.prod(tensor["shape"]) * ITEM_BYTES[tensor["dtype"]]]
        if tensor.pop("data_offsets") != wanted:
            raise ValueError(f"the tensor {name[:40]!r} does not lie where its shape says")
        end = wanted[1]
    if end != size - 8 - length:
        raise ValueError(f"tensors of {end:,} bytes in a file that has room for {size - 8 - length:,}")
    return dict(sorted(header.items()))
