"""Positive-unlabelled learning on graphs."""
