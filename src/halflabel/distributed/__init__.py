"""Beyond one machine: a graph in parts, one for each process, fitted together under torchrun."""

from halflabel.distributed.part import Part, read_part
from halflabel.distributed.partition import partition_graph

__all__ = ["Part", "read_part", "partition_graph"]
