"""Threads by size, put back whatever happens."""

import pytest
import torch

from halflabel.training.threads import ONE_THREAD_BELOW, threads_for


@pytest.fixture(autouse=True)
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize(("edges", "threads"), [(0, 1), (ONE_THREAD_BELOW - 1, 1), (ONE_THREAD_BELOW, 2)])
def test_small_graphs_run_on_one_thread(edges, threads):
    with threads_for(edges) as given:
        assert given == torch.get_num_threads() == threads
    assert torch.get_num_threads() == 2


def test_the_callers_number_comes_back_after_an_error():
    with pytest.raises(KeyError), threads_for(10):
        raise KeyError
    assert torch.get_num_threads() == 2
