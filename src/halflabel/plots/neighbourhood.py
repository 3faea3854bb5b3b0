"""A node and those around it as SVG: trusted edges are solid and thick, distrusted ones dashed and thin."""

from __future__ import annotations

from html import escape
from typing import Any

from halflabel.plots.labels import Label, place_labels
from halflabel.plots.rings import HEIGHT, WIDTH, Spot, place_on_rings
from halflabel.run.answer import probability

TRUSTED = 0.5  # from here on an edge is drawn as trusted
LONGEST = 200  # characters of an id in a title


def neighbourhood_svg(around: dict[str, Any]) -> str:
    """Draw what `Neighbourhood.to_dict()` gives; ids are escaped, and short only where there is no room.

    >>> ann = {"id": "<b>", "probability": 0.9, "known_positive": False, "flagged": True, "steps": 0}
    >>> svg = neighbourhood_svg({"nodes": [ann], "edges": []})
    >>> svg.startswith("<svg"), "&lt;b&gt;" in svg, "<b>" in svg
    (True, True, False)
    """
    nodes = around["nodes"]
    place = {node["id"]: i for i, node in enumerate(nodes)}
    trust = _pairs(around["edges"], place)
    links: dict[int, list[int]] = {}
    for a, b in trust:
        links.setdefault(a, []).append(b)
        links.setdefault(b, []).append(a)
    spots = place_on_rings([node["steps"] for node in nodes], links)
    lines = [(spots[a], spots[b]) for a, b in trust]
    labels = place_labels([str(node["id"]) for node in nodes], spots, lines)
    # Distrusted edges first, so that they never cover a trusted one.
    drawn = [_edge(spots[a], spots[b], value) for (a, b), value in sorted(trust.items(), key=lambda e: e[1])]
    drawn += [_node(node, spot, i == 0) for i, (node, spot) in enumerate(zip(nodes, spots, strict=True))]
    drawn += [_label(label, i == 0) for i, label in enumerate(labels) if label]
    name = escape(f"the neighbourhood of {str(nodes[0]['id'])[:LONGEST]}")
    return (f'<svg class="graph" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" aria-label="{name}">'
            f"{''.join(drawn)}</svg>")


def _pairs(edges: list[dict[str, Any]], place: dict[Any, int]) -> dict[tuple[int, int], float]:
    """Trust between two nodes: the mean, where edges lead both ways."""
    found: dict[tuple[int, int], list[float]] = {}
    for edge in edges:
        a, b = sorted((place[edge["source"]], place[edge["target"]]))
        if a != b:
            found.setdefault((a, b), []).append(edge["trust"])
    return {pair: sum(values) / len(values) for pair, values in found.items()}


def _edge(a: Spot, b: Spot, trust: float) -> str:
    line = f'x1="{a.x}" y1="{a.y}" x2="{b.x}" y2="{b.y}"'
    if trust < TRUSTED:
        return f'<line class="distrusted" {line}><title>trust {trust:.2f}</title></line>'
    width = 1 + 3 * (trust - TRUSTED)
    return f'<line class="trusted" {line} stroke-width="{width:.1f}"><title>trust {trust:.2f}</title></line>'


def _node(node: dict[str, Any], spot: Spot, is_centre: bool) -> str:
    kind = "known" if node["known_positive"] else "flagged" if node["flagged"] else "other"
    said = "known positive" if kind == "known" else f"probability {probability(node['probability'])}"
    ring = f'<circle class="ring" cx="{spot.x}" cy="{spot.y}" r="9.5"/>' if is_centre else ""
    return (f'<g>{ring}<circle class="{kind}" cx="{spot.x}" cy="{spot.y}" r="{6 if is_centre else 5}"/>'
            f"<title>{escape(str(node['id'])[:LONGEST])}: {said}</title></g>")


def _label(label: Label, is_centre: bool) -> str:
    strong = ' class="strong"' if is_centre else ""
    return (f'<text{strong} x="{label.spot.x:.1f}" y="{label.spot.y:.1f}" text-anchor="{label.anchor}">'
            f"{escape(label.text)}</text>")
