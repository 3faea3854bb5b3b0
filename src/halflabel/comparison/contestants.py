"""Who competes: methods by name or configured estimators, each under a label of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sklearn.base import BaseEstimator

from halflabel.errors import DataError, unknown_name
from halflabel.methods import method_classes
from halflabel.nets import BACKBONES

NEEDED = ("fit", "decision_function", "predict", "get_params")


def contestants(
    methods: Any, *, prior: float | None = None, random_state: int = 0
) -> dict[str, BaseEstimator]:
    """Estimators by label, from names ("gpl", "naive:mlp"), estimators, or a mapping from labels to either.

    Methods that are named get the seed, and the prior if it is known; estimators stay as configured.

    >>> list(contestants(["gpl", "naive:mlp"]))
    ['gpl', 'naive:mlp']
    """
    chosen: dict[str, BaseEstimator] = {}
    for label, method in _labelled(methods):
        if label in chosen:
            raise DataError(f"methods: {label!r} is there twice. Give each a label of its own, as in "
                            "methods={'short': GPL(epochs=20), 'long': GPL(epochs=200)}.")
        chosen[label] = _estimator(method, prior, random_state)
    if not chosen:
        raise DataError("methods: none given. Name at least one, as in methods=['gpl', 'naive'].")
    return chosen


def _labelled(methods: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(methods, Mapping):
        return [(str(label), method) for label, method in methods.items()]
    if isinstance(methods, str) or not isinstance(methods, Iterable):
        methods = [methods]
    return [(method if isinstance(method, str) else _name(method), method) for method in methods]


def _name(estimator: Any) -> str:
    names = {kind: name for name, kind in method_classes().items()}
    return names.get(type(estimator), type(estimator).__name__)


def _estimator(method: Any, prior: float | None, random_state: int) -> BaseEstimator:
    if isinstance(method, str):
        return _named(method, prior, random_state)
    if isinstance(method, type) or not all(hasattr(method, name) for name in NEEDED):
        raise DataError(f"methods: expected names or estimators with fit, decision_function and predict; got "
                        f"{method!r}.")
    return method


def _named(text: str, prior: float | None, random_state: int) -> BaseEstimator:
    name, _, backbone = text.partition(":")
    known = method_classes()
    if name not in known:
        raise DataError(unknown_name("method", name, known))
    wanted: dict[str, Any] = {"random_state": random_state}
    if prior is not None:
        wanted["prior"] = prior
    accepted = known[name]().get_params()
    if backbone:
        if "backbone" not in accepted:
            raise DataError(f"{text}: {name!r} has no backbone to choose. Name it as {name!r}.")
        if backbone not in BACKBONES:
            raise DataError(unknown_name("backbone", backbone, BACKBONES, text))
        wanted["backbone"] = backbone
    return known[name](**{key: value for key, value in wanted.items() if key in accepted})
