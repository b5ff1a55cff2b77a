"""The exercises on messages: the right update passes, and each usual mistake is named."""

import numpy as np
import pytest
from exercise_answers import no_cavity

from pmp_kit.course import exercises
from pmp_kit.course.exercises import messages
from pmp_kit.course.mine import reference


def test_the_solution_passes():
    verdict = exercises.check_update(reference.update)
    assert verdict
    assert repr(verdict).startswith("Right. All messages agree")
    assert "<b>Right.</b>" in verdict._repr_html_()


def of_axes(sum_over=1, exchange=lambda messages: messages.swapaxes(1, 2), subtract=lambda p: np.maximum(0, p)):
    def update(unaries, weight, messages):
        cavity = (unaries + messages.sum(axis=sum_over))[:, :, None] - exchange(messages)
        return np.maximum(0, cavity + weight) - subtract(cavity)

    return update


def damped(unaries, weight, messages):
    return 0.5 * messages + 0.5 * reference.update(unaries, weight, messages)


def unwritten(unaries, weight, messages):
    raise NotImplementedError


def wrong_axis(unaries, weight, messages):
    cavity = (unaries + messages.sum(2))[:, :, None] - messages.swapaxes(1, 2)
    return np.maximum(0, cavity + weight) - np.maximum(0, cavity)


def of_the_receiver(unaries, weight, messages):
    cavity = (unaries + messages.sum(1))[:, None, :] - messages.swapaxes(1, 2)
    return (np.maximum(0, cavity + weight) - np.maximum(0, cavity)) * (1 - np.eye(len(weight)))


@pytest.mark.parametrize(
    ("update", "says"),
    [
        (unwritten, "not written yet"),
        (lambda *_: 1 / 0, "raised ZeroDivisionError"),
        (lambda *_: np.zeros(4), r"expected shape \(1, 2, 2\) and got \(4,\)"),
        (lambda u, w, m: np.nan * m, "4 of 4 numbers are infinite or not a number"),
        (lambda u, w, m: reference.update(u, w, m).swapaxes(1, 2), "the wrong direction"),
        (no_cavity, "includes the message from j"),
        (wrong_axis, "sum runs over the outgoing messages"),
        (of_the_receiver, "that of the sender"),
        (damped, "already damped"),
        (of_axes(exchange=np.transpose), "first axis of messages is the sample"),
        (of_axes(subtract=lambda p: p), r"You subtract the cavity itself\. Subtract max\(0, cavity\)"),
        (lambda u, w, m: reference.update(0 * u, w, m), "unary of the sender is missing"),
        (lambda u, w, m: reference.update(u, -w, m), "coupling has the wrong sign"),
        (lambda u, w, m: -reference.update(u, w, m), "right up to the sign"),
        (lambda u, w, m: reference.update(u, w, m) + 0.5, r"right up to the normalisation\. Every number is .0.5 off"),
        (lambda u, w, m: 2 * reference.update(u, w, m), r"right up to a factor\. Every number is 2 times"),
        (lambda u, w, m: m, "old messages without an update"),
        (lambda u, w, m: 0.1 * m, r"The right number at index \(\d, \d, \d\) is .*, and the function returned"),
    ],
)
def test_diagnoses(update, says):
    verdict = exercises.check_update(update)
    assert not verdict
    with pytest.raises(AssertionError, match=says):
        raise AssertionError(verdict.message)


def of_one_sample(unaries, weight, messages):
    return reference.update(unaries, weight, messages)[0]


@pytest.mark.parametrize(
    ("update", "says", "case"),
    [
        (messages.one_by_one, "replaced one after the other", "three spins"),
        (no_cavity, "includes the message from j", "two spins, unaries"),
        (of_one_sample, r"expected shape (1, 2, 2) and got (2, 2)", "two spins without messages"),
        (lambda u, w, m: 0 * m, "The right number at index", "two spins without messages"),
    ],
)
def test_diagnoses_of_many_samples(update, says, case):
    verdict = exercises.check_update(update)
    assert not verdict
    assert says in verdict.message
    assert case in (verdict.picture.title if verdict.picture else verdict.message)
