"""Memory: how much a fit will take, how much there is, and what to do where that is too little."""

from halflabel.memory.allocator import return_large_blocks
from halflabel.memory.footprint import estimated_peak
from halflabel.memory.limits import Room, available
from halflabel.memory.room import check_room

__all__ = ["Room", "available", "check_room", "estimated_peak", "return_large_blocks"]
