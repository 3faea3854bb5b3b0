"""halflabel explore: what is wrong is said before anything is opened."""

import sys

import pytest


@pytest.mark.parametrize("missing", ["fastapi", "uvicorn"])
def test_a_missing_extra_is_named(halflabel, monkeypatch, tmp_path, missing):
    for name in [name for name in sys.modules if name.startswith("halflabel.explore")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    outcome = halflabel("explore", tmp_path, "--no-browser")
    assert outcome.code == 3
    assert f"needs {missing}" in outcome.err
    assert "pip install 'halflabel[explore]'" in outcome.err


def test_what_is_no_run_is_told(halflabel, tmp_path):
    outcome = halflabel("explore", tmp_path, "--no-browser")
    assert outcome.code == 3
    assert "not a run directory" in outcome.err
    assert not tmp_path.with_name(f"{tmp_path.name}.marks.csv").exists()


def test_marks_in_the_run_are_refused(halflabel, tmp_path):
    outcome = halflabel("explore", tmp_path, "--marks", tmp_path / "marks.csv")
    assert outcome.code == 3
    assert "which the next fit replaces" in outcome.err
