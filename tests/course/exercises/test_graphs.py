"""The exercise of page 15: a factor that makes up for PMP's exaggeration passes, other answers hear why not."""

import pytest

from pmp_kit.course import exercises


@pytest.mark.parametrize(
    ("factor", "says"),
    [
        pytest.param(0.65, "The wrong couplings draw better", marks=pytest.mark.slow),
        pytest.param(1.0, "The couplings are exact, but PMP exaggerates", marks=pytest.mark.slow),
        pytest.param(0.1, "The couplings are now too weak", marks=pytest.mark.slow),
        (None, "The answer is still empty"),
        ([0.7, 0.8], "The factor must be one number"),
    ],
)
def test_better_samples(factor, says):
    verdict = exercises.check_better_samples(factor)
    assert says in verdict.message
    assert verdict.passed == ("wrong couplings" in says)
