"""The ten graphs of the paper: what each one is, and how it is read and checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from halflabel.datasets.cache import cached_arrays
from halflabel.datasets.raw import RawFiles, ensure_raw_files, read_arrays
from halflabel.errors import DataError
from halflabel.graph import Features, Graph

PRE_2022_CORNELL = (33, 1, 18, 101, 30)
CITESEER_ABSENT = 15
SPARSE_BELOW = 0.25


@dataclass(frozen=True)
class PaperGraph:
    """One row of the paper's table, as its raw files really are.

    Edges are directed and without self-loops, as `load_dataset` returns them.

    >>> PAPER_GRAPHS["cornell"].class_counts
    (38, 16, 30, 82, 17)
    >>> round(PAPER_GRAPHS["cornell"].prior(), 4)
    0.2887
    """

    raw: RawFiles
    kind: str
    edges: int
    features: int
    class_counts: tuple[int, ...]

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return sum(self.class_counts)

    def prior(self, ratio: float = 0.5) -> float:
        """Share of positives among the unlabelled when `ratio` of the largest class is known."""
        positives = max(self.class_counts)
        known = int(ratio * positives)
        return (positives - known) / (self.nodes - known)


def _planetoid(name: str) -> RawFiles:
    parts = ("x", "tx", "allx", "y", "ty", "ally", "graph", "test.index")
    files = tuple(f"ind.{name.lower()}.{part}" for part in parts)
    return RawFiles("Planetoid", name, f"Planetoid/{name}/raw", files,
                    "https://github.com/kimiyoung/planetoid, directory data")


def _geom_gcn(loader: str, name: str, folder: str, stem: str) -> RawFiles:
    splits = tuple(f"{stem}_split_0.6_0.2_{i}.npz" for i in range(10))
    files = ("out1_node_feature_label.txt", "out1_graph_edges.txt", *splits)
    commit = " at commit f1fc0d14" if loader == "WikipediaNetwork" else ""
    return RawFiles(loader, name, folder, files,
                    f"https://github.com/graphdml-uiuc-jlu/geom-gcn{commit}, "
                    f"directories new_data/{stem} and splits")


def _webkb(name: str) -> RawFiles:
    return _geom_gcn("WebKB", name, f"WebKB/{name}/raw", name)


def _wikipedia(name: str) -> RawFiles:
    return _geom_gcn("WikipediaNetwork", name, f"WikipediaNetwork/{name}/geom_gcn/raw", name)


_ACTOR = _geom_gcn("Actor", "", "Actor/raw", "film")
_WIKICS = RawFiles("WikiCS", "", "WikiCS/raw", ("data.json",),
                   "https://github.com/pmernyei/wiki-cs-dataset, directory dataset")

# CiteSeer: 15 nodes are in the link file but not in the feature and label files; they have no features and
# count as class 0. 48 other nodes have no edge at all.
PAPER_GRAPHS: dict[str, PaperGraph] = {
    "cora": PaperGraph(_planetoid("Cora"), "citations", 10556, 1433, (351, 217, 418, 818, 426, 298, 180)),
    "pubmed": PaperGraph(_planetoid("PubMed"), "citations", 88648, 500, (4103, 7739, 7875)),
    "citeseer": PaperGraph(_planetoid("CiteSeer"), "citations", 9104, 3703, (264, 590, 668, 701, 596, 508)),
    "wikics": PaperGraph(_WIKICS, "web links", 297110, 300,
                         (295, 667, 2153, 1933, 2679, 780, 413, 865, 492, 1424)),
    "cornell": PaperGraph(_webkb("cornell"), "web links", 295, 1703, (38, 16, 30, 82, 17)),
    "chameleon": PaperGraph(_wikipedia("chameleon"), "web links", 36051, 2325, (456, 460, 453, 521, 387)),
    "squirrel": PaperGraph(_wikipedia("squirrel"), "web links", 216933, 2089, (1042, 1040, 1039, 1040, 1040)),
    "actor": PaperGraph(_ACTOR, "co-occurrence", 29926, 932, (853, 1337, 1630, 1815, 1965)),
    "wisconsin": PaperGraph(_webkb("wisconsin"), "web links", 499, 1703, (10, 70, 118, 32, 21)),
    "texas": PaperGraph(_webkb("texas"), "web links", 309, 1703, (33, 1, 18, 101, 30)),
}


def read_paper_graph(name: str, directory: Path) -> tuple[Graph, np.ndarray]:
    """The graph as published (edge direction kept, features as they are) and its class labels.

    The first reading parses the raw files with torch_geometric (seconds); later ones need neither torch nor
    the parsing, because the arrays are kept beside the data or, where that is read-only, in the user's cache.

    >>> graph, y = read_paper_graph("cornell", Path("/data"))  # doctest: +SKIP
    >>> graph  # doctest: +SKIP
    Graph(183 nodes, 295 directed edges, 1,703 features)
    """
    graph = PAPER_GRAPHS[name]
    raw = ensure_raw_files(name, graph.raw, directory)
    arrays = cached_arrays(name, [raw / file for file in graph.raw.files], directory,
                           lambda: read_arrays(name, graph.raw, directory))
    y = arrays["y"]
    check_class_counts(name, y, raw)
    notes = [f"{CITESEER_ABSENT} nodes are absent from the raw feature and label files: no features, class 0"]
    X = _sparse_where_thin((arrays["data"], arrays["indices"], arrays["indptr"]), (len(y), graph.features))
    source, target = arrays["edges"]
    return Graph.from_edges(source, target, X, notes=notes if name == "citeseer" else ()), y


def check_class_counts(name: str, y: np.ndarray, raw: Path) -> None:
    """Refuse files that are not the published ones, above all the Cornell file that holds Texas.

    >>> check_class_counts("texas", np.repeat(np.arange(5), [33, 1, 18, 101, 30]), Path("raw"))
    """
    expected = PAPER_GRAPHS[name].class_counts
    got = tuple(np.bincount(y, minlength=len(expected)).tolist())
    if got == expected:
        return
    advice = "The files are damaged or of another release; replace them."
    if name == "cornell" and got == PRE_2022_CORNELL:
        advice = ("This is the Cornell file from before July 2022, which holds labels and features of Texas; "
                  "take out1_node_feature_label.txt from a later commit of geom-gcn.")
    raise DataError(f"{name}: {raw} has class counts {'/'.join(map(str, got))}, "
                    f"expected {'/'.join(map(str, expected))}. {advice}")


def _sparse_where_thin(
    parts: tuple[np.ndarray, np.ndarray, np.ndarray], shape: tuple[int, int]
) -> Features:
    X = sparse.csr_array(parts, shape=shape)
    return X if X.nnz < SPARSE_BELOW * shape[0] * shape[1] else X.toarray()
