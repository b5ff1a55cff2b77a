"""The exercises on factors: the right function passes, and each usual mistake is named."""

import numpy as np
import pytest

from pmp_kit.course import exercises
from pmp_kit.course.exercises import factors
from pmp_kit.course.mine import reference


@pytest.mark.parametrize("name", factors.OR_PROBLEMS)
def test_the_reference_agrees_with_enumeration(name):
    incoming = factors.OR_PROBLEMS[name]
    right = factors.by_trying_all("OR", incoming, 0, 0.0, 0)
    np.testing.assert_allclose(reference.or_update(incoming), right, atol=1e-12)
    assert exercises.check_or_update(reference.or_update)


def test_one_input_is_copied():
    np.testing.assert_allclose(reference.or_update(np.array([0.5, -1.25])), [-1.25, 0.5])


def test_every_listed_mistake_is_told_apart_from_the_truth_and_named():
    for number, mistake in enumerate(factors._or_mistakes(factors.OR_PROBLEMS["two inputs"])):
        verdict = exercises.check_or_update(lambda t, k=number: factors._or_mistakes(t)[k].value)
        assert not verdict
        assert verdict.message == mistake.message
        assert verdict.picture.title.startswith("The smallest case that fails")


def others(t, i):
    return np.sort(np.delete(t, i))[::-1]


def right(t, k):
    return np.array([-others(t, i)[k - 1] for i in range(t.size)])


def by_value(t, k):
    return np.array([-np.sort(t[t != value])[::-1][min(k, (t != value).sum()) - 1] for value in t])


def of_four(t, k):
    largest = np.sort(t)[::-1]
    return -np.where(t >= largest[3], largest[4], largest[3])


ANSWERS = {
    "exchanged": lambda t, k: -np.where(t >= np.sort(t)[-k], np.sort(t)[-k], np.sort(t)[-k - 1]),
    "wrong direction": lambda t, k: -right(t, k),
    "Leave out the t of the variable itself": lambda t, k: np.full(t.size, -np.sort(t)[-k]),
    "k largest only": lambda t, k: np.full(t.size, -np.sort(t)[-k - 1]),
    "belief": lambda t, k: right(t, k) + t,
    "not sorted": lambda t, k: np.where(np.arange(t.size) < k, -t[k], -t[k - 1]),
    "order is reversed": lambda t, k: -right(-t, k),
    "sum-product": lambda t, k: factors.by_trying_all("exactly k", t, k, 1.0, 0),
    "at most k": lambda t, k: np.minimum(right(t, k), 0),
    "at least k": lambda t, k: np.maximum(right(t, k), 0),
    "k + 1": lambda t, k: right(t, k + 1),
    "k - 1": lambda t, k: right(t, k - 1),
    "unchanged": lambda t, k: t,
    "normalisation": lambda t, k: right(t, k) + 0.5,
    "ties|removes all": by_value,
    "k = 4 of 6 is right": of_four,
    "returned nothing": lambda t, k: ...,
    "shape": lambda t, k: np.append(right(t, k), 0.0),
    "raised ZeroDivisionError": lambda t, k: 1 / 0,
}


def test_the_right_messages_of_exactly_k_pass():
    verdict = exercises.check_exactly_k(right)
    assert verdict, verdict.message
    assert exercises.check_exactly_k(lambda t, k: -np.where(t >= np.sort(t)[-k], np.sort(t)[-k - 1], np.sort(t)[-k]))


@pytest.mark.parametrize("words", ANSWERS)
def test_wrong_messages_of_exactly_k_are_told_apart(words):
    verdict = exercises.check_exactly_k(ANSWERS[words])
    assert not verdict
    assert any(part in verdict.message for part in words.split("|")), verdict.message
