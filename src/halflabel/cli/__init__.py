"""The command line."""

from halflabel.cli.app import app, main

__all__ = ["app", "main"]
