"""What each of several processes does in the tests: fit what a plan says, and write down what it finds.

    torchrun ... together.py PLAN.json

The plan lists fits: a method, its parameters, the directory of the parts, a file with the mask of positives,
where to write, and, if wanted, a directory for checkpoints and an epoch after which process 1 is killed.
"""

import json
import os
import signal
import sys
from pathlib import Path

import numpy as np

import halflabel as hl
from halflabel.distributed import read_part
from halflabel.distributed.checkpoints import Checkpoints
from halflabel.stacking import effort

METHODS = {"auto": hl.Auto, "gpl": hl.GPL, "naive": hl.Naive}


def die_after(epoch: int) -> None:
    """Process 1 is gone, without a word, after so many epochs of all stages."""
    save, left = Checkpoints.save_if_due, [epoch]

    def save_and_die(self, training, model, stage, group, *epochs):
        save(self, training, model, stage, group, *epochs)
        left[0] -= 1
        if group.rank == 1 and not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    Checkpoints.save_if_due = save_and_die


def fit(plan: dict) -> None:
    part = read_part(plan["parts"])
    if plan.get("checkpoints"):
        part = part.with_checkpoints(plan["checkpoints"], every=3, resume=plan["resume"])
    if plan.get("dies"):
        die_after(plan["dies"])
    model = METHODS[plan["method"]](**plan["parameters"])
    model.fit(part, np.load(plan["positives"]))
    source = np.repeat(np.arange(part.graph.n_nodes), np.diff(part.graph.indptr))
    np.savez(
        Path(plan["out"]) / f"{part.rank}.npz", scores=model.scores_, out_of_fold=model.out_of_fold_,
        fold=model.fold_, prior=model.prior_, threshold=model.threshold_, edge_weight=model.edge_weight_,
        source=np.array(part.ids.take(source)), target=np.array(part.ids.take(part.graph.indices)),
        loss=[record["loss"] for record in model.history_])


if __name__ == "__main__":
    effort.MAX_DRAWS = 2  # as the fixture few_draws has it
    for one in json.loads(Path(sys.argv[1]).read_text()):
        fit(one)
