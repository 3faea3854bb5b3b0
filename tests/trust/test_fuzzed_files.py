"""Files nobody would write on purpose: read as an independent reader reads them, or refused by name.

150 cases here, always the same; HALFLABEL_FUZZ=20000, or `make fuzz`, for more, which are others every time.
"""

import os
import warnings
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from scipy import sparse
from tests.trust import oracle
from tests.trust.fuzzing import cases
from typer.testing import CliRunner

from halflabel.cli.app import app
from halflabel.convert import read_graph
from halflabel.errors import DataError
from halflabel.labels import as_positive_mask

COUNT = int(os.environ.get("HALFLABEL_FUZZ", "150"))
BY_COMMAND, BY_FIT = 25, 500  # every so many cases the command reads them, or fits them
SEEN: Counter[str] = Counter()
fuzzed = settings(max_examples=COUNT, derandomize="HALFLABEL_FUZZ" not in os.environ, database=None,
                  deadline=None, suppress_health_check=list(HealthCheck), print_blob=True,
                  phases=[Phase.generate, Phase.shrink])


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    yield tmp_path_factory.mktemp("fuzz")
    print(dict(sorted(SEEN.items())))


@fuzzed
@given(case=cases())
def test_a_case_is_read_right_or_refused_by_name(place, case):
    SEEN["cases"] += 1
    paths = [None if file is None else place / file.name for file in case[:3]]
    for path, file in zip(paths, case[:3], strict=True):
        if path is not None:
            path.write_bytes(file.data)
    edges, nodes, known = paths
    names = {path.name for path in paths if path is not None}
    graph = mask = None
    try:
        graph = read_graph(edges, nodes, **case.options)
    except DataError as error:
        check_message(str(error), names - {known.name})
        SEEN["refused"] += 1
        compare_refusal(case, str(error))
    if graph is not None:
        people = compare(case, graph)
        try:
            mask = as_positive_mask(known, graph)
        except DataError as error:
            check_message(str(error), {known.name})
            SEEN["positives refused"] += 1
        compare_positives(case, graph, mask, people)
    if SEEN["cases"] % BY_COMMAND == 0:
        run_command(case, paths, place, usable=mask is not None)


def check_message(message, names):
    assert any(name in message for name in names), message
    assert len(message) < 2_000


def compare_refusal(case, message):
    try:
        wanted = oracle.graph(case)
    except oracle.Unsure:
        return
    assert isinstance(wanted, set), f"refused without a reason: {message}"
    assert any(name in message for name in wanted), f"{message} (expected one of {wanted})"


def compare(case, graph):
    """The graph against an independent reading; the ids, if that has an opinion."""
    assert np.isfinite(graph.X.data if sparse.issparse(graph.X) else graph.X).all()
    try:
        wanted = oracle.graph(case)
    except oracle.Unsure:
        SEEN["read, no opinion"] += 1
        return None
    assert isinstance(wanted, oracle.Expected), f"read, but {wanted} should have been refused"
    SEEN["read and compared"] += 1
    ids = graph.ids.to_arrow().to_pylist()
    assert [str(name) for name in ids] == wanted.ids
    rows = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
    got = {(wanted.ids[i], wanted.ids[j]) for i, j in zip(rows, graph.indices, strict=True)}
    assert got == wanted.edges.keys()
    assert (graph.edge_weight is not None) == wanted.weighted
    if wanted.weighted:
        weights = [wanted.edges[wanted.ids[i], wanted.ids[j]]
                   for i, j in zip(rows, graph.indices, strict=True)]
        np.testing.assert_allclose(graph.edge_weight, weights, rtol=1e-6)
    if wanted.X is not None:
        SEEN["features compared"] += 1
        X = graph.X.toarray() if sparse.issparse(graph.X) else graph.X
        np.testing.assert_allclose(X, wanted.X, rtol=1e-6)
    return wanted.ids


def compare_positives(case, graph, mask, people):
    try:
        wanted = None if people is None else oracle.positives(case, people)
    except oracle.Unsure:
        people = None
    if people is None:
        return
    assert (mask is None) == (wanted is None), (mask, wanted)
    if mask is not None:
        SEEN["positives compared"] += 1
        assert {people[i] for i in np.flatnonzero(mask)} == wanted


def run_command(case, paths, place, usable):
    """The same through the command line: the same verdict, and no traceback."""
    edges, nodes, known = map(str, paths)
    fits = SEEN["cases"] % BY_FIT == 0
    arguments = [edges, "--positives", known, *(["--nodes", nodes] if case.nodes else []),
                 *(["--undirected"] if not case.options["directed"] else []),
                 "--missing", case.options["missing"], "--unknown-nodes", case.options["unknown_nodes"]]
    more = ["--method", "labelprop", "--out", str(place / "run")] if fits else ["--files-only"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        ended = CliRunner().invoke(app, ["fit" if fits else "check", *arguments, *more])
    SEEN["fit" if fits else "check"] += 1
    if ended.exception is not None and not isinstance(ended.exception, SystemExit):
        raise ended.exception
    # Four positives at least: read_graph alone does not mind fewer.
    assert ended.exit_code in ((0, 3) if usable else (3,)), ended.output
    assert "Traceback" not in ended.output
