"""What can be set of GPL, its usual values, and those of the paper."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval, StrOptions

from halflabel.methods.inductive import InductiveNetwork
from halflabel.nets import OwnNetwork
from halflabel.propagation import LossForm
from halflabel.thresholds import Threshold


class GPLParameters(InductiveNetwork):
    """Stored here, validated by `fit`, explained in `GPL`."""

    _parameter_constraints: ClassVar[dict] = {
        **InductiveNetwork._parameter_constraints,
        "draws": [Interval(Integral, 1, None, closed="left")],
        "K": [Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "inner_steps": [Interval(Integral, 1, None, closed="left")],
        "loss": [StrOptions({"cross-entropy", "printed"})],
        "edge_learning": ["boolean"],
        "bilevel": ["boolean"],
        "use_selected": ["boolean"],
        "feed_back": ["boolean"],
        "guide": ["boolean"],
        "mask_learning_rate": [Interval(Real, 0, None, closed="neither")],
        "warmup": [Interval(Integral, 0, None, closed="left")],
        "epochs": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        *,
        backbone: str | OwnNetwork = "gcn",
        prior: float | str = "auto",
        K: int = 1,
        alpha: float = 0.5,
        inner_steps: int = 3,
        loss: LossForm = "cross-entropy",
        edge_learning: bool = True,
        bilevel: bool = True,
        use_selected: bool = True,
        feed_back: bool = False,
        guide: bool = True,
        folds: int = 5,
        draws: int = 1,
        hidden: int = 16,
        dropout: float = 0.5,
        learning_rate: float = 0.01,
        weight_decay: float = 5e-4,
        mask_learning_rate: float = 0.1,
        warmup: int = 100,
        epochs: int = 100,
        batch_size: int | None = None,
        threshold: Threshold = "prior",
        random_state: int = 0,
        device: str = "cpu",
        verbose: bool = False,
    ):
        self.backbone = backbone
        self.prior = prior
        self.K = K
        self.alpha = alpha
        self.inner_steps = inner_steps
        self.loss: LossForm = loss
        self.edge_learning = edge_learning
        self.bilevel = bilevel
        self.use_selected = use_selected
        self.feed_back = feed_back
        self.guide = guide
        self.folds = folds
        self.draws = draws
        self.hidden = hidden
        self.dropout = dropout
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.mask_learning_rate = mask_learning_rate
        self.warmup = warmup
        self.epochs = epochs
        self.batch_size = batch_size
        self.threshold = threshold
        self.random_state = random_state
        self.device = device
        self.verbose = verbose

    @classmethod
    def paper_settings(cls) -> dict[str, Any]:
        """Eqs. 8 and 9 feed S back, one network guides itself, and the mask takes one slow step.

        Only the loss stays ours: that of the paper is `loss="printed"`.
        """
        return {"feed_back": True, "guide": False, "folds": 1, "hidden": 16, "learning_rate": 0.01,
                "mask_learning_rate": 0.01, "inner_steps": 1}

    @property
    def learns_edges(self) -> bool:
        """Unless it is told not to."""
        return self.edge_learning
