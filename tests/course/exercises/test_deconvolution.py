"""The exercise on the redundant feature: what is wrong is named."""

import numpy as np
import pytest

from pmp_kit.course import exercises
from pmp_kit.course.experiments.deconvolution.drawing import draw


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda w, s: s.sum((0, 2, 3)).argmin(), "empty"),
        (lambda w, s: w.sum((1, 2)).argmin(), "never used"),
        (lambda w, s: (w.sum((1, 2)) * s.sum((0, 2, 3))).argmin(), "copy"),
        (lambda w, s: None, "returned nothing"),
        (lambda w, s: 7, "index of a feature"),
        (lambda w, s: w[9], "IndexError"),
    ],
)
def test_the_check_says_what_is_wrong(answer, says):
    verdict = exercises.check_redundant_feature(answer)
    assert not verdict
    assert says in verdict.message


def changed(w, s):
    """Whether each pixel changes without each feature, (features, images, rows, columns)."""
    return np.array([draw(w, s) != draw(np.delete(w, k, 0), np.delete(s, k, 1)) for k in range(len(w))])


@pytest.mark.parametrize(
    "of_changes",
    [
        lambda x: x.any((2, 3)).sum(1),
        lambda x: np.median(x.sum((2, 3)), axis=1),
    ],
    ids=["images", "median"],
)
def test_pixels_are_counted(of_changes):
    """They passed: the fragment had the index 0, which argmin gives for a tie, and was in one image alone."""
    assert exercises.check_redundant_feature(lambda w, s: changed(w, s).sum((1, 2, 3)).argmin())
    verdict = exercises.check_redundant_feature(lambda w, s: of_changes(changed(w, s)).argmin())
    assert not verdict
    assert "Count pixels, not images" in verdict.message


@pytest.mark.parametrize("feature", range(5))
def test_a_constant_does_not_pass(feature):
    assert not exercises.check_redundant_feature(lambda w, s: feature)
