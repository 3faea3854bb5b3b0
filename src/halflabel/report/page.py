"""Fill the page from the record of a run, its scores and its history."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from halflabel.plots.page import prior_plot, score_plot
from halflabel.run.answer import answer, percent, percent_range, probability
from halflabel.run.record import RunRecord

SHOWN = 50


def render_report(run: RunRecord, scores: pa.Table, history: Sequence[Mapping[str, float]]) -> str:
    """The report as one self-contained HTML page; ids and notes appear as text, whatever they contain.

    `scores` is a `score_table`, `history` the fitted model's.
    """
    pages = Environment(
        loader=PackageLoader("halflabel.report", "."), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True)
    pages.filters.update(percent=percent, probability=probability, thousands="{:,}".format, memory=_megabytes)
    return pages.get_template("template.html").render(
        run=run,
        answer=answer(run),
        interval=percent_range(run.prior_low, run.prior_high),
        top=_top(scores),
        # The only markup that is not escaped: our own figures, which hold numbers and no words of the user's.
        score_plot=Markup(_score_plot(scores)),
        prior_plot=Markup(prior_plot(history)),
    )


def _top(scores: pa.Table) -> list[dict[str, Any]]:
    ranked = scores.slice(0, SHOWN)
    return [row for row in ranked.to_pylist() if row["rank"] is not None]


def _score_plot(scores: pa.Table) -> str:
    score = scores["score"].to_numpy()
    known = scores["known_positive"].to_numpy()
    flagged = scores.filter(scores["flagged"])
    threshold = pc.min(flagged["score"]).as_py()
    return score_plot(score[known], score[np.logical_not(known)], threshold)


def _megabytes(count: int | None) -> str:
    return "not known" if count is None else f"{count / 1e6:,.0f} MB"
