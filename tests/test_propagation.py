"""Label propagation equals its definition, forward and backward, on every kind of small graph."""

from itertools import combinations

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import sparse

from halflabel.edges.adjacency import Adjacency
from halflabel.propagation import EPSILON, label_propagation_loss, propagate

ALPHAS = [0.05, 0.3, 0.5, 0.9]


def adjacency_of(n, edges, base, dtype=torch.float64):
    dense = np.zeros((n, n))
    for (i, j), weight in zip(edges, base, strict=True):
        dense[i, j] = dense[j, i] = weight
    return Adjacency.from_scipy(sparse.csr_array(dense), dtype=dtype)


def dense_propagate(adjacency, mask, start, steps, retain, self_loop):
    """E^(k) as the paper writes it: both columns, a dense matrix, nothing clever."""
    n = adjacency.n_nodes
    first, second = (ends.long() for ends in adjacency.ends)
    weight = adjacency.base * mask
    upper = torch.zeros(n, n, dtype=mask.dtype).index_put((first, second), weight)
    loops = torch.full((n,), self_loop, dtype=mask.dtype)
    loops[adjacency.degree == 0] = 1.0
    A = upper + upper.T + torch.diag(loops)
    W = A / A.sum(dim=1, keepdim=True)
    E = torch.stack([start, 1 - start], dim=1)
    for _ in range(steps):
        E = retain * E + (1 - retain) * W @ E
    return E


@st.composite
def cases(draw):
    """(adjacency, mask, start); few edges on up to eight nodes, so isolated and degree-1 nodes are common."""
    n = draw(st.integers(1, 8))
    possible = list(combinations(range(n), 2))
    pairs = sorted(draw(st.sets(st.sampled_from(possible), max_size=12))) if possible else []
    numbers = st.floats(0.05, 4.0)
    base, mask = (draw(st.lists(numbers, min_size=len(pairs), max_size=len(pairs))) for _ in range(2))
    start = draw(st.lists(st.floats(0, 1), min_size=n, max_size=n))
    as_double = {"dtype": torch.float64}
    return adjacency_of(n, pairs, base), torch.tensor(mask, **as_double), torch.tensor(start, **as_double)


# A triangle with a node of degree one at a corner, an isolated node, and a pair.
EVERY_KIND = (
    adjacency_of(7, [(0, 1), (0, 2), (1, 2), (2, 3), (5, 6)], [1.0, 2.0, 0.5, 1.0, 3.0]),
    torch.tensor([0.9, 0.2, 0.7, 0.4, 0.6], dtype=torch.float64),
    torch.tensor([1.0, 0.3, 0.0, 0.8, 0.6, 0.1, 0.9], dtype=torch.float64),
)


@given(cases(), st.integers(1, 12), st.sampled_from(ALPHAS), st.sampled_from([0.0, 1.0]))
@example(EVERY_KIND, 12, 0.5, 0.0)
@example(EVERY_KIND, 12, 0.5, 1.0)
@settings(deadline=None)
def test_equals_the_dense_definition_in_value_and_gradient(case, steps, retain, self_loop):
    adjacency, mask, start = case
    how = {"steps": steps, "retain": retain, "self_loop": self_loop}
    leaves = [(mask.clone().requires_grad_(), start.clone().requires_grad_()) for _ in range(2)]
    got = propagate(adjacency, *leaves[0], **how)
    wanted = dense_propagate(adjacency, *leaves[1], **how)

    assert got.min() >= 0
    assert got.max() <= 1 + 1e-12
    torch.testing.assert_close(wanted.sum(dim=1), torch.ones_like(got))  # rows stay stochastic
    torch.testing.assert_close(got, wanted[:, 0])

    direction = torch.linspace(-1, 1, len(start), dtype=torch.float64)
    got_grads = torch.autograd.grad(got @ direction, leaves[0])
    wanted_grads = torch.autograd.grad(wanted[:, 0] @ direction, leaves[1])
    torch.testing.assert_close(got_grads, wanted_grads, rtol=1e-9, atol=1e-11)


def test_taking_columns_a_few_at_a_time_gives_the_same_gradient(monkeypatch):
    adjacency, mask, start = EVERY_KIND
    gradients = []
    for long in (1, 10**6):
        monkeypatch.setattr("halflabel.edges.products.LONG", long)
        leaf = mask.clone().requires_grad_()
        propagated = propagate(adjacency, leaf, start, steps=12, retain=0.5)
        gradients += torch.autograd.grad(propagated.square().sum(), leaf)
    torch.testing.assert_close(*gradients, rtol=1e-12, atol=1e-14)


