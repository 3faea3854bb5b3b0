"""Directories to be trusted: what a card says of the files beside it is checked before they are read."""

from halflabel.sealed.directory import FILE, Card, check_file, describe, inside

__all__ = ["FILE", "Card", "check_file", "describe", "inside"]
