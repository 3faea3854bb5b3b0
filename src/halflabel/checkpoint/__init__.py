"""Checkpoints: long fits that are stopped go on where they were, to the same bits."""

from halflabel.checkpoint.fit import describe_fit
from halflabel.checkpoint.stages import Checkpoints, Stage, active_checkpoints, checkpointed
from halflabel.checkpoint.state import put_back, state_of
from halflabel.checkpoint.storage import read_state, write_state

__all__ = ["Checkpoints", "Stage", "active_checkpoints", "checkpointed", "describe_fit", "put_back",
           "read_state", "state_of", "write_state"]
