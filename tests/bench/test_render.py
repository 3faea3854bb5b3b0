"""Markdown, CSV and LaTeX of one small table."""

import csv
import io

import pytest

from halflabel.bench.render import FIELDS, to_csv, to_latex, to_markdown
from halflabel.bench.summary import Cell, Table

TABLE = Table(
    "Table 9: F1, %", "f1_top", ("texas", "wikics"),
    {"GPL": {"texas": Cell({0: 70.0, 1: 72.0}, (46.3, 3.2), best=True),
             "wikics": Cell({}, (82.3, 0.8), "no data")},
     "nnPU* & more": {"texas": Cell({0: 60.0}, note="1 failed"), "wikics": Cell({}, note="no data")}},
    {"ceiling": {"texas": Cell({0: 90.0, 1: 92.0}), "wikics": Cell({}, note="no data")}},
    {"all positive": {"texas": 55.4}},
)


def test_markdown():
    lines = to_markdown(TABLE).splitlines()
    assert lines[0] == "### Table 9: F1, %"
    assert lines[2:] == [
        "|  | texas | wikics |",
        "| --- | ---: | ---: |",
        "| GPL | **71.0** ± 1.4 [46.3] | no data [82.3] |",
        "| nnPU* & more | 60.0 (1 failed) | no data |",
        "| *ceiling* | 91.0 ± 1.4 | no data |",
        "| *all positive* | 55.4 |  |",
        "",
        "Mean ± standard deviation over splits; bold: the largest, and those that a paired test over the "
        "splits does not tell from it; with fewer than five splits it can tell none; in brackets: as "
        "published; in italics: for reference, no contestant.",
    ]


def test_csv_can_be_read_by_other_programs():
    rows = list(csv.DictReader(io.StringIO(to_csv([TABLE]))))
    assert list(rows[0]) == FIELDS
    assert len(rows) == 7
    first = rows[0]
    assert (first["row"], first["dataset"], first["mean"], first["splits"]) == ("GPL", "texas", "71", "2")
    assert (first["published"], first["published_sd"], first["best_or_tied"]) == ("46.3", "3.2", "1")
    assert [row["reference"] for row in rows] == ["0"] * 4 + ["1"] * 3
    assert rows[1]["note"] == "no data"
    assert rows[-1]["row"] == "all positive"


def test_csv_of_a_curve_names_what_varies():
    rows = {"GPL": {"1": Cell({0: 70.0}), "2": Cell({0: 71.0})}}
    curve = Table("Figure 9", "f1_top", ("1", "2"), rows, {}, {}, "texas", "K")
    places = [(row["dataset"], row["varies"], row["value"])
              for row in csv.DictReader(io.StringIO(to_csv([curve])))]
    assert places == [("texas", "K", "1"), ("texas", "K", "2")]


def test_latex():
    assert to_latex(TABLE) == r"""% Table 9: F1, %
\begin{tabular}{lrr}
\hline
 & texas & wikics \\
\hline
GPL & \textbf{71.0}$\pm$1.4 {\scriptsize[46.3]} & no data {\scriptsize[82.3]} \\
nnPU* \& more & 60.0 & no data \\
\hline
ceiling & 91.0$\pm$1.4 & no data \\
all positive & 55.4 &  \\
\hline
\end{tabular}
"""


@pytest.mark.parametrize("column", ["a_b", "50%"])
def test_latex_escapes_names(column):
    table = Table("", "f1_top", (column,), {"x": {column: Cell({0: 1.0})}}, {}, {})
    assert column.replace("_", r"\_").replace("%", r"\%") in to_latex(table)


def test_errors_have_three_digits():
    table = Table("", "prior_error", ("texas",), {"x": {"texas": Cell({0: 0.0712, 1: 0.0712})}}, {}, {})
    assert "| 0.071 ± 0.000 |" in to_markdown(table)
    assert "bold: the smallest" in to_markdown(table)
