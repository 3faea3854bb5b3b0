"""How far results depend on threads and on the precision of numbers.

    python benchmarks/trust/precision.py [--graphs payments,cora]

Fits each method with one thread twice, with two threads, and in 64 bits from the same starting weights;
prints the largest difference of a probability, and that of the prior.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import torch

import halflabel as hl
from halflabel.edges.adjacency import Adjacency
from halflabel.methods.naive import Naive
from halflabel.nets import features
from halflabel.nets.bayes import NaiveBayes
from halflabel.nets.company import Company
from halflabel.training import threads

METHODS = {
    "naive": lambda: hl.Naive(epochs=100), "gpl": lambda: hl.GPL(warmup=50, epochs=50),
    "auto": lambda: hl.Auto(epochs=50)}


class Doubled:
    """A module in which 32 bits are 64."""

    def __init__(self, module: Any, **other: Any):
        self._module, self._other = module, SimpleNamespace(**other)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._other, name, None) or getattr(self._module, name)


@contextmanager
def in_64_bits() -> Iterator[None]:
    """Features, graph and networks in double precision; networks start from what they are in single."""
    from_scipy, new = Adjacency.from_scipy.__func__, Naive.new_network

    def double(cls: type, matrix: Any, dtype: Any = torch.float64, unit: float = 1.0) -> Adjacency:
        return from_scipy(cls, matrix, torch.float64, unit)

    def network(self: Any, n_features: int, members: int) -> Any:
        return new(self, n_features, members).double()

    def doubled(start: Any) -> Any:
        def init(self: Any, *shape: int) -> None:
            start(self, *shape)
            self.double()

        return init

    with (mock.patch.object(features, "torch", Doubled(torch, float32=torch.float64)),
          mock.patch.object(features, "np", Doubled(np, float32=np.float64)),
          mock.patch.object(torch.Tensor, "float", torch.Tensor.double),
          mock.patch.object(Adjacency, "from_scipy", classmethod(double)),
          mock.patch.object(NaiveBayes, "__init__", doubled(NaiveBayes.__init__)),
          mock.patch.object(Company, "__init__", doubled(Company.__init__)),
          mock.patch.object(Naive, "new_network", network),
          mock.patch.object(hl.GPL, "new_network", network)):
        yield


@contextmanager
def with_threads(count: int) -> Iterator[None]:
    """That many, also on graphs that are too small to need them."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        with mock.patch.object(threads, "ONE_THREAD_BELOW", 0):
            yield
    finally:
        torch.set_num_threads(before)


def differ(one: Any, other: Any) -> tuple[float, float]:
    """The largest difference of a probability, and the difference of the prior."""
    p, q = one.predict_proba()[:, 1], other.predict_proba()[:, 1]
    return float(np.abs(p - q).max()), abs(one.prior_ - other.prior_)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--graphs", default="payments,cora")
    for name in parser.parse_args().graphs.split(","):
        graph, y = hl.load_dataset(name)
        known = hl.payments_positives(y) if name == "payments" else hl.hide_positives(y, random_state=0)
        for method, make in METHODS.items():
            with with_threads(1):
                first, again = make().fit(graph, known), make().fit(graph, known)
            same = first.scores_.tobytes() == again.scores_.tobytes()
            with with_threads(2):
                two = make().fit(graph, known)
            print(f"{name:9} {method:6} 1 thread twice: {'same' if same else 'other'} bits;", end=" ")
            print("2 threads: {:.1e}, prior {:.1e};".format(*differ(first, two)), end=" ", flush=True)
            with with_threads(1), in_64_bits():
                double = make().fit(graph, known)
            print("64 bits: {:.1e}, prior {:.1e}".format(*differ(first, double)), flush=True)
            assert double.scores_.dtype == np.float64


if __name__ == "__main__":
    main()
