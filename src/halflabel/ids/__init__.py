"""Node ids of any type: held, hashed, found again by the million."""

from halflabel.ids.nodeids import NodeIds, as_integers, as_text, canonical_integers

__all__ = ["NodeIds", "as_integers", "as_text", "canonical_integers"]
