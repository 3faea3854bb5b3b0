"""Save a fitted method as JSON and safetensors, and load it: never pickle, so loading runs no code."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from halflabel import __version__
from halflabel.base import PUNodeClassifier
from halflabel.errors import DataError, unknown_name
from halflabel.files import whole_directory
from halflabel.methods import method_classes
from halflabel.nets import OwnNetwork
from halflabel.ownbackbone import plain_parameters, put_back
from halflabel.rows import RowScores
from halflabel.scaling import Scaling

FORMAT = 3
ROWS = "rows."  # how the names of arrays of fitted rows begin
FILES = {"config.json", "weights.safetensors"}
PLAIN = ("prior_", "threshold_", "slope_", "shift_", "weight_unit_", "n_features_in_", "cut_",
         "expected_")


def save_model(model: PUNodeClassifier, directory: str | os.PathLike[str]) -> None:
    """Write config.json and weights.safetensors, both or neither; only an earlier model is replaced."""
    place = Path(directory)
    if place.exists() and not (place.is_dir() and {path.name for path in place.iterdir()} <= FILES):
        raise DataError(f"{place}: exists and is not a saved model, which saving would destroy. "
                        "Choose another place.")
    names = {cls: name for name, cls in method_classes().items()}
    config = {
        "format": FORMAT,
        "halflabel": __version__,
        "method": names[type(model)],
        "parameters": plain_parameters(model),
        "scaling": model.scaling_.to_dict(),
        "prior_interval_": list(model.prior_interval_),
        "classes_": model.classes_.tolist(),
        "feature_names_in_": list(getattr(model, "feature_names_in_", ())),
        "fitted": {name: getattr(model, name) for name in PLAIN},
    }
    text = json.dumps(config, indent=2, default=lambda value: value.item())  # numpy's numbers
    with whole_directory(directory) as filling:
        (filling / "config.json").write_text(text + "\n", encoding="utf-8")
        rows = {} if model._rows is None else model._rows.to_arrays()
        arrays = {"scores": model.scores_, **{ROWS + name: values for name, values in rows.items()}}
        tensors = {name: torch.as_tensor(values) for name, values in arrays.items()}
        save_file(tensors | model._arrays(), filling / "weights.safetensors")


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
    config, arrays = _read(place)
    known, name = method_classes(), str(config.get("method"))
    if name not in known:
        raise DataError(unknown_name("method", name, known, str(place / "config.json")))
    put_back(config, backbone, place)
    try:
        return _rebuild(known[name], config, arrays)
    except DataError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        raise _damaged(place, error) from error


def _rebuild(
    cls: type[PUNodeClassifier], config: dict[str, Any], arrays: dict[str, torch.Tensor]
) -> PUNodeClassifier:
    model = cls(**config["parameters"])
    for name in PLAIN:
        setattr(model, name, config["fitted"][name])
    model.prior_interval_ = tuple(config["prior_interval_"])
    model.scaling_ = Scaling.from_dict(config["scaling"])
    model.classes_ = np.array(config["classes_"])
    if names := config["feature_names_in_"]:
        model.feature_names_in_ = np.array(names, dtype=object)
    model.scores_ = arrays.pop("scores").numpy()
    rows = {name.removeprefix(ROWS): arrays.pop(name).numpy() for name in [*arrays] if name.startswith(ROWS)}
    model._rows = RowScores.from_arrays(rows) if rows else None
    model._restore(arrays)
    return model


def _read(place: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    try:
        config = json.loads((place / "config.json").read_text(encoding="utf-8"))
        arrays = load_file(place / "weights.safetensors")
    except (FileNotFoundError, NotADirectoryError):
        missing = next(name for name in sorted(FILES) if not (place / name).is_file())
        raise DataError(f"{place}: not a saved model, {missing} is missing. "
                        "A model directory holds config.json and weights.safetensors.") from None
    except (json.JSONDecodeError, UnicodeDecodeError, SafetensorError) as error:
        raise _damaged(place, error) from None
    form = config.get("format") if isinstance(config, dict) else None
    if form != FORMAT:
        raise DataError(f"{place}: format {form!r}, but this version reads format {FORMAT}.")
    return config, arrays


def _damaged(place: Path, error: Exception) -> DataError:
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    return DataError(f"{place}: the saved model is damaged ({what}). Fit and save it again.")
