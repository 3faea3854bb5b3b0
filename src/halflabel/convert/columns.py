"""Which column is which: recognised by name, else by place, else by what the caller says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from halflabel.errors import DataError, some_names, unknown_name

SOURCE = ("source", "src", "from", "source_id", "source_node")
TARGET = ("target", "dst", "to", "target_id", "target_node")
WEIGHT = ("weight",)
NODE_ID = ("id", "node", "node_id", "nodeid", "name")
# What people call the column that holds the answer. It is left out unless the caller asks for it by name.
ANSWER = ("label", "labels", "class", "y", "target", "positive", "is_positive", "known_positive")


class EdgeColumns(NamedTuple):
    """Names of the columns that make an edge, and of those that are not used.

    >>> EdgeColumns("from", "to", None, ["kind"]).unused
    ['kind']
    """

    source: str
    target: str
    weight: str | None
    unused: list[str]


def edge_columns(
    names: Sequence[str],
    *,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    where: str = "edges",
) -> EdgeColumns:
    """Choose the end points and the weight of an edge table.

    Names decide (`source`, `src`, `from`; `target`, `dst`, `to`; `weight`; upper or lower case); where they
    say nothing, the first columns left over are the source and the target.

    >>> edge_columns(["weight", "From", "To", "kind"])
    EdgeColumns(source='From', target='To', weight='weight', unused=['kind'])
    >>> edge_columns(["a", "b"])[:3]
    ('a', 'b', None)
    """
    _check_known([name for name in (source, target, weight) if name is not None], names, where)
    named = [name for name in (source, target, weight) if name is not None]
    if len(set(named)) < len(named):
        raise DataError(f"{where}: column {max(named, key=named.count)!r} is named twice; source, target and "
                        "weight are different columns.")
    free = [name for name in names if name not in named]
    source = source or _recognised(free, SOURCE)
    target = target or _recognised(free, TARGET)
    weight = weight or _recognised(free, WEIGHT)
    left = [name for name in names if name not in (source, target, weight)]
    if len(left) < (source is None) + (target is None):
        raise DataError(f"{where}: edges need two columns, source and target; there is: "
                        f"{some_names(names)}. Is the file separated by something else?")
    source = source or left.pop(0)
    target = target or left.pop(0)
    return EdgeColumns(source, target, weight, left)


def id_column(names: Sequence[str], wanted: str | None = None, where: str = "nodes") -> str:
    """Choose the id column: the wanted one, one called `id`, `node`, `node_id` or `name`, else the first.

    >>> id_column(["age", "Node"]), id_column(["key", "age"])
    ('Node', 'key')
    """
    _check_known([] if wanted is None else [wanted], names, where)
    return wanted or _recognised(names, NODE_ID) or names[0]


def feature_columns(
    names: Sequence[str],
    *,
    features: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    where: str = "nodes",
) -> tuple[list[str], list[str]]:
    """Choose the feature columns among these; also notes about what was left out unasked.

    >>> feature_columns(["age", "label"])
    (['age'], ["left out column 'label': it may be the answer. To use it, name it in features=[...]"])
    >>> feature_columns(["age", "label"], features=["label"])
    (['label'], [])
    """
    ignored, wanted = _listed(ignore, "ignore"), _listed(features, "features")
    _check_known([*wanted, *ignored], names, where)
    if features is not None:
        return [name for name in wanted if name not in ignored], []
    answers = [name for name in names if name.lower() in ANSWER and name not in ignored]
    notes = [f"left out column {name!r}: it may be the answer. To use it, name it in features=[...]"
             for name in answers]
    return [name for name in names if name not in ignored and name not in answers], notes


def _listed(names: Iterable[str] | None, argument: str) -> list[str]:
    if isinstance(names, str):
        raise DataError(f"{argument}={names!r}: give a list of columns, {argument}=[{names!r}].")
    return list(dict.fromkeys(names or ()))


def _check_known(wanted: Iterable[str], names: Sequence[str], where: str) -> None:
    for name in wanted:
        if name not in names:
            raise DataError(unknown_name("column", name, names, where))


def _recognised(names: Sequence[str], known: Sequence[str]) -> str | None:
    lower = {name.lower(): name for name in reversed(names)}
    return next((lower[name] for name in known if name in lower), None)
