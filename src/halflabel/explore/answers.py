"""What the explorer answers, as types: they make its OpenAPI schema."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

MOST_ROWS, LONGEST_SEARCH, LARGEST_POSITION = 500, 200, 2**40

Order = Literal["rank", "doubt", "marked"]
Search = Annotated[str, Query(max_length=LONGEST_SEARCH, description="A part of the id.")]


class RunAnswer(BaseModel):
    """The run as a whole."""

    name: str
    answer: str
    method: str
    prior: float
    threshold: float
    nodes: int
    unlabelled: int
    known_positives: int
    flagged: int
    marks_file: str


class NodeAnswer(BaseModel):
    """A node of the list. `mark` is None where the review has said nothing."""

    position: int
    id: str
    rank: int | None
    probability: float
    flagged: bool
    known_positive: bool
    mark: Literal["positive", "negative"] | None


class NodesAnswer(BaseModel):
    """Some rows of the list, and how many there are in all."""

    total: int
    offset: int
    nodes: list[NodeAnswer]


class PlacedAnswer(BaseModel):
    """One node, and on which row of the list it is, if it is on one."""

    node: NodeAnswer
    row: int | None


class DrawnNode(NodeAnswer):
    """A node of the picture."""

    steps: int


class DrawnEdge(BaseModel):
    """An edge of the picture, between positions; `trust` is from 0 to 1."""

    source: int
    target: int
    trust: float


class NeighbourhoodAnswer(BaseModel):
    """The picture around a node; the node itself comes first."""

    nodes: list[DrawnNode]
    edges: list[DrawnEdge]
    left_out: int


class FeatureAnswer(BaseModel):
    """A feature that speaks for or against the node; `contribution` is its share of the log-odds."""

    name: str
    value: float | None
    usual: float | None
    contribution: float | None


class EdgeAnswer(BaseModel):
    """An edge near the node: the trust in it, and what it adds to the node's log-odds."""

    source: str
    target: str
    trust: float
    log_odds: float | None


class WhyAnswer(BaseModel):
    """Why a node has its score; what speaks for it comes first."""

    sentences: list[str]
    features: list[FeatureAnswer]
    edges: list[EdgeAnswer]


def _whole(given: object) -> object:
    """In JSON 62.0 is an integer."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


class MarkRequest(BaseModel):
    """A mark for a node; None takes it back."""

    model_config = ConfigDict(extra="forbid", strict=True)

    position: Annotated[int, Field(ge=0, le=LARGEST_POSITION), BeforeValidator(_whole)]
    mark: Literal["positive", "negative"] | None


class MarkAnswer(BaseModel):
    """A mark that is on the disk."""

    node: NodeAnswer
    time: str
    positives: int
    marked: int


class MarksAnswer(BaseModel):
    """All marks of the review, and how many positives the next fit gets from the file."""

    positives: int
    positive: int
    negative: int
    nodes: list[NodeAnswer]


class Refusal(BaseModel):
    """Why something was not done."""

    detail: str
