"""Why a node has the score it has: who is near it, which edges carried the score, which features speak."""

from halflabel.explain.explanation import Explanation
from halflabel.explain.neighbourhood import Neighbourhood, neighbourhood
from halflabel.explain.reasons import reasons
from halflabel.explain.why import why

__all__ = ["Explanation", "Neighbourhood", "neighbourhood", "reasons", "why"]
