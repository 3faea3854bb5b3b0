"""Fraud among payments: from three files to a list for the investigators, and on to the next list.

    python examples/fraud.py

The files are simulated (`halflabel demo` has the same), so that the investigators have something to find.
With your own, everything up to there is the same.
"""

import tempfile
from pathlib import Path

import numpy as np

import halflabel as hl
from halflabel.datasets import write_payments

# 1. The files: payments, accounts, and the ids of 60 confirmed frauds.
place = Path(tempfile.mkdtemp())
write_payments(place)
graph = hl.read_graph(place / "edges.csv", nodes=place / "nodes.csv")
confirmed = (place / "known.txt").read_text().split()
print(graph, "with", len(confirmed), "confirmed frauds")

# 2. A fit. The investigators can look at 40 accounts this week, so that is the threshold. Few epochs, to be
#    quick: leave warmup and epochs out, or take hl.Auto, for the real thing.
model = hl.GPL(threshold=("budget", 40), warmup=60, epochs=40, random_state=0).fit(graph, confirmed)
low, high = model.prior_interval_
others = graph.n_nodes - len(confirmed)
print(f"\nAmong {others:,} others there should be {model.prior_ * others:.0f} frauds ({low * others:.0f} to "
      f"{high * others:.0f}).")
print(f"Of the 40 on the list, {model.expected_['hits']:.0f} should be frauds.")

# 3. The list. Confirmed frauds have high probabilities as well, and need no second look.
known = np.isin(graph.ids.to_arrow().to_pylist(), confirmed)
probability = np.where(known, 0.0, model.predict_proba()[:, 1])
this_week = np.argsort(-probability, kind="stable")[:40]
for place_in_list, account in enumerate(this_week[:5], start=1):
    print(f"  {place_in_list}. {graph.ids[account]}  {probability[account]:.2f}")

# 4. Why the first of them? Known frauds near it, and the edges and features that speak for it or against.
print(f"\nWhy {graph.ids[this_week[0]]}?")
for sentence in model.why(graph.ids[this_week[0]]).sentences:
    print("  -", sentence)

# 5. The investigators come back: this is where the truth comes in, for the 40 they looked at and nobody else.
_, y = hl.load_dataset("payments")
found = this_week[y[this_week] == 1]
print(f"\nThey confirm {len(found)} of 40.")

# 6. New labels, new fit. Frauds that were found by looking where the model pointed are no random draw: after
#    some rounds of this the prior comes out too low (docs/assumptions.md).
now_known = known.copy()
now_known[found] = True
again = hl.GPL(warmup=60, epochs=40, random_state=0).fit(graph, now_known)
print(f"With them, {again.prior_:.1%} of the rest should be frauds; in truth {y[~now_known].mean():.1%} are.")
