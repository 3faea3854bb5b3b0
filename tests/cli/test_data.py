"""halflabel data."""

import urllib.request

from halflabel.datasets import list_datasets


def test_list(halflabel, tmp_path):
    outcome = halflabel("data", "list", "--data-dir", tmp_path)
    assert outcome.code == 0
    for info in list_datasets():
        assert info.name in outcome.out
    assert "built in" in outcome.out
    assert str(tmp_path) in outcome.out


def test_get_what_is_built_in(halflabel):
    outcome = halflabel("data", "get", "payments")
    assert outcome.code == 0
    assert "2,000 nodes, 8,724 directed edges, 20 features" in outcome.out


def test_get_a_mistyped_name(halflabel):
    outcome = halflabel("data", "get", "coar")
    assert outcome.code == 3
    assert "Did you mean 'cora'?" in outcome.err


def test_a_failed_download_says_what_to_put_where(halflabel, tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError("no network here")

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    outcome = halflabel("data", "get", "cora", "--data-dir", tmp_path)
    assert outcome.code == 3
    assert outcome.err.startswith("error: ")
    assert str(tmp_path) in outcome.err