def test_one_copy_of_the_graph_at_a_time_gives_the_same_gradient(monkeypatch):
    adjacency, mask, start = EVERY_KIND
    several = adjacency.repeat(3)
    masks, starts = torch.cat([mask, mask.flip(0), mask / 2]), torch.cat([start, 1 - start, start / 2])
    gradients = []
    for long in (len(start) + 1, 10**6):
        monkeypatch.setattr("halflabel.edges.adjacency.LONG", long)
        leaf = masks.clone().requires_grad_()
        propagated = propagate(several, leaf, starts, steps=3, retain=0.5)
        gradients += torch.autograd.grad(propagated.square().sum(), leaf)
    torch.testing.assert_close(*gradients, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("steps", [1, 3, 12])
@pytest.mark.parametrize("self_loop", [0.0, 1.0])
def test_the_gradient_passes_finite_differences(steps, self_loop):
    adjacency, mask, start = EVERY_KIND
    assert torch.autograd.gradcheck(
        lambda m, s: propagate(adjacency, m, s, steps=steps, retain=0.4, self_loop=self_loop),
        (mask.clone().requires_grad_(), start.clone().requires_grad_()))


@given(cases(), st.integers(1, 12), st.floats(0.01, 100))
@settings(deadline=None, max_examples=50)
def test_degrees_are_those_of_the_masked_graph(case, steps, factor):
    """A degree matrix of the unmasked graph would let the loss fall by merely scaling the mask."""
    adjacency, mask, start = case
    how = {"steps": steps, "retain": 0.3, "self_loop": 0.0}
    torch.testing.assert_close(
        propagate(adjacency, factor * mask, start, **how), propagate(adjacency, mask, start, **how))


def test_the_only_edge_of_a_node_gets_a_gradient_from_it_only_with_a_self_loop():
    pair = adjacency_of(2, [(0, 1)], [1.0])
    start = torch.tensor([1.0, 0.0], dtype=torch.float64)
    for self_loop in (0.0, 1.0):
        mask = torch.ones(1, dtype=torch.float64, requires_grad=True)
        propagate(pair, mask, start, steps=1, retain=0.5, self_loop=self_loop)[0].backward()
        assert (mask.grad.item() == 0) == (self_loop == 0)


@pytest.mark.parametrize("self_loop", [0.0, 1.0])
def test_an_isolated_node_keeps_its_value_and_passes_its_gradient_on(self_loop):
    adjacency, mask, start = EVERY_KIND
    start = start.clone().requires_grad_()
    end = propagate(adjacency, mask, start, steps=7, retain=0.3, self_loop=self_loop)
    torch.testing.assert_close(end[4], start[4])
    end[4].backward()
    torch.testing.assert_close(start.grad, torch.eye(7, dtype=torch.float64)[4])


def test_members_do_not_see_each_other():
    adjacency, mask, start = EVERY_KIND
    masks, starts = torch.stack([mask, mask.flip(0)]), torch.stack([start, 1 - start])
    how = {"steps": 3, "retain": 0.5}
    together = propagate(adjacency.repeat(2), masks.flatten(), starts.flatten(), **how).view(2, -1)
    for one, m, s in zip(together, masks, starts, strict=True):
        torch.testing.assert_close(one, propagate(adjacency, m, s, **how))


def saved_sizes(steps, n=60):
    """Number of elements of every tensor that lives on for the backward pass."""
    adjacency = Adjacency.from_scipy(sparse.csr_array(np.ones((n, n)) - np.eye(n)))
    mask = torch.ones(adjacency.n_edges, requires_grad=True)
    end = propagate(adjacency, mask, torch.rand(n), steps=steps, retain=0.5)
    kept = [value for value in vars(end.grad_fn).values() if isinstance(value, torch.Tensor)]
    kept += [value for value in end.grad_fn.saved_tensors if value is not None]
    return [t._nnz() if t.layout == torch.sparse_csr else t.numel() for t in kept]


def test_the_tape_holds_vectors_of_nodes_and_one_matrix_however_many_steps():
    n, entries = 60, 60 * 59
    for steps in (2, 10):
        # Degrees, self-loops, start and every step, the matrix.
        assert sorted(saved_sizes(steps, n)) == [n, n, (steps + 1) * n, entries]


def test_second_derivatives_are_refused_rather_than_wrong():
    adjacency, mask, start = EVERY_KIND
    mask = mask.clone().requires_grad_()
    end = propagate(adjacency, mask, start, steps=2, retain=0.5).square().sum()
    (first,) = torch.autograd.grad(end, mask, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        first.sum().backward()


E_K = torch.tensor([0.9, 0.2, 0.6, 0.3])
POSITIVE, NEGATIVE = torch.tensor([0.5, 0.5, 0, 0]), torch.tensor([0, 0, 0.25, 0.75])


@pytest.mark.parametrize(("form", "negative", "wanted"), [
    ("cross-entropy", None, -(np.log(0.9) + np.log(0.2)) / 2),
    ("printed", None, (np.log(0.1) + np.log(0.8)) / 2),
    ("cross-entropy", NEGATIVE, -(np.log(0.9) + np.log(0.2)) / 2 - np.log(0.4) / 4 - 3 * np.log(0.7) / 4),
    ("printed", NEGATIVE, (np.log(0.1) + np.log(0.8)) / 2 + np.log(0.6) / 4 + 3 * np.log(0.3) / 4),
])
def test_both_forms_of_the_loss(form, negative, wanted):
    loss = label_propagation_loss(E_K, POSITIVE, negative, form=form)
    assert loss.item() == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("form", ["cross-entropy", "printed"])
def test_both_forms_fall_as_positives_rise_and_negatives_sink(form):
    e = E_K.clone().requires_grad_()
    label_propagation_loss(e, POSITIVE, NEGATIVE, form=form).backward()
    assert (e.grad[:2] < 0).all()
    assert (e.grad[2:] > 0).all()


@pytest.mark.parametrize(("form", "extreme"), [("cross-entropy", 0.0), ("printed", 1.0)])
def test_the_floor_keeps_the_loss_and_its_gradient_finite(form, extreme):
    e = torch.tensor([extreme, 1 - extreme], requires_grad=True)
    loss = label_propagation_loss(e, torch.tensor([1.0, 0]), torch.tensor([0, 1.0]), form=form)
    sign = 1 if form == "printed" else -1
    assert loss.item() == pytest.approx(2 * sign * np.log(EPSILON), rel=1e-5)
    loss.backward()
    assert torch.isfinite(e.grad).all()


def test_by_default_every_node_has_an_edge_of_weight_one_to_itself():
    adjacency, mask, start = EVERY_KIND
    options = {"steps": 2, "retain": 0.3}
    with_loops = propagate(adjacency, mask, start, self_loop=1.0, **options)
    assert torch.equal(propagate(adjacency, mask, start, **options), with_loops)
