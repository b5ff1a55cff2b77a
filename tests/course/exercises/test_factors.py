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


def test_one_input_is_copied():
    np.testing.assert_allclose(reference.or_update(np.array([0.5, -1.25])), [-1.25, 0.5])


def test_every_listed_mistake_is_told_apart_from_the_truth_and_named():
    for number, mistake in enumerate(factors._or_mistakes(factors.OR_PROBLEMS["two inputs"])):
        verdict = exercises.check_or_update(lambda t, k=number: factors._or_mistakes(t)[k].value)
        assert not verdict
        assert verdict.message == mistake.message
        assert verdict.picture.title.startswith("The smallest case that fails")
