"""Saved files that were damaged are refused, thousands of ways; forged ones do nothing worse than load.

300 mutations here; HALFLABEL_MUTATIONS=5000, or `make fuzz-models`, for more.
"""

import json
import os
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

import halflabel as hl
from halflabel.graphfiles.card import GRAPH
from halflabel.modelfiles.card import CONFIG
from halflabel.run.card import RUN
from halflabel.sealed import describe
from halflabel.sealed.tensorfile import tensors_in

COUNT = int(os.environ.get("HALFLABEL_MUTATIONS", "300"))
GRAPH_FILES = ("graph.json", "ids.arrow", "indptr.npy", "indices.npy", "X.npy", "edge_weight.npy")
KINDS = {
    "model": ("model", hl.load, ("config.json", "weights.safetensors")),
    "graph": ("graph", hl.load_graph, GRAPH_FILES),
    "run": ("", hl.open_run, ("run.json", "scores.parquet", "edges.parquet", "model/config.json",
                              "model/weights.safetensors", *(f"graph/{name}" for name in GRAPH_FILES))),
}
# As JSON text: some of them are no values in Python, or not the same ones.
STRANGE = (
    "null", "true", "-1", "0", "0.5", "1e-400", "1e999", "-1e308", "NaN", "Infinity", "9223372036854775808",
    "1" * 400, "1" * 5000, '""', '"../../etc/passwd"', '"\\u0000"', '"\\ud800"', '"__import__(\'os\')"', "[]",
    "{}", "[[]]", '{"a": 1, "a": 2}', "[" * 100_000 + "]" * 100_000, f'"{"x" * 100_000}"', "\ufeff1", "1 2")


def flipped(data, rng, _):
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def cut(data, rng, _):
    return data[: rng.choice([0, 1, rng.randrange(len(data)), len(data) - 1])]


def grown(data, rng, _):
    at = rng.choice([0, rng.randrange(len(data)), len(data)])
    return data[:at] + rng.randbytes(rng.randint(1, 64)) + data[at:]


def shortened(data, rng, _):
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.randint(1, 64) :]


def overwritten(data, rng, _):
    at, size = rng.randrange(len(data)), rng.randint(1, 64)
    piece = rng.choice([bytes(size), b"\xff" * size, rng.randbytes(size)])
    return (data[:at] + piece + data[at + size :])[: len(data)]


def swapped(data, rng, twin):
    return twin


def spaced(data, rng, _):
    """The same JSON to everybody but the seal; elsewhere, another byte."""
    return data.replace(b": ", b":  ", 1) if b": " in data else data + b" "


def replaced(data, rng, _):
    """A value of a JSON file, wherever it stands, for a strange one; a binary file is flipped."""
    if not data.lstrip().startswith(b"{"):
        return flipped(data, rng, None)
    content = json.loads(data)
    parent, key = rng.choice([*places(content)])
    action = rng.choice(["strange", "strange", "strange", "removed", "added", "twice"])
    if action == "removed":
        del parent[key]
    elif action == "added" and isinstance(parent, dict):
        parent["strange"] = 1
    else:
        parent[key] = "MARK"
    text, strange = json.dumps(content, indent=2, ensure_ascii=False), rng.choice(STRANGE)
    if action == "twice" and isinstance(parent, dict):
        strange += f', {json.dumps(key)}: {strange}'
    return (text.replace('"MARK"', strange, 1) + "\n").encode("utf-8", "surrogatepass")


def places(content):
    for key, value in content.items() if isinstance(content, dict) else enumerate(content):
        yield content, key
        if isinstance(value, (dict, list)):
            yield from places(value)


MUTATIONS = (flipped, flipped, cut, grown, shortened, overwritten, swapped, spaced, replaced, replaced)


def mutated(kind, runs, rng, cards=0.0):
    """A file of one kind, and other bytes for it; this share of them are values of its card."""
    below, _, files = KINDS[kind]
    while True:
        name, mutation = rng.choice(files), rng.choice(MUTATIONS)
        if rng.random() < cards:
            name, mutation = files[0], replaced
        path, twin = (run / below / name for run in runs)
        data = path.read_bytes()
        if (new := mutation(data, rng, twin.read_bytes())) != data:
            return path, new, mutation.__name__


@pytest.fixture
def places_of(runs, tmp_path):
    """Copies, for they are damaged."""
    return tuple(shutil.copytree(run, tmp_path / run.name) for run in runs)


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_damaged_is_refused(kind, places_of):
    below, load, _ = KINDS[kind]
    rng, seen = random.Random(f"damage {kind}"), Counter()
    load(places_of[0] / below)
    for number in range(-(-COUNT // len(KINDS))):
        path, new, how = mutated(kind, places_of, rng)
        whole = path.read_bytes()
        path.write_bytes(new)
        try:
            with pytest.raises(hl.DataError) as refused:
                load(places_of[0] / below)
        except BaseException as error:
            error.add_note(f"{kind}, number {number}: {path.name} {how}")
            raise
        assert len(str(refused.value)) < 1_000
        path.write_bytes(whole)
        seen[how] += 1
    load(places_of[0] / below)
    print(kind, dict(sorted(seen.items())))


def sealed_anew(run: Path, kind: str):
    """As somebody would who wants the change to go unseen; False where it cannot be sealed."""
    model, graph = run / "model", run / "graph"
    for card, place, files in ((CONFIG, model, ["weights.safetensors"]), (GRAPH, graph, GRAPH_FILES[1:]),
                               (RUN, run, ["scores.parquet", "edges.parquet", "model/config.json",
                                           "graph/graph.json"])):
        try:
            content = json.loads((place / card.name).read_text())
            del content["seal"]
            for name in files:
                content["files"][name] = describe(place / name)
            if card is CONFIG:
                content["tensors"] = tensors_in(place / "weights.safetensors")
            card.write(place, content)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, hl.DataError):
            return False
    return True


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_forged_loads_or_is_refused(kind, runs, tmp_path):
    """The seal fits, so that everything behind it is met; nothing but a DataError comes out."""
    below, load, _ = KINDS[kind]
    rng, seen = random.Random(f"forgery {kind}"), Counter()
    cards = {name: (runs[0] / name).read_bytes()
             for name in ("run.json", "model/config.json", "graph/graph.json")}
    places = tuple(shutil.copytree(run, tmp_path / run.name) for run in runs)
    for number in range(-(-COUNT // len(KINDS))):
        path, new, how = mutated(kind, places, rng, cards=0.5)
        whole = path.read_bytes()
        path.write_bytes(new)
        if sealed_anew(places[0], kind):
            try:
                load(places[0] / below)
                seen["loaded"] += 1
            except hl.DataError:
                seen["refused"] += 1
            except BaseException as error:
                error.add_note(f"{kind}, number {number}: {path.name} {how}")
                raise
        else:
            seen["could not be sealed"] += 1
        path.write_bytes(whole)
        for name, content in cards.items():
            (places[0] / name).write_bytes(content)
    assert seen["refused"] > 0
    print(kind, dict(sorted(seen.items())))
