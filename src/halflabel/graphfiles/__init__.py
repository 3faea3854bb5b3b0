"""Graphs on disk: arrays that are mapped into memory, and a card that tells what they are."""

from halflabel.graphfiles.store import CARD, check_place, is_stored_graph, load_graph, save_graph

__all__ = ["CARD", "check_place", "is_stored_graph", "load_graph", "save_graph"]
