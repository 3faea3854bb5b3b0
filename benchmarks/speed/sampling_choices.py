"""How drawn neighbours are weighted in mini-batches: what was chosen, and the alternatives.

    HALFLABEL_DATA=... python benchmarks/speed/sampling_choices.py

F1 of Naive at the top estimated share of the unlabelled nodes, and P-versus-U AUC of out-of-fold scores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).parents[1]))
import halflabel as hl
from halflabel.auc import pu_auc
from halflabel.edges.adjacency import MaskedGraph
from halflabel.edges.csr import csr_tensor
from halflabel.methods import minibatch
from halflabel.training.sampling import Sample
from machine import describe_machine, write_json

chosen: Callable[[Sample, MaskedGraph], MaskedGraph] = Sample.masked


def degrees_here(sample: Sample, graph: MaskedGraph) -> MaskedGraph:
    """Degrees of the sample at the rim too."""
    return replace(chosen(sample, graph), known_strength=None)


def degrees_of_graph(sample: Sample, graph: MaskedGraph) -> MaskedGraph:
    """Degrees of the whole graph for everybody."""
    whole = graph.strength.view(graph.adjacency.copies, -1)[:, torch.as_tensor(sample.nodes)]
    return replace(chosen(sample, graph), known_strength=whole.flatten())


def divided(sample: Sample, graph: MaskedGraph) -> MaskedGraph:
    """Weights divided by the chance that either end draws the edge, degrees of the whole graph."""
    part, single = degrees_of_graph(sample, graph), graph.adjacency.single or graph.adjacency
    degree = single.degree[torch.as_tensor(sample.nodes)].clamp_min(1)
    missed = 1 - torch.as_tensor(sample.drew) * (minibatch.FANOUTS[0] / degree).clamp_max(1.0)
    rows, cols = sample.adjacency.rows, sample.adjacency.col
    chance = (1 - missed[rows] * missed[cols]).repeat(graph.adjacency.copies)
    values = part.csr.values() / chance
    csr = csr_tensor(part.adjacency.crow, part.adjacency.col, values.to(part.csr.dtype), part.csr.shape)
    return replace(part, csr=csr)


def divided_larger(sample: Sample, graph: MaskedGraph) -> MaskedGraph:
    """The same, with the larger of a node's two degrees."""
    part = divided(sample, graph)
    here = replace(part, known_strength=None).strength
    return replace(part, known_strength=torch.maximum(here, part.strength))


VARIANTS = {"chosen": chosen, "degrees here": degrees_here, "degrees of the graph": degrees_of_graph,
            "divided by chance": divided, "divided by chance, larger degree": divided_larger}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = Path(__file__).parent / "results" / "sampling-choices.json"
    parser.add_argument("--out", type=Path, default=default)
    parser.add_argument("--graph", default="pubmed")
    parser.add_argument("--backbones", default="gcn,appnp")
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--splits", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    graph, y = hl.load_dataset(arguments.graph)
    truth, rows = (y == np.bincount(y).argmax()).astype(int), []
    fanouts, backbones = ((3, 3), (5, 5)), arguments.backbones.split(",")
    for fanout, backbone, variant, split in product(fanouts, backbones, VARIANTS, range(arguments.splits)):
        minibatch.FANOUTS, Sample.masked = fanout, VARIANTS[variant]
        known = hl.hide_positives(y, random_state=split)
        model = hl.Naive(backbone=backbone, batch_size=1024, epochs=arguments.epochs, random_state=split)
        score = hl.score_unlabelled(model.fit(graph, known), truth, known)
        auc = pu_auc(model.out_of_fold_[known], model.out_of_fold_[~known])
        rows.append({"fanout": fanout[0], "backbone": backbone, "variant": variant, "split": split,
                     "f1": round(score.f1, 4), "pu_auc": round(float(auc), 4)})
        print(rows[-1], flush=True)
    write_json(arguments.out, {"machine": describe_machine(threads=1), "rows": rows})


if __name__ == "__main__":
    main()
