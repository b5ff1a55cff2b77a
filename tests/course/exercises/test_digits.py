"""The exercise of notebook 00: what fails is told from what works, and the right control from the wrong one."""

import pytest

from pmp_kit.course import datasets, exercises
from pmp_kit.course.pretrained import pretrained

GOOD = {"sweeps": 100, "damping": 0.4, "perturbation": True}


@pytest.mark.parametrize(
    ("setting", "because", "passed", "message"),
    [
        ({}, "sweeps", False, "this setting works"),
        ({"perturbation": False}, "perturbation", True, "completions are the same"),
        ({"perturbation": False}, "sweeps", False, "another control is to blame"),
        ({"perturbation": False, "sweeps": 40}, "sweeps", False, "it still does"),
        ({"sweeps": 3}, "sweeps", True, "settled, and with sweeps = 100"),
        ({"damping": 0.95}, "damping", True, "settled, and with damping = 0.4"),
        ({"sweeps": 1000}, "sweeps", False, "stay within the controls"),
        ({}, "seed", False, "one of sweeps, damping, perturbation"),
    ],
)
def test_the_verdict_says_what_happened(setting, because, passed, message):
    verdict = exercises.check_failing_setting(
        pretrained("digits_rbm"), datasets.digits(size=16)["v"][5], **GOOD | setting, because=because
    )
    assert verdict.passed == passed
    assert message in verdict.message
