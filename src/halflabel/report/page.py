"""Fill the page from the record of a run, its scores, its history and, where there is one, its model."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import pyarrow as pa
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from halflabel.crossfit import CrossFit
from halflabel.errors import DataError
from halflabel.plots.page import score_plot, training_plots
from halflabel.plots.trust import agreement_plot, calibration_plot, curve_plot
from halflabel.report.around import drawings_of_first, reasons_of_first
from halflabel.report.budget import Budget
from halflabel.report.calibration import Calibration
from halflabel.report.gains import gains_svg
from halflabel.report.heldout import held_out
from halflabel.report.panel import Panel
from halflabel.report.prior import Agreement
from halflabel.report.ranked import Ranked, inside_script
from halflabel.run.answer import answer, percent, percent_range, probability
from halflabel.run.record import RunRecord


def render_report(
    run: RunRecord, scores: pa.Table, history: Sequence[Mapping[str, float]], model: Any = None
) -> str:
    """The report as one self-contained HTML page; ids and notes appear as text, whatever they contain.

    `scores` is a `score_table`, `history` the fitted model's. Without a model that has its graph, the reasons
    and the neighbourhoods are left out. What cannot be shown is replaced by a sentence that says why.
    """
    reasons = Panel.of(lambda: reasons_of_first(scores, model))
    ranked, budget = Ranked.of(scores, reasons.content or ()), Budget.of(scores)
    held = Panel.of(lambda: held_out(scores))
    return _pages().get_template("template.html").render(
        run=run,
        answer=answer(run),
        interval=percent_range(run.prior_low, run.prior_high),
        ranked=ranked,
        budget=budget,
        # The only markup that is not escaped: figures of our own making, and data as JSON escapes it.
        data=Markup(inside_script({"ranked": ranked.data(), "budget": budget.data(), "left": budget.left})),
        gains=Markup(gains_svg(budget)),
        reasons=reasons,
        separation=Panel.of(lambda: Markup(_score_plot(scores, held.content))),
        training=Panel.of(lambda: _training(run, history)),
        prior=_judged(held, lambda fitted: _prior(fitted, run)),
        calibration=_judged(held, lambda fitted: _calibration(fitted, run.prior)),
        graph=Panel.of(lambda: drawings_of_first(scores, model)),
        held=held.content is not None,
        **_own_files(),
    )


def _judged(held: Panel[CrossFit], judge: Any) -> Panel[dict[str, Any]]:
    """A part that needs held-out scores."""
    fitted = held.content
    return Panel(None, held.reason) if fitted is None else Panel.of(lambda: judge(fitted))


def _prior(fitted: CrossFit, run: RunRecord) -> dict[str, Any]:
    agreement = Agreement.of(fitted, run)
    return {"curve": Markup(curve_plot(fitted.scores_p, fitted.scores_u, agreement.priors[0])),
            "estimates": Markup(agreement_plot(agreement.priors)),
            "words": agreement.words(), "diagnosis": agreement.diagnosis}


def _calibration(fitted: CrossFit, prior: float) -> dict[str, Any]:
    found = Calibration.of(fitted, prior)
    plot = calibration_plot(found.edges, found.expected, found.found, found.error)
    return {"plot": Markup(plot), "words": found.words(), "positives": found.positives}


def _score_plot(scores: pa.Table, fitted: CrossFit | None) -> str:
    """Of held-out scores if there are any: those that were learned from look better than they are."""
    known = scores["known_positive"].to_numpy()
    score = scores["score"].to_numpy()
    P, U = (score[known], score[~known]) if fitted is None else (fitted.scores_p, fitted.scores_u)
    flagged = int(scores["flagged"].to_numpy().sum())
    share = flagged / max(int((~known).sum()), 1)
    return score_plot(P, U, float(np.quantile(U, 1 - share)) if flagged else None)


def _training(run: RunRecord, history: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    plots = training_plots(history)
    if not plots:
        raise DataError("This method keeps no record by epoch.")
    words = "The loss should have levelled off by the last epoch."
    if any("view" in row for row in history):
        words += " One line for each view of the data that is learned from."
    if any("prior" in row for row in history):
        words += (" The prior was given and stayed as it was." if run.prior_is_given else
                  " So should the estimate of the prior, which begins when the warm-up ends.")
    return {"plots": [Markup(plot) for plot in plots], "words": words}


@cache
def _own_files() -> dict[str, Any]:
    """The page's style and script, and the hash by which a browser knows that the script is ours."""
    place = files("halflabel.report")
    style, script = (place.joinpath(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return {"style": Markup(style), "script": Markup(script), "script_hash": f"sha256-{digest}"}


@cache
def _pages() -> Environment:
    pages = Environment(
        loader=PackageLoader("halflabel.report", "."), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True)
    pages.filters.update(percent=percent, probability=probability, thousands="{:,}".format,
                         whole="{:,.0f}".format, memory=_megabytes,
                         unbroken=lambda text: text.replace(" %", "\u00a0%"))
    return pages


def _megabytes(count: int | None) -> str:
    return "not known" if count is None else f"{count / 1e6:,.0f} MB"
