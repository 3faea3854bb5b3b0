"""Drift: whether nodes to be scored are unlike those that were fitted."""

from halflabel.drift.seen import SEEN, Seen, in_words

__all__ = ["SEEN", "Seen", "in_words"]
