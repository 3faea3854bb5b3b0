"""Job: one fit on one split of one graph, with a key that stays the same whoever asks for it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any


class NoDataError(Exception):
    """The files of a job's graph are not there; the message says which, and where they go."""


@dataclass(frozen=True)
class Job:
    """What to do (`kind`), on which graph and split, and how. Tables that need the same job share its result.

    >>> job = Job("fit", "cora", seed=0, settings={"method": "gpl", "ratio": 0.5})
    >>> job.key
    'fit/cora/0/8a1820254299'
    >>> job.key == Job("fit", "cora", seed=0, settings={"ratio": 0.5, "method": "gpl"}).key
    True
    """

    kind: str
    dataset: str
    seed: int
    settings: dict[str, Any] = field(hash=False)

    @property
    def key(self) -> str:
        """Readable in front, and a digest of the settings behind; their order does not matter."""
        text = json.dumps(self.settings, sort_keys=True)
        return f"{self.kind}/{self.dataset}/{self.seed}/{blake2b(text.encode(), digest_size=6).hexdigest()}"

    def to_dict(self) -> dict[str, Any]:
        """What the store keeps of it."""
        return {"key": self.key, "kind": self.kind, "dataset": self.dataset, "seed": self.seed,
                "settings": self.settings}
