"""Plans: what they expand to, and what is said of a file that is wrong."""

import json
from pathlib import Path

import pytest

from halflabel.bench.plan import Plan, Row, plan_names, read_plan
from halflabel.bench.planfile import parse_plan
from halflabel.bench.targets import PAPER, find_targets, narrow, rows_in, target_names
from halflabel.errors import DataError

GOOD = """
title = "Mine"
metric = "f1_top"
datasets = ["texas", "cornell"]
seeds = 2

[[row]]
label = "P against U"
method = "naive"

[[row]]
label = "ceiling"
kind = "ceiling"
reference = true
options = { backbone = "mlp" }
"""


def test_a_plan_is_graphs_times_rows_times_splits():
    plan = parse_plan(GOOD, "mine", "mine.toml")
    jobs = plan.jobs()
    assert len(jobs) == 8
    assert len({job.key for job in jobs}) == 8
    assert {job.settings["ratio"] for job in jobs} == {0.5}
    assert jobs[0].settings["parameters"]["backbone"] == "gcn"  # defaults are written out


@pytest.mark.parametrize("name", plan_names())
def test_every_plan_of_the_package_can_be_read(name):
    plan = read_plan(name)
    assert plan.rows
    assert plan.datasets


def test_tables_and_wide_plans_have_all_ten_graphs():
    for name in ("table1", "table2", "table3", "table4", "methods", "authors"):
        assert len(read_plan(name).datasets) == 10
        assert "wikics" in read_plan(name).datasets


def test_ceilings_and_floors_are_references():
    for name in ("table1", "table3", "table4"):
        apart = [row.label for row in read_plan(name).rows if row.reference]
        assert any(label.startswith("ceiling") for label in apart)
        assert any(label.startswith("balanced") for label in apart)


@pytest.mark.parametrize(("old", "new", "message"), [
    ('title = "Mine"', "title = Mine", r"mine.toml: not TOML: Invalid value \(at line 2"),
    ('title = "Mine"', "", "mine.toml: the key 'title' is missing. Needed: title, metric, datasets, row"),
    ("seeds = 2", "seed = 2", "mine.toml: no key 'seed'. Did you mean 'seeds'?"),
    ("seeds = 2", "seeds = true", "mine.toml: seeds = True: expected a whole number"),
    ("seeds = 2", "seeds = 0", "a plan needs a graph, a row and a seed"),
    ("seeds = 2", "ratio = 1.5", "ratio = 1.5: expected the share of positives"),
    ("seeds = 2", 'vary = "ratio"', "vary = 'ratio' needs values"),
    ("seeds = 2", 'vary = "heterophily"\nvalues = [0.5]', 'pattern = None: expected "ring"'),
    ("seeds = 2", 'published = "table9"', "no published table 'table9'"),
    ('"texas"', '"texsa"', "mine.toml, datasets: no dataset 'texsa'. Did you mean 'texas'?"),
    ('"f1_top"', '"f1_tpo"', "row 'P against U', kind 'fit': no metric 'f1_tpo'. Did you mean 'f1_top'?"),
    ('label = "ceiling"', 'lable = "ceiling"', r"mine.toml, \[\[row\]\] 2: no key 'lable'"),
    ('label = "ceiling"', "", r"mine.toml, \[\[row\]\] 2: the key 'label' is missing"),
    ('label = "ceiling"', 'label = "P against U"', "two rows have the label 'P against U'"),
    ('kind = "ceiling"', 'kind = "celing"', "row 'ceiling': no kind 'celing'. Did you mean 'ceiling'?"),
    ('kind = "ceiling"', 'kind = "fit"', "row 'ceiling': kind 'fit' needs a method"),
    ('kind = "ceiling"', 'kind = "ceiling"\nmethod = "gpl"', "kind 'ceiling' takes no method"),
    ('backbone = "mlp"', "", "kind 'ceiling' needs options = { backbone"),
    ("reference = true", 'reference = "yes"', "reference = 'yes': expected true or false"),
])
def test_what_is_wrong_is_named(old, new, message):
    assert old in GOOD
    with pytest.raises(DataError, match=message):
        parse_plan(GOOD.replace(old, new), "mine", "mine.toml")


@pytest.mark.parametrize(("row", "message"), [
    (Row("x", "gpll"), "plan mine, row 'x': no method 'gpll'. Did you mean 'gpl'?"),
    (Row("x", "gpl", {"epoch": 3}), "plan mine, row 'x': no parameter 'epoch'. Did you mean 'epochs'?"),
    (Row("x", "nowhere:Mine"), "'nowhere:Mine': no module 'nowhere'. Put nowhere.py beside the plan"),
])
def test_methods_are_looked_up_when_a_row_is_used(row, message):
    plan = Plan("mine", "Mine", "f1_top", ("texas",), (row,))
    with pytest.raises(DataError, match=message):
        plan.jobs()


