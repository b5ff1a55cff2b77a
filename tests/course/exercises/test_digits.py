"""The exercise of page 00: what fails is told from what works, and the right control from the wrong one."""

import numpy as np
import pytest

from pmp_kit.course import datasets, exercises
from pmp_kit.course.pretrained import pretrained

GOOD = {"sweeps": 100, "damping": 0.4, "perturbation": True}


@pytest.mark.parametrize(
    ("setting", "because", "passed", "message"),
    [
        ({}, "sweeps", False, "most of them settled"),
        ({"perturbation": False}, "perturbation", True, "completions are the same"),
        ({"perturbation": False}, "sweeps", False, "Another control is the cause"),
        ({"sweeps": 3}, "sweeps", True, "completions settled. With sweeps = 100"),
        ({"damping": np.float32(0.95)}, "damping", True, "With damping = 0.4"),
        ({"sweeps": 1000}, "sweeps", False, "Use values that the controls have"),
        ({}, "seed", False, "one of sweeps, damping, perturbation"),
    ],
)
def test_the_verdict_says_what_happened(setting, because, passed, message):
    verdict = exercises.check_failing_setting(
        pretrained("digits_rbm"), datasets.digits(size=16)["v"][5], **GOOD | setting, because=because
    )
    assert verdict.passed == passed
    assert message in verdict.message
