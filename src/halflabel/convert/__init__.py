"""The ways in: files, data frames, networkx, torch_geometric and matrices become a Graph."""

from halflabel.convert.append import append
from halflabel.convert.neighbours import neighbour_graph
from halflabel.convert.objects import as_graph
from halflabel.convert.read import read_graph

__all__ = ["append", "as_graph", "neighbour_graph", "read_graph"]
