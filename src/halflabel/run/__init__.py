"""What a fit leaves behind: a directory with scores, edges, a record, a report and the model."""

from halflabel.run.store import write_run

__all__ = ["write_run"]
