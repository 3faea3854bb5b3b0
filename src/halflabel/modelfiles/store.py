"""Save a fitted method as JSON and safetensors, and load it: never pickle, so loading runs no code.

A model that was cut, swapped or changed is refused by its hashes; one that was made to do harm, by checks of
all that it holds: names, types, ranges and sizes first, and only then is memory taken.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from halflabel import __version__
from halflabel.base import PUNodeClassifier
from halflabel.convert.rows import RowScores
from halflabel.drift import Seen
from halflabel.errors import DataError, quote_some, unknown_name
from halflabel.features.scaling import Scaling
from halflabel.files import whole_directory
from halflabel.methods import method_classes
from halflabel.modelfiles.card import CONFIG, PLAIN, WEIGHTS
from halflabel.modelfiles.ownbackbone import plain_parameters, put_back
from halflabel.nets import OtherNetwork, OwnNetwork
from halflabel.sealed import check_file, describe, inside
from halflabel.sealed.tensorfile import tensors_in
from halflabel.thresholds import goal_of

ROWS = "rows."  # how the names of arrays of fitted rows begin
FILES = {CONFIG.name, WEIGHTS}


def save_model(model: PUNodeClassifier, directory: str | os.PathLike[str]) -> None:
    """Write config.json and weights.safetensors, both or neither; only an earlier model is replaced."""
    place = Path(directory)
    if place.exists() and not (place.is_dir() and {path.name for path in place.iterdir()} <= FILES):
        raise DataError(f"{place}: exists and is not a saved model, which saving would destroy. "
                        "Choose another place.")
    names = {cls: name for name, cls in method_classes().items()}
    rows = {} if model._rows is None else model._rows.to_arrays()
    arrays = {"scores": model.scores_, **{ROWS + name: values for name, values in rows.items()}}
    tensors = {name: torch.as_tensor(values) for name, values in arrays.items()}
    with whole_directory(directory) as filling:
        weights = filling / WEIGHTS
        save_file(tensors | model._arrays(), weights)
        CONFIG.write(filling, {
            "halflabel": __version__,
            "method": names[type(model)],
            "parameters": plain_parameters(model),
            "scaling": model.scaling_.to_dict(),
            "seen": None if model.seen_ is None else model.seen_.to_dict(),
            "prior_interval_": list(model.prior_interval_),
            "classes_": model.classes_.tolist(),
            "feature_names_in_": list(getattr(model, "feature_names_in_", ())),
            "fitted": {name: getattr(model, name) for name in PLAIN},
            "tensors": tensors_in(weights),
            "files": {WEIGHTS: describe(weights)},
        })


def load(directory: str | os.PathLike[str], backbone: OwnNetwork | None = None) -> PUNodeClassifier:
    """Read a model that `save` wrote.

    Loading runs no code but ours: a model whose backbone was the user's own needs it once more, as it was
    given to the method, and gets the weights from the files.

    >>> import tempfile
    >>> from halflabel import GPL, load
    >>> from halflabel.datasets import payments, payments_positives
    >>> graph, y = payments()
    >>> model = GPL(epochs=2, warmup=5).fit(graph, payments_positives(y))
    >>> place = tempfile.mkdtemp() + "/model"
    >>> model.save(place)
    >>> bool((load(place).scores_ == model.scores_).all())
    True
    """
    place = Path(directory)
    if missing := sorted(name for name in FILES if not inside(place, name).is_file()):
        raise DataError(f"{place}: not a saved model, {missing[0]} is missing. "
                        "A model directory holds config.json and weights.safetensors.")
    config = CONFIG.read(place)
    known = method_classes()
    if config["method"] not in known:
        raise DataError(unknown_name("method", config["method"][:40], known, str(place / CONFIG.name)))
    put_back(config["parameters"], backbone, place)
    try:
        model = _with_parameters(known[config["method"]], config["parameters"])
        arrays = _read_arrays(place / WEIGHTS, config)
        return _rebuild(model, config, arrays)
    except OtherNetwork:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RuntimeError, OSError, MemoryError,
            SafetensorError) as error:
        raise CONFIG.damaged(place, error) from error


def _with_parameters(cls: type[PUNodeClassifier], parameters: dict[str, Any]) -> PUNodeClassifier:
    """A method with the parameters it has, in the ranges it takes: what fitting would check."""
    if other := sorted(parameters.keys() ^ set(cls._get_param_names())):
        raise ValueError(f"parameters missing or unknown to {cls.__name__}: {quote_some(other)}")
    model = cls(**parameters)
    model._validate_params()
    goal_of(model.threshold)
    return model


def _read_arrays(path: Path, config: dict[str, Any]) -> dict[str, torch.Tensor]:
    if tensors_in(path) != config["tensors"]:
        raise ValueError(f"{path.name} does not hold the tensors that {CONFIG.name} names")
    check_file(path, config["files"][WEIGHTS])
    arrays = load_file(path)
    for name, values in arrays.items():
        if values.is_floating_point() and not bool(torch.isfinite(values).all()):
            raise ValueError(f"the tensor {name!r} holds numbers that are not finite")
    return arrays


def _rebuild(
    model: PUNodeClassifier, config: dict[str, Any], arrays: dict[str, torch.Tensor]
) -> PUNodeClassifier:
    for name in PLAIN:
        setattr(model, name, config["fitted"][name])
    model.prior_interval_ = tuple(config["prior_interval_"])
    model.scaling_ = Scaling.from_dict(config["scaling"])
    model.seen_ = None if config["seen"] is None else Seen.from_dict(config["seen"])
    model.classes_ = np.array(config["classes_"])
    if names := config["feature_names_in_"]:
        model.feature_names_in_ = np.array(names, dtype=object)
    model.scores_ = arrays.pop("scores").numpy()
    rows = {name.removeprefix(ROWS): arrays.pop(name).numpy() for name in [*arrays] if name.startswith(ROWS)}
    model._rows = RowScores.from_arrays(rows) if rows else None
    model._restore(arrays)
    return model
