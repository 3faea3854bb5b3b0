"""Pictures of neighbourhoods: nothing overlaps, nothing is clipped, and trust can be seen."""

import math
import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halflabel.plots.labels import place_labels, shortened
from halflabel.plots.neighbourhood import neighbourhood_svg
from halflabel.plots.rings import HEIGHT, WIDTH, place_on_rings


def node(name, steps, **more):
    return {"id": name, "probability": 0.5, "known_positive": False, "flagged": False, "steps": steps, **more}


def edge(source, target, trust):
    return {"source": source, "target": target, "trust": trust, "amount": None}


@given(st.lists(st.integers(1, 2), max_size=13), st.integers(0, 1000))
def test_nodes_keep_their_distance(steps, seed):
    rng = np.random.default_rng(seed)
    inner = [i + 1 for i, step in enumerate(steps) if step == 1] or [0]
    links = {i + 1: [int(rng.choice(inner))] for i, step in enumerate(steps) if step == 2}
    spots = place_on_rings([0, *steps], links)
    assert all(math.dist(a, b) > 15 for a, b in combinations(spots, 2))
    assert all(10 < x < WIDTH - 10 and 10 < y < HEIGHT - 10 for x, y in spots)


def test_labels_lie_over_neither_each_other_nor_a_node():
    spots = place_on_rings([0, *[1] * 6, *[2] * 7], {})
    labels = place_labels([f"customer-{i:09d}" for i in range(14)], spots)
    boxes = []
    for label in filter(None, labels):
        width = 6.4 * len(label.text)
        left = {"start": 0, "end": width, "middle": width / 2}[label.anchor]
        boxes.append((label.spot.x - left, label.spot.y - 8, label.spot.x - left + width, label.spot.y + 1))
    assert len(boxes) >= 8
    assert min(box[0] for box in boxes) >= 0
    assert max(box[2] for box in boxes) <= WIDTH
    for (a, b, c, d), (e, f, g, h) in combinations(boxes, 2):
        assert a >= g or e >= c or b >= h or f >= d


def test_trusted_and_distrusted_edges_differ():
    nodes = [node("a", 0, flagged=True), node("b", 1, known_positive=True), node("c", 1)]
    svg = neighbourhood_svg({"nodes": nodes, "edges": [edge("a", "b", 0.9), edge("c", "a", 0.1)]})
    assert svg.count('class="trusted"') == svg.count('class="distrusted"') == 1
    assert re.search(r'class="trusted"[^>]*stroke-width="2.2"><title>trust 0.90', svg)
    assert [svg.count(f'class="{kind}"') for kind in ("known", "flagged", "other", "ring")] == [1, 1, 1, 1]


def test_edges_both_ways_are_one_line_of_mean_trust():
    nodes = [node("a", 0), node("b", 1)]
    svg = neighbourhood_svg({"nodes": nodes, "edges": [edge("a", "b", 0.9), edge("b", "a", 0.3)]})
    assert svg.count("<line") == 1
    assert "trust 0.60" in svg


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><b>', "a&b"])
def test_a_hostile_id_is_text(name):
    svg = neighbourhood_svg({"nodes": [node(name, 0)], "edges": []})
    assert name not in svg
    assert svg.count("<") == svg.count(">")


def test_long_ids_keep_both_ends():
    assert shortened("transaction-2024-000417") == "trans…00417"
    assert shortened("two\nlines") == "two·lines"
