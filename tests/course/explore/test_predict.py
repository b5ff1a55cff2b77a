"""A guess comes before the experiment, the outcome after it."""

import pytest
from toys import Toy

from pmp_kit.course import explore


def ask(**changes) -> explore.Predict:
    return explore.Predict("Up or down?", ["up", "down"], **{"answer": 1, "because": "It must.", **changes})


def test_the_control_unlocks_with_the_guess_and_the_outcome_waits_for_the_experiment():
    toy = Toy()
    predict = ask(explorer=toy, control="number")
    assert toy.controls["number"].disabled
    assert predict.guess is None
    assert "locked" in predict.outcome.value
    predict.choices.index = 0
    assert not toy.controls["number"].disabled
    assert "You said: <i>up</i>" in predict.outcome.value
    assert "It must" not in predict.outcome.value
    toy.controls["number"].value = 50
    assert "What happens: <b>down</b>" in predict.outcome.value
    assert "It must." in predict.outcome.value
    assert not predict.right


def test_moving_the_control_from_the_kernel_before_the_guess_shows_nothing():
    toy = Toy()
    predict = ask(explorer=toy, control="number")
    toy.controls["number"].value = 50
    assert "locked" in predict.outcome.value


def test_without_an_explorer_the_outcome_comes_with_the_guess():
    predict = ask()
    predict.choices.index = 1
    assert predict.right
    assert "That is what happens." in predict.outcome.value
    assert "pmp-check-right" in predict.outcome._dom_classes


def test_text_for_pages_without_a_kernel():
    assert ask()._repr_mimebundle_()["text/plain"] == "Predict: Up or down?\n  ( ) up\n  ( ) down"
    assert ask().exercise() == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": 2}, "answer: expected the index of one of at least two options, got 2"),
        ({"explorer": "toy", "control": "speed"}, "control: expected one of .* got 'speed'"),
    ],
)
def test_errors(changes, message):
    if "explorer" in changes:
        changes = {**changes, "explorer": Toy()}
    with pytest.raises(ValueError, match=message):
        ask(**changes)
