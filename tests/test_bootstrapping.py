"""The mathematics of bootstrapped representations, by hand."""

import pytest
import torch
from torch.nn.functional import cosine_similarity

from halflabel.bootstrapping import (
    disagreement,
    highest,
    moved_targets,
    near_centre,
    similarity_to_centre,
    spread,
)
from halflabel.losses import mean_over


def test_disagreement_by_hand_and_for_each_member():
    predicted = torch.tensor([[[1.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.0, 2.0]]])
    target = torch.tensor([[[5.0, 0.0], [0.0, -1.0]], [[0.0, 1.0], [0.0, 0.1]]])
    nodes = torch.tensor([[0.5, 0.5], [1.0, 0.0]])
    assert disagreement(predicted, target, nodes).tolist() == [2.0, 2.0]


def test_similarity_and_spread_agree_with_torch():
    p = torch.randn(2, 30, 4, generator=torch.Generator().manual_seed(0))
    marks = torch.arange(30).expand(2, -1) < torch.tensor([[5], [9]])
    for own, similarity, apart, marked in zip(
        p, similarity_to_centre(p, mean_over(marks)), spread(p, mean_over(marks)), marks, strict=True
    ):
        expected = cosine_similarity(own, own[marked].mean(dim=0), dim=-1)
        torch.testing.assert_close(similarity, expected)
        torch.testing.assert_close(apart, 2 - 2 * expected[marked].mean())


def test_a_representation_of_length_zero_is_like_nothing():
    p = torch.tensor([[[0.0, 0.0], [1.0, 0.0]]], requires_grad=True)
    loss = disagreement(p, torch.zeros_like(p), torch.tensor([[0.5, 0.5]]))
    loss.sum().backward()
    assert loss.item() == 2.0
    assert p.grad is not None
    assert torch.isfinite(p.grad).all()


def test_highest_takes_one_number_or_a_column():
    scores, everybody = torch.tensor([[3.0, 1.0, 2.0], [1.0, 2.0, 3.0]]), torch.ones(2, 3, dtype=torch.bool)
    assert highest(scores, everybody, 1).int().tolist() == [[1, 0, 0], [0, 0, 1]]
    assert highest(scores, everybody, torch.tensor([[0], [2]])).int().tolist() == [[0, 0, 0], [0, 1, 1]]
    assert highest(scores, scores > 1.5, 9).tolist() == (scores > 1.5).tolist()


def test_one_outlier_among_the_positives_widens_the_region_unless_it_has_no_say():
    known, others = torch.linspace(0.9, 1.0, 10), torch.linspace(-0.5, 0.5, 9)
    similarity = torch.cat([known, torch.tensor([-0.9]), others])[None]
    positive = torch.arange(20)[None] < 11
    assert near_centre(similarity, positive)[~positive].all()
    assert not near_centre(similarity, positive, outliers=0.1)[~positive].any()


def test_targets_move_as_two_classes_that_are_added_to_and_renormalised():
    pair = torch.tensor([0.7, 0.3])  # negative, positive
    for label in (True, True, False):
        before = pair[1:]
        pair = pair + 0.01 * torch.tensor([not label, label])
        pair = pair / pair.sum()
        assert moved_targets(before, torch.tensor([label]), 0.01).item() == pytest.approx(pair[1].item())
