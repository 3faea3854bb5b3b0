"""Several views of the nodes, learned apart and put together by what held-out positives say of each."""

from halflabel.stacking.blend import Blend
from halflabel.stacking.prior import stacked_prior
from halflabel.stacking.sources import agreed_prior, source_scores
from halflabel.stacking.views import ViewMaker
from halflabel.stacking.weights import learn_weights
from halflabel.stacking.worlds import Worlds

__all__ = ["Blend", "ViewMaker", "Worlds", "agreed_prior", "learn_weights", "source_scores", "stacked_prior"]
