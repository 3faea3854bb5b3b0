"""What config.json of a saved model holds, and what each of its values may be."""

from __future__ import annotations

from dataclasses import fields

from halflabel.drift import SEEN
from halflabel.features.scaling import SCALING
from halflabel.sealed import FILE, Card
from halflabel.sealed.schema import (
    Check,
    either,
    integer,
    listed,
    mapping,
    nothing,
    number,
    plain,
    record,
    text,
)
from halflabel.sealed.tensorfile import TENSOR
from halflabel.thresholds import Expected

WEIGHTS = "weights.safetensors"
SHARE = number(0, 1)
# Attributes of a fitted model that are plain values; a threshold that nobody reaches may lie just above 1.
PLAIN: dict[str, Check] = {
    "prior_": SHARE,
    "threshold_": number(0, 1.001),
    "slope_": number(),
    "shift_": number(),
    "weight_unit_": number(),
    "n_features_in_": integer(0),
    "cut_": number(),
    "expected_": record({field.name: number(0) for field in fields(Expected)}),
}
CONFIG = Card(
    name="config.json",
    what="model",
    format=3,
    content={
        "halflabel": text,
        "method": text,
        "parameters": mapping(either(plain, listed(either(plain, listed(plain))))),
        "scaling": SCALING,
        "seen": either(nothing, SEEN),
        "prior_interval_": listed(SHARE, length=2),
        "classes_": listed(plain, length=2),
        "feature_names_in_": listed(text),
        "fitted": record(PLAIN),
        "tensors": mapping(TENSOR),
        "files": record({WEIGHTS: FILE}),
    },
    again="Fit and save it again.",
)
