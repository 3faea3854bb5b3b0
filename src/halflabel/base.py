"""PUNodeClassifier: scikit-learn's contract for classifiers of nodes that know only some positives."""

from __future__ import annotations

import os
import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cache
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import torch
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from halflabel.checkpoint import active_checkpoints, describe_fit
from halflabel.convert import as_graph, neighbour_graph
from halflabel.convert.rows import RowScores, is_array, is_plain, positive_rows
from halflabel.decision import Decisions
from halflabel.drift import Seen
from halflabel.edges.adjacency import Adjacency
from halflabel.errors import DataError, DoubtWarning
from halflabel.features.diskrows import DiskRows
from halflabel.features.scaling import Scaling
from halflabel.graph import Features, Graph
from halflabel.labels import as_positive_mask
from halflabel.memory import check_room
from halflabel.order import arrange, forget, sort_by_id
from halflabel.priors import Prior, prior_methods
from halflabel.thresholds import goal_of
from halflabel.training.team import ALONE, Alone
from halflabel.training.threads import threads_for

if TYPE_CHECKING:
    from halflabel.explain import Explanation

MIN_POSITIVES = 4
# Share of positives among the unlabelled: a number, the method's own estimate, or an estimator's name.
PRIOR = [
    Interval(Real, 0, 1, closed="neither"),
    StrOptions({"auto", *prior_methods()} - {"two_view"}),
]
# Whom to flag: a name, or a goal and its number. `halflabel.thresholds` has what they mean and checks them.
THRESHOLD = [str, tuple, list]
# How scikit-learn is to check rows.
ROWS: dict[str, Any] = {"accept_sparse": "csr", "dtype": np.float32}


@dataclass(frozen=True)
class Problem:
    """What a method learns from: the undirected graph, scaled features, and who is P and who is U."""

    adjacency: Adjacency
    X: Features | DiskRows
    positive: np.ndarray
    unlabelled: np.ndarray
    team: Alone = ALONE  # who else fits; masks are of all nodes, the rest of those this process owns

    @property
    def size(self) -> int:
        """Stored edges and stored values of features: what one pass of a network goes through."""
        values = self.X.size if isinstance(self.X, (np.ndarray, DiskRows)) else self.X.nnz
        return self.adjacency.n_stored + int(self.team.total(torch.tensor(values)))

    @property
    def features(self) -> Features:
        """X in memory, wherever it is: for those who look at it more than once."""
        return self.X[np.arange(len(self.positive))] if isinstance(self.X, DiskRows) else self.X


