"""The ways out: a fitted model's answers as torch_geometric's Data, a networkx graph, or data frames."""

from halflabel.export.frames import to_edge_frame, to_frame
from halflabel.export.network import to_networkx
from halflabel.export.pyg import to_data

__all__ = ["to_data", "to_networkx", "to_frame", "to_edge_frame"]
