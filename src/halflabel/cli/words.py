"""The library speaks of arguments; on the command line the same things are options."""

from __future__ import annotations

import re

OPTIONS = {
    r'missing="(\w+)"': r"--missing \1",
    r'unknown_nodes="(\w+)"': r"--unknown-nodes \1",
    r"\(nodes=\)": "(--nodes)",
    r"(ignore|features)=\[\.\.\.\]": r"--\1",
    r"(ignore|features)=\['([^']*)'\]": r"--\1 \2",
}


def in_option_words(message: str) -> str:
    """Name options where a message of the library names arguments.

    >>> in_option_words('Leave the columns out (ignore=[...]), or pass missing="mean".')
    'Leave the columns out (--ignore), or pass --missing mean.'
    """
    for argument, option in OPTIONS.items():
        message = re.sub(argument, option, message)
    return message


def printable(value: object) -> str:
    """An id as text that does nothing to a terminal: line breaks and escape codes are written as in Python.

    >>> print(printable("a\\x1b[31mb\\n"))
    a\\x1b[31mb\\n
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(value))


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "node"), counted(2000, "node")
    ('1 node', '2,000 nodes')
    """
    return f"{number:,} {noun}{'s' * (number != 1)}"
