"""What a fit leaves behind: a directory with scores, edges, a record, a report and the model."""
