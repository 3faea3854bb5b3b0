"""Raw files of public graphs: where they lie, how they get there, and reading them with torch_geometric."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import socket
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from halflabel.errors import DataError, quote_some

DOWNLOAD_TIMEOUT = 20.0


@dataclass(frozen=True)
class RawFiles:
    """The files one torch_geometric dataset class reads, and who publishes them.

    >>> wikics = RawFiles("WikiCS", "", "WikiCS/raw", ("data.json",), "https://example.org")
    >>> wikics.missing(Path("/nowhere"))
    ['data.json']
    """

    loader: str
    name: str
    folder: str
    files: tuple[str, ...]
    source: str

    def missing(self, directory: Path) -> list[str]:
        """Which of the files are not under this data directory."""
        return [file for file in self.files if not (directory / self.folder / file).is_file()]


def ensure_raw_files(name: str, raw: RawFiles, directory: Path) -> Path:
    """The folder with the raw files, downloaded if need be; a DataError says what to put where.

    >>> texts = RawFiles("WebKB", "texas", ".", ("a.txt",), "https://example.org")
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     _ = (Path(place) / "a.txt").write_text("")
    ...     ensure_raw_files("texas", texts, Path(place)) == Path(place)
    True
    """
    home = directory / raw.folder
    missing = raw.missing(directory)
    if not missing:
        return home
    try:
        with _scratch_copy(raw, directory) as scratch:
            _open_dataset(raw, scratch)
            home.mkdir(parents=True, exist_ok=True)
            for file in missing:
                partial = home / f".{file}.{os.getpid()}"
                shutil.copyfile(scratch / raw.folder / file, partial)
                os.replace(partial, home / file)
    except Exception as error:
        # Whatever torch_geometric or the network raised, the way out is the same: place the files by hand.
        raise DataError(
            f"{name}: {len(missing)} of {len(raw.files)} raw files are not in {home}, and the download "
            f"failed ({type(error).__name__}: {error}). Put there {quote_some(missing, limit=12)} "
            f"from {raw.source}. The data directory is the one you pass, else $HALFLABEL_DATA, "
            "else the user's cache."
        ) from None
    return home


def read_arrays(name: str, raw: RawFiles, directory: Path) -> dict[str, np.ndarray]:
    """Edges, sparse features and labels, parsed by torch_geometric in a scratch copy.

    The copy is there because torch_geometric writes beside the raw files, and not atomically: two processes
    that load the same graph would read each other's half-written file.

    >>> read_arrays("wikics", PAPER_GRAPHS["wikics"].raw, Path("/data"))["edges"].shape  # doctest: +SKIP
    (2, 297110)
    """
    try:
        with _scratch_copy(raw, directory) as scratch:
            data = _open_dataset(raw, scratch)[0]
    except Exception as error:
        raise DataError(f"{name}: the raw files in {directory / raw.folder} cannot be read "
                        f"({type(error).__name__}: {error}). Take them again from {raw.source}.") from None
    X = data.x.to_dense() if data.x.is_sparse else data.x
    X = sparse.csr_array(X.numpy().astype(np.float32))
    return {"edges": data.edge_index.numpy().astype(np.int32), "y": data.y.numpy().astype(np.int64),
            "data": X.data, "indices": X.indices, "indptr": X.indptr}


@contextlib.contextmanager
def _scratch_copy(raw: RawFiles, directory: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="halflabel-") as scratch:
        copy = Path(scratch) / raw.folder
        copy.mkdir(parents=True)
        for file in set(raw.files) - set(raw.missing(directory)):
            shutil.copyfile(directory / raw.folder / file, copy / file)
        yield Path(scratch)


def _open_dataset(raw: RawFiles, root: Path) -> Any:
    """The torch_geometric dataset under this root, without its prints, warnings and endless waits."""
    timeout = socket.getdefaulttimeout()
    socket.setdefaulttimeout(DOWNLOAD_TIMEOUT)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()), \
                contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            from torch_geometric import datasets

            place = str(root / raw.loader)
            if raw.loader == "Actor":
                return datasets.Actor(place)
            if raw.loader == "WikiCS":
                return datasets.WikiCS(place, is_undirected=False)
            return getattr(datasets, raw.loader)(place, raw.name)
    finally:
        socket.setdefaulttimeout(timeout)
