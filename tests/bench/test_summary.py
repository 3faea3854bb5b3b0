"""From results to tables, checked by hand."""

import math

import pytest

from halflabel.bench.cell import Cell, is_worse, signed_rank, win_tie_loss
from halflabel.bench.measured import measured_with
from halflabel.bench.plan import Plan, Row, read_plan
from halflabel.bench.summary import summarise, tables_of
from halflabel.bench.targets import find_targets
from halflabel.bench.versus import base_row, versus

PLAN = Plan("mine", "Mine", "f1_top", ("texas", "wikics"),
            (Row("GPL", "gpl", published="gpl"), Row("nnPU", "nnpu"), Row("floor", "naive", reference=True)),
            seeds=5, published="table1_f1")


def results_of(values, plan=PLAN, dataset="texas", metric="f1_top"):
    found = {}
    for row in plan.rows:
        for seed, value in enumerate(values[row.label]):
            job = plan.job(row, dataset, seed)
            found[job.key] = done(job, {metric: value, "true_prior": 0.25})
    return found


def done(job, metrics):
    return {**job.to_dict(), "status": "done", "metrics": metrics}


def test_means_and_deviations():
    cell = Cell({0: 80.0, 1: 82.0, 2: 84.0})
    assert (cell.mean, cell.sd) == (82.0, 2.0)
    assert math.isnan(Cell({0: 1.0}).sd)
    assert math.isnan(Cell({}).mean)


def test_a_table_by_hand():
    results = results_of({"GPL": [0.8, 0.9, 0.7, 0.8, 0.8], "nnPU": [0.7, 0.8, 0.6, 0.7, 0.7],
                          "floor": [0.9] * 5})
    table = summarise(PLAN, results)
    gpl = table.rows["GPL"]["texas"]
    assert gpl.mean == pytest.approx(80.0)
    assert gpl.sd == pytest.approx(100 * math.sqrt(0.02 / 4))
    assert gpl.published == (46.3, 3.2)
    assert gpl.best
    assert not table.rows["nnPU"]["texas"].best  # lost all five
    assert "floor" not in table.rows
    assert not table.references["floor"]["texas"].best  # higher, and still no contestant
    assert table.lines["all positive"] == {"texas": pytest.approx(40.0)}  # 2 * .25 / 1.25
    assert table.rows["GPL"]["wikics"].note == "not run"


def test_ties_are_marked_too():
    results = results_of({"GPL": [0.8] * 5, "nnPU": [0.7, 0.7, 0.7, 0.7, 0.81], "floor": [0.1] * 5})
    assert summarise(PLAN, results).rows["nnPU"]["texas"].best


def test_notes_say_why_splits_are_missing():
    results = results_of({"GPL": [0.8, 0.9], "nnPU": [0.7] * 5, "floor": []})
    job = PLAN.job(PLAN.rows[0], "texas", 2)
    results[job.key] = {**job.to_dict(), "status": "failed", "reason": "x"}
    for seed in range(5):
        job = PLAN.job(PLAN.rows[0], "wikics", seed)
        results[job.key] = {**job.to_dict(), "status": "no data", "reason": "x"}
    rows = summarise(PLAN, results).rows["GPL"]
    assert rows["texas"].note == "1 failed, 2 not run"
    assert (rows["wikics"].note, rows["wikics"].values) == ("no data", {})


def test_smaller_errors_are_better():
    plan = Plan("e", "E", "prior_error", ("texas",), (Row("GPL", "gpl"), Row("nnPU", "nnpu")))
    table = summarise(plan, results_of({"GPL": [0.1] * 5, "nnPU": [0.2] * 5}, plan, metric="prior_error"))
    assert table.rows["GPL"]["texas"].mean == pytest.approx(0.1)  # not in per cent
    assert table.rows["GPL"]["texas"].best
    assert not table.rows["nnPU"]["texas"].best
    assert table.lines == {"all positive": {"texas": 0.75}}  # the truth is a quarter
    (row,) = versus([table], "GPL")
    assert (row.wins, row.ties, row.losses) == (0, 0, 5)


@pytest.mark.parametrize(("differences", "p"), [
    ([1, 2, 3, 4, 5], 1 / 32), ([-1, 2, 3, 4, 5], 2 / 32), ([0, 0, 0], 1.0), ([], 1.0), ([0, 0, 3], 1 / 2)])
def test_signed_ranks_by_hand(differences, p):
    assert signed_rank(differences, "greater") == p


def test_many_pairs_are_ranked_without_a_warning():
    assert signed_rank([1.0] * 30 + [-1.0] * 5) < 0.001


def test_pairs_are_the_splits_that_both_ran():
    one, two = Cell({0: 1.0, 1: 2.0, 7: 100.0}), Cell({0: 2.0, 1: 2.02})
    assert win_tie_loss(one, two) == (0, 1, 1)
    assert win_tie_loss(one, two, "prior_error") == (2, 0, 0)
    assert not is_worse(one, two)


def test_every_row_against_gpl():
    results = results_of({"GPL": [0.8] * 5, "nnPU": [0.7] * 4 + [0.9], "floor": [0.8] * 5})
    table = summarise(PLAN, results)
    assert base_row([table]) == "GPL"
    rows = {row.label: row for row in versus([table], "GPL")}
    assert rows["nnPU"].by_column == {"texas": (1, 0, 4)}
    assert (rows["floor"].wins, rows["floor"].ties, rows["floor"].losses) == (0, 5, 0)
    assert rows["nnPU"].columns == 1


def test_a_curve_is_a_table_for_each_graph(invent):
    plan = read_plan("figure5")
    tables = tables_of(plan, invent([plan]))
    assert [table.dataset for table in tables] == list(plan.datasets)
    assert tables[0].columns == ("1", "2", "3", "4", "5", "6", "8", "10")
    assert len(tables[0].rows["GPL"]["10"].values) == 5


def test_all_positive_follows_the_ratio():
    plan = Plan("r", "", "f1_top", ("texas",), (Row("GPL", "gpl"),), 1, vary="ratio", values=(0.5, 0.2))
    results = {}
    for job, prior in zip(plan.jobs(), (0.25, 0.5), strict=True):
        results[job.key] = done(job, {"f1_top": 0.5, "true_prior": prior})
    (table,) = tables_of(plan, results)
    assert table.lines["all positive"] == {"0.5": pytest.approx(40.0), "0.2": pytest.approx(200 / 3)}


def test_weights_have_two_rows_for_each_method(invent):
    (target,) = find_targets("figure3")
    table = tables_of(target.plans[0], invent(target.plans))[0]
    assert list(table.rows)[:2] == ["GPL, P-N", "GPL, same class"]
    assert table.columns == ("1", "25", "50", "100")
    assert base_row([table]) is None


def test_what_it_was_measured_with_is_said_once(invent):
    results = list(invent([read_plan("smoke")]).values())
    results[0]["commit"] = "xyz"
    lines = measured_with(results)
    assert lines[:2] == ["torch 2.6.0", "commit xyz and abc"]
    assert measured_with([]) == []
