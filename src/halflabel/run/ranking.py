"""The table a fit is made for: every node with its score, its probability and its rank."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from halflabel.base import PUNodeClassifier
from halflabel.graph import Graph

COLUMNS = ("id", "score", "probability", "rank", "known_positive", "flagged")  # of interest to a reader


def score_table(graph: Graph, model: PUNodeClassifier, known: np.ndarray) -> pa.Table:
    """One row per node: id, score, probability, rank, known_positive, flagged; best rank first.

    Two more columns are for judging the run: `out_of_fold`, the score by a model that did not know the node's
    label (empty where there is none), and `fold`, which one held it out.

    Ranks count the unlabelled nodes from 1, the most likely positive. Known positives need no finding: they
    come last, without a rank and never flagged. Of equal scores the node that comes first in the graph wins,
    so the same scores give the same table.

    >>> from halflabel import GPL
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> known = payments_positives(y)
    >>> table = score_table(graph, GPL(epochs=2, warmup=5).fit(graph, known), known)
    >>> table["rank"][:2].to_pylist(), table["rank"][-1].as_py(), table["known_positive"][-1].as_py()
    ([1, 2], None, True)
    """
    known = np.asarray(known, dtype=bool)
    scores = model.scores_[graph.nodes]
    probability = model.predict_proba()[graph.nodes, 1]
    flagged = (model.predict()[graph.nodes] == 1) & ~known
    order = np.lexsort((-scores, known))  # a stable sort: the last key decides first
    unlabelled = len(known) - int(known.sum())
    place = np.arange(1, len(known) + 1)
    return pa.table({
        "id": graph.ids.to_arrow().take(pa.array(graph.nodes[order])),
        "score": pa.array(scores[order]),
        "probability": pa.array(probability[order]),
        "rank": pa.array(place, mask=place > unlabelled),
        "known_positive": pa.array(known[order]),
        "flagged": pa.array(flagged[order]),
        **_held_out(model, graph.nodes[order]),
    })


def _held_out(model: PUNodeClassifier, nodes: np.ndarray) -> dict[str, pa.Array]:
    """Nothing, if the model was loaded: only a fit knows who was held out."""
    if not hasattr(model, "out_of_fold_"):
        return {}
    score = model.out_of_fold_[nodes]
    return {"out_of_fold": pa.array(score, mask=np.isnan(score)),
            "fold": pa.array(model.fold_[nodes].astype(np.int16))}
