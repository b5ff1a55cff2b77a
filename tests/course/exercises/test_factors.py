"""The exercise on factors: the right function passes, and each usual mistake is named."""

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


def or_update(
    incoming, summed: int | None = -1, compared: int | None = -1, competing=lambda others: max(0, -others.max())
):
    """The right messages, if the entries before `summed` and `compared` are the inputs."""
    inputs, output = incoming[:-1], incoming[-1]
    messages = [
        min(
            output + np.maximum(0, np.delete(incoming[:summed], i)).sum(),
            competing(np.delete(incoming[:compared], i)),
        )
        for i in range(len(inputs))
    ]
    return np.array([*messages, np.maximum(0, inputs).sum() + min(0, inputs.max())])


def of_all_inputs(incoming):
    inputs, output = incoming[:-1], incoming[-1]
    to_each = min(output + np.maximum(0, inputs).sum(), max(0, -inputs.max()))
    return np.append(np.full(len(inputs), to_each), or_update(incoming)[-1])


def without_the_sum(incoming):
    inputs, output = incoming[:-1], incoming[-1]
    to_each = [min(output, max(0, -np.delete(inputs, i).max())) for i in range(len(inputs))]
    return np.append(to_each, or_update(incoming)[-1])


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda t: np.roll(or_update(t), 1), "The message to the output is the first entry"),
        (lambda t: or_update(t, summed=None), "The output is not one of the other inputs"),
        (lambda t: or_update(t, compared=None), "the largest of the other inputs alone"),
        (lambda t: or_update(t, summed=None, compared=None), "the largest of the other inputs alone"),
        (lambda t: or_update(t, competing=lambda others: np.maximum(0, -others).sum()), "the sum of max(0, -t)"),
        (lambda t: or_update(t, competing=lambda others: -others.max()), "The second term is max(0, -K)"),
        (lambda t: or_update(t, competing=lambda others: 0.0), "K is the largest of the other inputs"),
        (lambda t: or_update(t, competing=lambda others: np.maximum(0, -others).max()), "the smallest of the other"),
        (of_all_inputs, "includes the input itself. Leave it out of the sum and of the maximum"),
        (without_the_sum, "The first term is r + P"),
    ],
)
def test_mistakes_with_the_output_and_with_the_maximum_are_named(answer, says):
    assert exercises.check_or_update(or_update)
    verdict = exercises.check_or_update(answer)
    assert not verdict
    assert says in verdict.message


@pytest.mark.parametrize(
    "competing",
    [
        lambda others: -others.max() if others.max() > 0 else -others[0],
        lambda others: max(0, -others.max()) if others.max() > 0 else -others.sum(),
    ],
)
def test_the_largest_input_is_not_the_first_one(competing):
    """Both passed, because no problem had three inputs below 0."""
    assert not exercises.check_or_update(lambda t: or_update(t, competing=competing))
