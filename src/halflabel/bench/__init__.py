"""The benchmark: a plan of jobs, run in any order and any number of pieces, and what their results say."""
