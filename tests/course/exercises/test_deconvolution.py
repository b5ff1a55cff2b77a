"""The exercise on the redundant feature: what is wrong is named."""

import pytest

from pmp_kit.course import exercises


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
    verdict = exercises.check_spare_feature(answer)
    assert not verdict
    assert says in verdict.message


@pytest.mark.parametrize("feature", range(5))
def test_a_constant_does_not_pass(feature):
    assert not exercises.check_spare_feature(lambda w, s: feature)
