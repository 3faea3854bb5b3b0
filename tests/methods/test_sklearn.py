"""scikit-learn's own checks of an estimator, for every method, on plain arrays; none is excused."""

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

import halflabel as hl

EVERYDAY = {"gpl", "naive", "labelprop"}
SHORT = {"warmup": 8, "epochs": 20, "iterations": 1, "folds": 3}


def short(name):
    """The method with short training; all but the everyday ones would train others first for the prior."""
    wanted = SHORT | ({"epochs": 10} if name in EVERYDAY else {"prior": 0.05})
    accepted = hl.methods()[name]().get_params()
    return hl.methods()[name](**{key: value for key, value in wanted.items() if key in accepted})


def cases():
    for name in hl.methods():
        marks = () if name in EVERYDAY else pytest.mark.slow
        for model, check in estimator_checks_generator(short(name)):
            what = "-".join([check.func.__name__, *map(str, check.keywords.values())])
            yield pytest.param(model, check, id=f"{name}-{what}", marks=marks)


# Eight epochs are short indeed, and some checks have ten rows.
@pytest.mark.filterwarnings("ignore::halflabel.errors.CollapseWarning")
@pytest.mark.parametrize(("model", "check"), list(cases()))
def test_scikit_learns_check(model, check):
    check(model)
