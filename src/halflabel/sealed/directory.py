"""Sealed directories: a JSON card with the sizes and hashes of the files beside it, and a hash of itself.

A flipped bit, a file cut short, a file of another directory: the seal no longer fits. It is no signature: who
writes a directory can seal it. Against bad intentions stand the checks of everything that is read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halflabel.errors import DataError
from halflabel.sealed.schema import Check, integer, record, text
from halflabel.sealed.strictjson import read_json

FILE = record({"bytes": integer(0), "blake2b": text})


@dataclass(frozen=True)
class Card:
    """The kind of card: its file name, what it describes, its format, its content, and how to get a new one.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp())
    >>> kind = Card("card.json", "list", 2, {"items": integer(0)}, "Write it again.")
    >>> kind.write(place, {"items": 3})
    >>> kind.read(place)
    {'format': 2, 'items': 3}
    >>> _ = (place / "card.json").write_text((place / "card.json").read_text().replace("3", "4"))
    >>> kind.read(place)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    halflabel.errors.DataError: ...card.json: the saved list is damaged (the seal does not fit). ...
    """

    name: str
    what: str
    format: int
    content: Mapping[str, Check]
    again: str

    def write(self, place: Path, content: Mapping[str, Any]) -> None:
        """Seal this content in a directory; numpy's numbers are written as Python's."""
        (place / self.name).write_text(_sealed({"format": self.format, **content}), encoding="utf-8")

    def read(self, place: Path) -> dict[str, Any]:
        """The content, if the card is whole, of this format, and has what such a card must have."""
        path = inside(place, self.name)
        try:
            card, found = read_json(path)
            self._check_format(card, path)
            if not isinstance(card.pop("seal", None), str) or _sealed(card) != found:
                raise ValueError("the seal does not fit")
            record({"format": integer(), **self.content})(card, self.name)
        except DataError:
            raise
        except (OSError, ValueError) as error:
            raise self.damaged(path, error) from None
        return card

    def damaged(self, path: Path, error: Exception | str) -> DataError:
        """The error for what cannot be used, with the reason in one line."""
        reason = (str(error).splitlines() or [type(error).__name__])[0][:300]
        return DataError(f"{path}: the saved {self.what} is damaged ({reason}). {self.again}")

    def _check_format(self, card: Any, path: Path) -> None:
        found = card.get("format") if isinstance(card, dict) else None
        if not isinstance(found, int) or isinstance(found, bool) or not 0 < found < 1_000_000:
            raise ValueError("it does not say its format")
        if found > self.format:
            raise DataError(f"{path}: a {self.what} written by a newer halflabel (format {found}; this one "
                            f"reads format {self.format}). Upgrade halflabel.")
        if found < self.format:
            raise DataError(f"{path}: a {self.what} written by an older halflabel (format {found}; this one "
                            f"reads format {self.format}). {self.again}")


def inside(place: Path, name: str) -> Path:
    """The path of a file that a directory holds; links that lead out of it are not followed.

    >>> import tempfile
    >>> inside(Path(tempfile.mkdtemp()), "../secret")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    halflabel.errors.DataError: ...secret: leads out of the directory...
    """
    path = place / name
    try:
        leaves = not path.resolve().is_relative_to(place.resolve())
    except (OSError, RuntimeError, ValueError) as error:  # links in a circle, a zero byte in the name
        raise DataError(f"{place}: cannot be read ({error}).") from None
    if leaves:
        raise DataError(f"{path}: leads out of the directory, and is not read. Put the file itself there.")
    return path


def describe(path: Path) -> dict[str, Any]:
    """The size and the hash of a file, for a card."""
    return {"bytes": path.stat().st_size, "blake2b": _hash(path)}


def check_file(path: Path, described: Mapping[str, Any], content: bool = True) -> None:
    """ValueError unless a file has the size that a card says and, if asked for, the very content."""
    if not path.is_file():
        raise ValueError(f"{path.name} is missing")
    if (size := path.stat().st_size) != described["bytes"]:
        raise ValueError(f"{path.name} has {size:,} bytes where {described['bytes']:,} were written: "
                         "it was cut or replaced")
    if content and _hash(path) != described["blake2b"]:
        raise ValueError(f"{path.name} is not the file that was written: its content differs")


def _sealed(card: Mapping[str, Any]) -> str:
    """The text of a card, the hash of the rest as its last entry; the same content has only this text."""
    seal = hashlib.blake2b(_text(card).encode(), digest_size=16).hexdigest()
    return _text({**card, "seal": seal}) + "\n"


def _text(card: Mapping[str, Any]) -> str:
    return json.dumps(card, indent=2, ensure_ascii=False, allow_nan=False, default=lambda value: value.item())


def _hash(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
