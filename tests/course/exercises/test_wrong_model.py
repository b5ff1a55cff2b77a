"""The exercise of page 06: a better answer passes, and the usual mistakes are named."""

import pytest

import pmp_kit as pk
from pmp_kit.course import exercises


@pytest.mark.parametrize(
    ("theta", "sampler", "says"),
    [
        pytest.param(0.335, pk.PMP(**pk.paper_settings(start="neutral")), "times as large", marks=pytest.mark.slow),
        (0.335, pk.PMP(), "times as large"),
        (0.331, pk.PMP(**pk.paper_settings()), "treat the two states differently"),
        pytest.param(0.5, pk.PMP(), "theta is too large", marks=pytest.mark.slow),
        pytest.param(0.2, pk.PMP(), "theta is too small", marks=pytest.mark.slow),
        (0.5, pk.Gibbs(), "you gave Gibbs"),
        (0.335, pk.PerturbAndMAP(pk.Exhaustive()), "must be MaxProduct alone"),
        (0.335, pk.PMP(schedule=pk.Alternating()), "does not run on four spins. schedule: expected factors to"),
        (None, pk.PMP(), "theta must be one number"),
    ],
)
def test_better_match(theta, sampler, says):
    verdict = exercises.check_better_match(theta, sampler)
    assert says in verdict.message
    assert verdict.passed == (says == "times as large")
