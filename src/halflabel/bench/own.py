"""Methods and graphs of your own in a plan, named "module:attribute" as entry points are."""

from __future__ import annotations

import inspect
import sys
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any

from halflabel.errors import DataError, unknown_name


def is_own(name: str) -> bool:
    """Whether a name is one of the user's own.

    >>> is_own("mine:Mine"), is_own("gpl")
    (True, False)
    """
    return ":" in name


def find_own(name: str, where: str = "") -> Any:
    """What "module:attribute" names.

    >>> find_own("halflabel.datasets:payments").__name__
    'payments'
    """
    module, _, attribute = name.partition(":")
    prefix = f"{where}: " if where else ""
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.split(".")[0] and error.name != module:
            raise  # the module is there, and lacks something itself
        raise DataError(f"{prefix}{name!r}: no module {module!r}. Put {module}.py beside the plan, or "
                        "install the package that has it.") from None
    if not hasattr(found, attribute):
        public = [known for known in vars(found) if not known.startswith("_")]
        raise DataError(unknown_name(f"name in {module}", attribute, public, where))
    return getattr(found, attribute)


def source_digest(thing: Any) -> str:
    """Of the file that a class or function is defined in: when it changes, results are no longer its own.

    >>> len(source_digest(source_digest))
    12
    """
    path = inspect.getsourcefile(thing)
    content = Path(path).read_bytes() if path else repr(thing).encode()
    return blake2b(content, digest_size=6).hexdigest()


def search_beside(plan: str) -> None:
    """Modules are found beside the plan's file first; processes that are started inherit that."""
    place = str(Path(plan).resolve().parent)
    if place not in sys.path:
        sys.path.insert(0, place)
