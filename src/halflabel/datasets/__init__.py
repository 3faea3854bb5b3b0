"""Graphs to learn from: the ten of the paper, a built-in example, and synthetic ones."""

from halflabel.datasets.cache import data_directory
from halflabel.datasets.catalogue import DatasetInfo, list_datasets, load_dataset
from halflabel.datasets.heterophily import add_heterophilic_edges, edge_heterophily
from halflabel.datasets.payments import payments, payments_positives
from halflabel.datasets.payments_files import write_payments
from halflabel.datasets.synthetic import synthetic

__all__ = [
    "list_datasets",
    "load_dataset",
    "DatasetInfo",
    "data_directory",
    "payments",
    "payments_positives",
    "write_payments",
    "synthetic",
    "add_heterophilic_edges",
    "edge_heterophily",
]
