import pytest

import halflabel as hl


@pytest.fixture(scope="session")
def accounts():
    graph, y = hl.load_dataset("payments")
    return graph, y, hl.payments_positives(y)


@pytest.fixture(scope="session")
def gpl(accounts):
    graph, _, known = accounts
    return hl.GPL(epochs=30, warmup=30).fit(graph, known)


@pytest.fixture(scope="session")
def auto(accounts):
    graph, _, known = accounts
    return hl.Auto(epochs=3).fit(graph, known)
