"""Checks say what went wrong; stubs fail, solutions pass."""

import numpy as np
import pytest

from pmp_kit.course import exercises
from pmp_kit.course.exercises import messages as check_messages
from pmp_kit.course.exercises import noise as check_noise
from pmp_kit.course.exercises import verdict as checks


def solution(weight, bias, messages):
    cavity = (bias + messages.sum(0))[:, None] - messages.T
    return np.maximum(0, cavity + weight) - np.maximum(0, cavity)


def test_the_solution_passes():
    verdict = exercises.check_ising_update(solution)
    assert verdict
    assert repr(verdict).startswith("right: all messages agree")
    assert "<b>Right.</b>" in verdict._repr_html_()


def damped(weight, bias, messages):
    return 0.5 * messages + 0.5 * solution(weight, bias, messages)


def stub(weight, bias, messages): ...


def unwritten(weight, bias, messages):
    raise NotImplementedError


def no_cavity(weight, bias, messages):
    belief = (bias + messages.sum(0))[:, None] + 0 * weight
    return (np.maximum(0, belief + weight) - np.maximum(0, belief)) * (1 - np.eye(len(bias)))


@pytest.mark.parametrize(
    ("update", "says"),
    [
        (stub, "nothing came back yet"),
        (unwritten, "not written yet"),
        (lambda *_: 1 / 0, "raised ZeroDivisionError"),
        (3, "expected a function, got int"),
        (lambda *_: np.zeros(4), r"expected shape \(5, 5\), got \(4,\)"),
        (lambda *_: np.full((5, 5), np.nan), "25 of 25 numbers are infinite or not a number"),
        (lambda *_: "text", "expected numbers, got str"),
        (lambda w, b, m: solution(w, b, m).T, "message of the wrong direction"),
        (no_cavity, "sends j's own message back"),
        (damped, "already damped"),
        (lambda w, b, m: solution(w, 0 * b, m), "bias b_i of the sender is missing"),
        (lambda w, b, m: solution(-w, b, m), "coupling has the wrong sign"),
        (lambda w, b, m: -solution(w, b, m), "right up to the sign"),
        (lambda w, b, m: solution(w, b, m) + 0.5, "right up to the normalisation: every number is .0.5 off"),
        (lambda w, b, m: 2 * solution(w, b, m), "right up to a factor: every number is 2 times"),
        (lambda w, b, m: m, "nothing was updated"),
        (lambda w, b, m: 0.1 * m, r"expected .* at index \(\d, \d\), got"),
    ],
)
def test_diagnoses(update, says):
    verdict = exercises.check_ising_update(update)
    assert not verdict
    with pytest.raises(AssertionError, match=says):
        raise AssertionError(verdict.message)


def test_every_listed_mistake_is_told_apart_from_the_truth():
    problem = check_messages._problem()
    expected = solution(*problem)
    for mistake in check_messages._mistakes(*problem):
        assert np.abs(mistake.value - expected).max() > 1e-3, mistake.message
        assert exercises.check_ising_update(lambda *_, wrong=mistake.value: wrong).message == mistake.message


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda t: 1 / (1 + np.exp(-t)), "difference of two Gumbels is logistic"),
        (lambda t: 1 / (1 + np.exp(t)), "chance of x = 0"),
        (lambda t: np.exp(-np.exp(-t)), "ONE Gumbel"),
        (lambda t: np.exp(t), "right up to the normalisation"),
        (lambda t: 0.5 * (1 + np.tanh(t)), "counts twice"),
        (lambda t: 0.5 * (1 + np.tanh(t / 2)), "difference of two Gumbels is logistic"),
        (lambda t: None, "nothing came back yet"),
    ],
)
def test_gumbel_difference(answer, says):
    verdict = exercises.check_gumbel_difference(answer)
    assert says in verdict.message
    assert verdict.passed == ("is logistic" in says)


def test_the_normal_is_close_but_not_it():
    assert "close, but not it" in exercises.check_gumbel_difference(check_noise._normal).message


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda n: 0.5772 * n, "why the kit centres"),
        (lambda n: -0.5772 * n, "moves up"),
        (lambda n: 0.5772, "one variable's share"),
        (lambda n: 1.1544 * n, "not two"),
        (lambda n: 0.0, "there is a shift"),
        (lambda n: np.zeros(3), "expected one number"),
        (lambda n: ..., "nothing came back yet"),
    ],
)
def test_bound_shift(answer, says):
    verdict = exercises.check_bound_shift(answer)
    assert says in verdict.message
    assert verdict.passed == ("why" in says)


def test_exchanged_rows_and_columns_without_a_listed_mistake():
    expected = np.arange(9.0).reshape(3, 3)
    assert "rows and columns are exchanged" in checks.compare(expected.T, expected, praise="").message
