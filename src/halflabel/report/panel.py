"""A part of the report, or the sentence that stands in its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from halflabel.errors import DataError

Content = TypeVar("Content")


@dataclass(frozen=True)
class Panel(Generic[Content]):
    """What there is to show; where there is nothing, `reason` says why."""

    content: Content | None
    reason: str = ""

    @classmethod
    def of(cls, make: Callable[[], Content]) -> Panel[Content]:
        """What `make` returns. A fit of many hours must not be lost because a picture of it failed.

        >>> Panel.of(lambda: 7).content
        7
        >>> Panel.of(lambda: 1 // 0).reason
        'This part could not be made (ZeroDivisionError: integer division or modulo by zero).'
        """
        try:
            return cls(make())
        except DataError as error:
            return cls(None, str(error))
        except Exception as error:
            return cls(None, f"This part could not be made ({type(error).__name__}: {error}).")
