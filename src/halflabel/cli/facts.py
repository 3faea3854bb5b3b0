"""What commands say of a graph and of a fit, as JSON has it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from halflabel.cli.fitting import Result
    from halflabel.graph import Graph

SHOWN = 10


def graph_facts(graph: Graph) -> dict[str, Any]:
    """Sizes, and what was changed on the way in.

    >>> from halflabel.datasets import payments
    >>> graph_facts(payments()[0])["nodes"]
    2000
    """
    from halflabel.diagnose.given import count_isolated

    return {
        "nodes": graph.n_nodes, "edges": graph.n_edges, "weighted": graph.edge_weight is not None,
        "features": graph.X.shape[1], "isolated": count_isolated(graph), "notes": list(graph.notes)}


def fit_facts(result: Result, out: Path) -> dict[str, Any]:
    """run.json, with the answer in words and the nodes that rank first."""
    from halflabel.run.answer import answer

    return {
        "directory": str(out), "answer": answer(result.record), **asdict(result.record),
        "top": [row for row in result.scores.slice(0, SHOWN).to_pylist() if row["rank"] is not None]}
