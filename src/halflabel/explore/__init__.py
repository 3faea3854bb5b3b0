"""The explorer: a local page to look through the ranking of a run and to mark what a review finds."""
