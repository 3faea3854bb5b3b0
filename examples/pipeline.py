"""scikit-learn's tools on a graph: held-out scores, a grid search, a stack; and a pipeline on plain rows.

    python examples/pipeline.py

A `Graph` can be sliced like an array. Slices keep the whole graph, so a fold that is left out is only left
out of the labels, and its nodes are still somebody's neighbours.
"""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import halflabel as hl

graph, y = hl.load_dataset("payments")
known = hl.payments_positives(y).astype(int)  # 1: known fraud, 0: unlabelled
folds = StratifiedKFold(3, shuffle=True, random_state=0)

# 1. Every account is scored by a model that did not know its label. Judged by known against unlabelled, which
#    orders models as the truth would (if frauds are known at random), and by the truth, which only a
#    simulation has.
quick = hl.Naive(prior=0.05, epochs=40)
scores = cross_val_predict(quick, graph, known, cv=folds, method="decision_function")
left = known == 0
print(f"held-out AUC: known against unlabelled {roc_auc_score(known, scores):.3f}, "
      f"frauds against honest among the unlabelled {roc_auc_score(y[left], scores[left]):.3f}")

# 2. A grid search. scoring="roc_auc" asks how well held-out known frauds rank among the unlabelled; accuracy
#    or F1 would count every hidden fraud that is found as a mistake.
backbones = ["gcn", "mlp", "hops"]
search = GridSearchCV(quick, {"backbone": backbones}, scoring="roc_auc", cv=folds).fit(graph, known)
for settings, auc in zip(search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True):
    print(f"  {settings['backbone']:5s} {auc:.3f}")
best = search.best_estimator_
print("best:", search.best_params_["backbone"])

# 3. A stack of views: a logistic regression weighs them by their held-out scores. Its probabilities are those
#    of being *known*, so only the order counts; the prior comes from held-out scores. (hl.Auto is this, done
#    with more care.)
stack = StackingClassifier(
    [(name, hl.Naive(prior=0.05, epochs=40, backbone=name)) for name in backbones],
    final_estimator=LogisticRegression(class_weight="balanced"), cv=folds, stack_method="decision_function")
stack.fit(graph, known)
together = stack.decision_function(graph)
print(f"stack, AUC of frauds among the unlabelled: {roc_auc_score(y[left], together[left]):.3f}")
weights = stack.final_estimator_.coef_[0].round(2).tolist()
print("weights:", dict(zip(backbones, weights, strict=True)))

# 4. Rows without edges, in a pipeline: every row is joined to its nearest neighbours, which makes a graph.
X = np.asarray(graph.X)
rows = make_pipeline(StandardScaler(), PCA(8, random_state=0), hl.Naive(prior=0.05, epochs=40)).fit(X, known)
print(f"rows alone, in a pipeline: {roc_auc_score(y[left], rows.predict_proba(X)[left, 1]):.3f}")
