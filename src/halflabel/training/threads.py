"""How many threads: decided by the size of the graph, and put back afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

# Two threads gain nothing on hundreds of nodes and 1.5-1.7 times from a million stored edges on.
ONE_THREAD_BELOW = 1_000_000


@contextmanager
def threads_for(stored_edges: int) -> Iterator[int]:
    """Run the body with one thread on small graphs and with torch's own choice on large ones.

    >>> with threads_for(500) as threads:
    ...     threads
    1
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1 if stored_edges < ONE_THREAD_BELOW else before)
    try:
        yield torch.get_num_threads()
    finally:
        torch.set_num_threads(before)
