"""Who competes: names, estimators, labels; and what is not accepted."""

import pytest

from halflabel.comparison.contestants import contestants
from halflabel.errors import DataError
from halflabel.methods.gpl import GPL
from halflabel.methods.naive import Naive


class Shallow(GPL):
    """A method that is not in the registry."""


def test_names_and_estimators_are_labelled():
    chosen = contestants(["gpl", "naive:mlp", Naive(epochs=7), Shallow()], prior=0.2, random_state=3)
    assert list(chosen) == ["gpl", "naive:mlp", "naive", "Shallow"]
    assert chosen["naive:mlp"].get_params()["backbone"] == "mlp"
    assert chosen["gpl"].get_params()["prior"] == 0.2
    assert chosen["gpl"].get_params()["random_state"] == 3
    assert chosen["naive"].get_params()["random_state"] == 0
    assert list(contestants("gpl")) == ["gpl"]


@pytest.mark.parametrize(("methods", "message"), [
    (["glp"], "no method 'glp'. Did you mean 'gpl'?"),
    (["naive:gnc"], "naive:gnc: no backbone 'gnc'. Did you mean 'gcn'?"),
    (["gpl", "gpl"], "'gpl' is there twice"),
    ([Naive(), "naive"], "'naive' is there twice"),
    ([], "methods: none given"),
    ([Naive], "expected names or estimators"),
    ([3], "expected names or estimators"),
])
def test_wrong_methods_are_explained(methods, message):
    with pytest.raises(DataError) as caught:
        contestants(methods)
    assert message in str(caught.value)
