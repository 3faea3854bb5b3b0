"""Is there room for a fit? If not, it says so before anything is lost, and what would fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sklearn.base import clone

from halflabel.errors import NotEnoughMemoryError
from halflabel.graph import Graph
from halflabel.memory.allocator import keep_freed_blocks, return_large_blocks
from halflabel.memory.footprint import estimated_peak
from halflabel.memory.limits import VARIABLE, available, in_words

if TYPE_CHECKING:
    from halflabel.base import PUNodeClassifier

TIGHT = 0.5  # of what is free: a fit that needs more gives memory back as soon as it can
BATCH = 1024  # nodes a step, of the mini-batches that are offered


def check_room(model: PUNodeClassifier, graph: Graph) -> None:
    """Refuse a fit that would need more memory than there is; a test of limits is in tests/trust.

    One that needs more than half of it is made thrifty, at some cost of time; any other keeps what it frees.

    >>> from halflabel import Naive, synthetic
    >>> check_room(Naive(), synthetic(1000)[0])
    """
    room = available()
    if room is None:
        return
    needed = estimated_peak(model, graph)
    (return_large_blocks if needed > TIGHT * room.free else keep_freed_blocks)()
    if needed <= room.free:
        return
    raise NotEnoughMemoryError(
        f"{type(model).__name__} on {graph.n_nodes:,} nodes and {graph.n_edges:,} edges would need about "
        f"{in_words(needed)} more memory, and {in_words(room.free)} are free (bounded by {room.bound}). "
        f"{_offer(model, graph, room.free)} If more memory is there than was found, {VARIABLE}=64G says how "
        "much this process may take.")


def _offer(model: PUNodeClassifier, graph: Graph, free: int) -> str:
    for other, words in _smaller(model):
        if (needed := estimated_peak(other, graph)) <= free:
            return f"{words} would need about {in_words(needed)}."
    return ("Nothing smaller fits either: fit on a machine with more memory, or on several "
            "(halflabel partition, docs/scale.md).")


def _smaller(model: PUNodeClassifier) -> Iterator[tuple[PUNodeClassifier, str]]:
    """By mini-batches, with a single network, with both; then other methods, better ones first."""
    from halflabel.methods import method_classes

    if "batch_size" in model.get_params():
        yield clone(model).set_params(batch_size=BATCH), (
            f"Mini-batches (batch_size={BATCH}; --batch-size {BATCH})")
        yield clone(model).set_params(folds=1), "A single network (folds=1; --folds 1)"
        yield clone(model).set_params(batch_size=BATCH, folds=1), (
            f"A single network by mini-batches (batch_size={BATCH}, folds=1; --batch-size {BATCH} --folds 1)")
    for name, folds in (("gpl", 5), ("naive", 5), ("gpl", 1), ("naive", 1)):
        other = method_classes()[name](batch_size=BATCH, folds=folds)
        yield other, (f"{type(other).__name__} by mini-batches (batch_size={BATCH}, folds={folds}; "
                      f"--method {name} --batch-size {BATCH} --folds {folds})")
