"""Budgets of the kernels: how many operations they call, how many tensors as large as the edges they fill.

Times are noise on a busy machine; these counts are the same on all of them, and grow when somebody adds a
pass over the edges or an operation inside the loop over propagation steps.
"""

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from halflabel.datasets import synthetic
from halflabel.labels import hide_positives
from halflabel.methods.gpl import GPL, Run
from halflabel.propagation import propagate

NODES, DEGREE = 400, 80  # so many edges that nothing of the size of the nodes times K is as large


class Counter(TorchDispatchMode):
    """Counts operations, and results with at least so many elements that own their memory."""

    def __init__(self, large: int):
        super().__init__()
        self.large, self.calls, self.large_results = large, 0, 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        self.calls += 1
        given = {buffer.untyped_storage().data_ptr() for buffer in self._buffers((args, kwargs))}
        self.large_results += sum(
            buffer.numel() >= self.large and buffer.untyped_storage().data_ptr() not in given
            for buffer in self._buffers(result))
        return result

    @staticmethod
    def _buffers(tree):
        """All tensors; of a sparse one, its indices and its values."""
        for leaf in tree_leaves(tree):
            if isinstance(leaf, torch.Tensor):
                sparse = leaf.layout == torch.sparse_csr
                yield from (leaf.crow_indices(), leaf.col_indices(), leaf.values()) if sparse else (leaf,)


@pytest.fixture(scope="module")
def run():
    graph, y = synthetic(NODES, degree=DEGREE, features=8)
    settings = GPL(folds=1, K=3, guide=False)
    problem = settings.pose(graph, hide_positives(y, positive_class=1))
    torch.manual_seed(0)
    state = Run(settings, problem, graph)
    state.learn_edges(1)  # what is computed once for a graph is there
    state.estimate_prior()
    state.step_classifier()
    return state


def count(run, call):
    counter = Counter(large=run.adjacency.n_edges)
    with counter:
        call()
    return counter


def propagation_with_gradient(run, steps):
    start = torch.full((NODES,), 0.5)

    def call():
        propagate(run.adjacency, run.theta, start, steps=steps, retain=0.5).sum().backward()

    call()  # which column goes with which is found out once
    return call


def test_a_step_of_propagation_is_three_operations_and_four_in_its_gradient(run):
    few, many = (count(run, propagation_with_gradient(run, steps)).calls for steps in (2, 12))
    assert (many - few) / 10 <= 7


def test_the_gradient_of_one_step_takes_no_product_with_the_graph(run):
    """What it would give is the gradient of the start, which GPL does not learn."""
    products = []

    class Matrices(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            products.append("mv" in str(func))
            return func(*args, **(kwargs or {}))

    once = propagation_with_gradient(run, 1)
    with Matrices():
        once()
    assert sum(products) == 2  # degrees, and the step itself


def test_propagation_visits_the_edges_as_often_however_many_steps(run):
    few, many = (count(run, propagation_with_gradient(run, steps)).large_results for steps in (2, 12))
    assert few == many
    assert many <= 3  # weights, values of the matrix, gradient


@pytest.mark.parametrize(("step", "large_results", "calls"), [
    (lambda run: run.learn_edges(1), 8, 160),
    (lambda run: run.estimate_prior(), 0, 42),
    (lambda run: run.step_classifier(), 0, 115),
], ids=["learn_edges", "estimate_prior", "step_classifier"])
def test_the_steps_of_an_epoch_keep_to_their_budgets(run, step, large_results, calls):
    counter = count(run, lambda: step(run))
    assert counter.large_results <= large_results
    assert counter.calls <= calls
    assert counter.calls > 0.8 * calls  # a budget far above what is needed guards nothing


def test_the_counter_sees_an_edge_sized_temporary(run):
    weights = torch.ones(run.adjacency.n_edges)
    assert count(run, lambda: weights * 2).large_results == 1
    assert count(run, lambda: weights.mul_(2)).large_results == 0
    assert np.isclose(weights[0].item(), 2.0)
    matrix = run.adjacency.weighted()
    assert count(run, lambda: matrix.clone()).large_results == 2
    assert count(run, lambda: torch.addmv(torch.ones(NODES), matrix, torch.ones(NODES))).large_results == 0