class PUNodeClassifier(Decisions, ClassifierMixin, BaseEstimator, ABC):
    """Base of all methods: checks the input, seeds, scales, and turns scores into probabilities.

    A method implements `_fit_problem`, which sets `scores_` (a logit for every node of the graph) and
    `out_of_fold_` (the same by a network that did not train on the node, or not a number), and returns the
    prior among the unlabelled nodes; `_score_graph`, which scores the nodes of another graph; and
    `_arrays` and `_restore`, which are what a saved model needs beyond `scores_`.
    """

    in_parts: ClassVar[bool] = False  # whether several processes can fit it together, each a part of a graph
    first_layers: ClassVar[int] = 1  # that learn of features at the same time, for the estimate of memory

    random_state: int
    known_: np.ndarray  # of a fit by several processes: the positives that were given
    history_: list[dict[str, float]]
    seen_: Seen | None = None  # of a fit by several processes: nothing
    fold_: np.ndarray  # which of its networks did not train on the node
    _rows: RowScores | None = None
    _graph: Graph | None = None  # that was fitted, as the data listed it, and who of its nodes in focus was
    _known: np.ndarray | None = None  # known; a loaded model has neither, until open_run gives them back

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags

    @classmethod
    def paper_settings(cls) -> dict[str, Any]:
        """Parameters as published, where they are not the defaults: `cls(**cls.paper_settings())`."""
        return {}

    @abstractmethod
    def _fit_problem(self, problem: Problem, graph: Graph) -> Prior: ...

    @abstractmethod
    def _score_graph(self, graph: Graph) -> np.ndarray: ...

    @abstractmethod
    def _arrays(self) -> dict[str, torch.Tensor]: ...

    @abstractmethod
    def _restore(self, arrays: dict[str, torch.Tensor]) -> None: ...

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from a graph and its known positives.

        `X` is a Graph or anything `as_graph` takes; `y` a boolean mask, labels in {1, 0} or {1, -1}, or ids.
        In a sliced graph only the nodes in focus are learned from; the others stay neighbours. The same
        `random_state` gives the same bits, in whatever order the nodes are listed.

        Rows without a graph (a 2-D array, dense or sparse, a list of lists, a data frame) become the graph of
        `neighbour_graph`. The larger of the two values of y is then the positive class, and `predict` gives
        these values back, by a threshold of one half, as scikit-learn has it.

        >>> from halflabel import LabelProp, load_dataset, payments_positives
        >>> graph, y = load_dataset("payments")
        >>> LabelProp().fit(graph, payments_positives(y)).scores_.shape
        (2000,)
        """
        self._validate_params()
        goal_of(self.threshold)
        if hasattr(X, "fit_together"):  # this process's part of a graph, as halflabel.distributed reads it
            return X.fit_together(self, y)
        graph, mask = self._read_rows(X, y) if is_plain(X) else self._read_graph(X, y)
        check_room(self, graph)
        # Folds, dropout and sums go by position: methods see the nodes in an order that ids and edges decide.
        ordered, listing = arrange(graph)
        problem = self._watched(self.pose(ordered, mask), ordered)
        self._solve(problem, ordered, by_half=is_plain(X))
        listing.restore(self, ordered)
        if is_plain(X):
            self._rows = RowScores.store(self.scaling_.transform(graph.X, graph.names()), self.scores_)
        self._graph, self._known = graph, mask
        if not is_plain(X):
            self._say_doubts()
        return self

    def members_for(self, nodes: int, edges: int, columns: int, values: int) -> int:
        """How many networks, or columns of scores, a fit to a graph of this size has side by side.

        `edges` are stored edges, two for each undirected one, `columns` features, `values` their stored
        values.
        """
        return max(1, self.get_params().get("folds", 1))

    def _watched(self, problem: Problem, graph: Graph) -> Problem:
        """The same problem; inside `checkpointed`, with somebody who writes down how far its solution is."""
        if (checkpoints := active_checkpoints()) is None:
            return problem
        fit = cache(lambda: describe_fit(self, graph, problem.positive, problem.unlabelled))
        return replace(problem, team=Alone(checkpoints, fit))

    def _solve(self, problem: Problem, graph: Graph, by_half: bool = False) -> None:
        """All that fitting is, once the problem is posed; what it says of nodes is in the problem's order."""
        forget(self)
        # A private random state: the caller's stays as it was.
        with threads_for(len(problem.adjacency.col)), torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.random_state)
            prior = self._fit_problem(problem, graph)
        self._check_finite(prior)
        self.prior_, self.prior_interval_ = prior.value, (prior.low, prior.high)
        self._decide(problem.positive, problem.unlabelled, by_half)

    def _say_doubts(self) -> None:
        from halflabel.diagnose import doubts

        for doubt in doubts(self):
            warnings.warn(doubt.message, DoubtWarning, stacklevel=3)

    def save(self, directory: str | os.PathLike[str]) -> None:
        """Write the fitted model to a directory; `halflabel.load` reads it back.

        >>> import tempfile
        >>> from halflabel import LabelProp, load, load_dataset, payments_positives
        >>> graph, y = load_dataset("payments")
        >>> model, place = LabelProp().fit(graph, payments_positives(y)), tempfile.mkdtemp() + "/model"
        >>> model.save(place)
        >>> bool((load(place).predict() == model.predict()).all())
        True
        """
        from halflabel.modelfiles import save_model

        check_is_fitted(self)
        save_model(self, directory)

    def why(self, node: Any) -> Explanation:
        """Why a node of the fitted graph, given by its id, has its score: see `halflabel.explain`.

        >>> from halflabel import LabelProp, load_dataset, payments_positives
        >>> graph, y = load_dataset("payments")
        >>> LabelProp().fit(graph, payments_positives(y)).why("ACC-0427").node
        'ACC-0427'
        """
        from halflabel.explain import why

        return why(self, node)

    def _read_graph(self, X: Any, y: Any) -> tuple[Graph, np.ndarray]:
        graph = as_graph(X)
        mask = as_positive_mask(y, graph)
        self.classes_, self.n_features_in_ = np.array([0, 1]), graph.X.shape[1]
        self.__dict__.pop("feature_names_in_", None)
        return graph, mask

    def _read_rows(self, X: Any, y: Any) -> tuple[Graph, np.ndarray]:
        X, y = validate_data(self, X, y, **ROWS)
        self.classes_, mask = positive_rows(y, X.shape, at_least=MIN_POSITIVES)
        return neighbour_graph(X, feature_names=getattr(self, "feature_names_in_", None)), mask

    def _raw_scores(self, X: Any) -> np.ndarray:
        if X is None:
            return self.scores_
        if self._rows is not None and is_array(X):
            rows = validate_data(self, X, reset=False, **ROWS)
            names = getattr(self, "feature_names_in_", [f"x{i}" for i in range(self.n_features_in_)])
            return self._rows.interpolate(self.scaling_.transform(rows, names))
        graph = as_graph(X)
        if self._knows(graph):
            return self.scores_[graph.nodes]
        ordered, _ = sort_by_id(graph)
        if self.seen_ is None:
            return self._score_graph(ordered)[ordered.nodes]
        self.seen_.refuse_other_structure(graph)
        scores = self._score_graph(ordered)[ordered.nodes]
        self.seen_.warn_of_drift(graph)  # after scoring, which a method may refuse
        return scores

    def _knows(self, graph: Graph) -> bool:
        fitted = self._graph
        return fitted is not None and all(a is b for a, b in zip(_parts(graph), _parts(fitted), strict=True))

    def pose(self, graph: Graph, positives: Any) -> Problem:
        """The problem as the method sees it: an undirected graph, scaled features, who is P and who is U."""
        mask = as_positive_mask(positives, graph)
        self.scaling_ = Scaling.fit(graph.X, graph.names())
        self.seen_ = Seen.of(graph)
        positive, unlabelled = np.zeros(graph.n_nodes, dtype=bool), np.zeros(graph.n_nodes, dtype=bool)
        positive[graph.nodes], unlabelled[graph.nodes] = mask, ~mask
        check_enough(positive)
        # A unit self-loop competes with the edges, so weights count in multiples of their mean.
        weight = graph.edge_weight
        self.weight_unit_ = 1.0 if weight is None or not len(weight) else float(weight.mean())
        return Problem(*self._prepare(graph), positive, unlabelled)

    def _prepare(self, graph: Graph) -> tuple[Adjacency, Features | DiskRows]:
        """Structure and features of a graph, treated as those of the graph that was fitted."""
        return Adjacency.from_scipy(graph.symmetric(), unit=self.weight_unit_), self._scaled(graph)

    def _scaled(self, graph: Graph) -> Features | DiskRows:
        return self.scaling_.transform(graph.X, graph.names())


def check_enough(positive: np.ndarray) -> None:
    """A few positives are the least that learning needs.

    >>> check_enough(np.array([True, True, True, True, False]))
    """
    if (known := int(positive.sum())) < MIN_POSITIVES:
        raise DataError(f"{known} known positive{'s' * (known > 1)}: at least {MIN_POSITIVES} are "
                        "needed, because some are held out to estimate how many are left. Label more.")


def _parts(graph: Graph) -> tuple[Any, ...]:
    """What slices of one graph have in common, and other graphs, even of the same structure, do not."""
    return graph.indptr, graph.indices, graph.X, graph.edge_weight
