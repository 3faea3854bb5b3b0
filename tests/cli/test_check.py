"""halflabel check: says what was found, and warns."""

import pytest


def test_check_says_what_was_found(halflabel, arguments, files):
    outcome = halflabel("check", *arguments)
    assert outcome.code == 0
    assert "40 nodes" in outcome.out
    assert "8 known positives, 32 unlabelled nodes" in outcome.out
    assert "columns standardised: 3 features" in outcome.out
    assert "between known positives" in outcome.out or "link to each other" in outcome.out
    assert "only 8 known positives" in outcome.out
    assert "Usable." in outcome.out
    assert outcome.err == ""
    assert sorted(path.name for path in files.parent.iterdir()) == ["input"]


def test_a_column_that_may_hold_the_answer(halflabel, arguments, files):
    lines = (files / "nodes.csv").read_text()
    (files / "nodes.csv").write_text(lines.replace("city", "label", 1))
    outcome = halflabel("check", *arguments)
    assert outcome.code == 0
    warnings = outcome.out.partition("Warnings")[2]
    assert "left out column 'label': it may be the answer. To use it, name it in --features" in warnings


def test_no_features(halflabel, files):
    outcome = halflabel("check", files / "edges.csv", "--positives", files / "known.txt")
    assert outcome.code == 0
    assert "no node features" in outcome.out.partition("Warnings")[2]


def test_disconnected_positives(halflabel, arguments, files):
    with (files / "nodes.csv").open("a") as stream:
        stream.write("alone,1,2,3\n")
    with (files / "known.txt").open("a") as stream:
        stream.write("alone\n")
    outcome = halflabel("check", *arguments)
    assert outcome.code == 0
    assert "1 of 9 known positives have no edge" in outcome.out


@pytest.mark.parametrize(("known", "message"), [
    ("n01\nn02\n", "error: known.txt: 2 known positives; a fit needs at least 4"),
    ("", "error: known.txt: no ids."),
    ("n01\nwho\n", "error: known.txt: 1 of 2 ids are not in the graph: 'who'."),
])
def test_not_usable_is_3(halflabel, arguments, files, known, message):
    (files / "known.txt").write_text(known)
    outcome = halflabel("check", *arguments)
    assert outcome.code == 3
    assert outcome.err.startswith(message)
    assert "Usable" not in outcome.out
