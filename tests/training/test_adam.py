"""Our Adam is torch's, bit for bit, in whatever blocks it goes."""

import pytest
import torch

from halflabel.training.adam import BLOCK, Adam


def steps_of(optimiser, parameters, count=20):
    drawn = torch.Generator().manual_seed(1)
    for _ in range(count):
        for parameter in parameters:
            parameter.grad = torch.randn(parameter.shape, generator=drawn)
        optimiser.step()


def parameters_of(shapes):
    drawn = torch.Generator().manual_seed(0)
    return [torch.nn.Parameter(torch.randn(shape, generator=drawn)) for shape in shapes]


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("weight_decay", [0.0, 5e-4])
def test_it_takes_the_steps_of_torch(weight_decay, fused):
    shapes = [(2, BLOCK // 2 + 13, 3), (5, 7), (1,)]
    ours, theirs = parameters_of(shapes), parameters_of(shapes)
    steps_of(Adam(ours, lr=0.01, weight_decay=weight_decay, fused=fused), ours)
    steps_of(torch.optim.Adam(theirs, lr=0.01, weight_decay=weight_decay, fused=fused), theirs)
    for x, y in zip(ours, theirs, strict=True):
        assert torch.equal(x, y)


def test_a_gradient_that_is_not_in_one_piece_counts_in_its_order():
    ours, theirs = parameters_of([(3, 4)]), parameters_of([(3, 4)])
    for parameters, kind in ((ours, Adam), (theirs, torch.optim.Adam)):
        parameters[0].grad = torch.arange(12.0).view(4, 3).T
        kind(parameters, lr=0.1).step()
    assert torch.equal(ours[0], theirs[0])


def test_it_goes_on_from_its_state():
    straight, stopped = parameters_of([(4, 3)]), parameters_of([(4, 3)])
    steps_of(Adam(straight, lr=0.1), straight, count=2)
    first = Adam(stopped, lr=0.1)
    steps_of(first, stopped, count=1)
    second = Adam(stopped, lr=0.1)
    second.load_state_dict(first.state_dict())
    drawn = torch.Generator().manual_seed(1)
    torch.randn((4, 3), generator=drawn)
    stopped[0].grad = torch.randn((4, 3), generator=drawn)
    second.step()
    assert torch.equal(straight[0], stopped[0])


def test_what_has_no_gradient_stays_and_gradients_can_be_forgotten():
    moved, left = parameters_of([(2,), (2,)])
    before, optimiser = left.detach().clone(), Adam([moved, left], lr=0.1)
    moved.grad = torch.ones(2)
    optimiser.step()
    assert torch.equal(left, before)
    optimiser.zero_grad()
    assert moved.grad is None
