"""Why a node has the score it has: who is near it, which edges carried the score, which features speak."""

from halflabel.explain.neighbourhood import Neighbourhood, neighbourhood
from halflabel.explain.reasons import reasons

__all__ = ["Neighbourhood", "neighbourhood", "reasons"]