def test_what_varies_must_be_a_parameter():
    plan = Plan("mine", "Mine", "f1_top", ("texas",), (Row("x", "gpl"),), vary="k", values=(1.0,))
    with pytest.raises(DataError, match="vary, in row 'x': no parameter 'k'"):
        plan.jobs()


def test_what_varies_goes_into_the_settings():
    ratio = Plan("r", "", "f1_top", ("texas",), (Row("x", "naive"),), 1, vary="ratio", values=(0.2, 0.4))
    assert [job.settings["ratio"] for job in ratio.jobs()] == [0.2, 0.4]
    steps = Plan("k", "", "f1_top", ("texas",), (Row("x", "gpl"),), 1, vary="K", values=(1, 2))
    assert [job.settings["parameters"]["K"] for job in steps.jobs()] == [1, 2]


def test_own_code_is_part_of_the_key(tiny, tmp_path):
    plan = Plan("mine", "", "f1_top", ("tiny:friends",), (Row("x", "tiny:Mine"),), 1)
    (job,) = plan.jobs()
    assert job.settings["parameters"] == {"column": 0, "prior": 0.2}
    path = tmp_path / "own" / "tiny.py"
    path.write_text(path.read_text() + "\n# a change\n")
    assert plan.jobs()[0].key != job.key
    with pytest.raises(DataError, match="no name in tiny 'Mien'"):
        Plan("mine", "", "f1_top", ("tiny:friends",), (Row("x", "tiny:Mien"),), 1).jobs()


def test_all_is_the_paper():
    assert tuple(target.name for target in find_targets("all")) == PAPER
    assert {"smoke", "methods", "authors", "auto", "auto_few", "all", *PAPER} == set(target_names())
    with pytest.raises(DataError, match=r"no target 'tabel1'. Did you mean 'table1'\?"):
        find_targets("tabel1")


def test_wikics_is_part_of_every_plan_but_the_smoke_test():
    assert {name for name in plan_names() if "wikics" not in read_plan(name).datasets} == {"smoke"}


def test_the_committed_store_has_every_job_of_the_paper():
    """Whoever renames a parameter, or adds one, makes jobs of others: their results would be lost."""
    store = Path(__file__).parents[2] / "benchmarks" / "paper" / "results" / "results.jsonl"
    measured = {json.loads(line)["key"] for line in store.read_text(encoding="utf-8").splitlines()}
    wanted = {job.key for target in find_targets("all") for plan in target.plans for job in plan.jobs()}
    assert wanted <= measured


def test_labels_with_commas_can_be_asked_for():
    targets = find_targets("table2")
    assert rows_in("GPL,ceiling: BBE,  MLP,ted", targets) == ["GPL", "ceiling: BBE, MLP", "ted"]
    (target,) = narrow(targets, None, rows_in("ceiling: BBE, GCN", targets), None)
    assert [row.label for row in target.plans[0].rows] == ["ceiling: BBE, GCN"]
    with pytest.raises(DataError, match="no row 'ceilng: BBE'"):
        narrow(targets, None, rows_in("ceilng: BBE, GCN", targets), None)


def test_one_target_can_be_run_on_any_graph():
    (target,) = narrow(find_targets("figure1"), ["citeseer"], ["gpl"], 2)
    sizes = [(plan.datasets, len(plan.rows), plan.seeds) for plan in target.plans]
    assert sizes == [(("citeseer",), 1, 2)] * 2


def test_of_all_targets_each_takes_what_it_has():
    narrowed = {target.name: target.plans[0] for target in narrow(find_targets("all"), ["texas"], ["gpl"], 1)}
    assert set(narrowed) == {"table1", "table2", "table3", "table4", "figure4", "figure5"}
    assert [row.label for row in narrowed["table1"].rows] == ["GPL"]


@pytest.mark.parametrize(("datasets", "methods", "message"), [
    (["texsa"], None, "no dataset 'texsa'. Did you mean 'texas'?"),
    (["payments"], None, "these plans: no dataset 'payments'"),
    (None, ["gpll"], "these plans: no row 'gpll'"),
])
def test_names_that_no_plan_has(datasets, methods, message):
    with pytest.raises(DataError, match=message):
        narrow(find_targets("all"), datasets, methods, None)
