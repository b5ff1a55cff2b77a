"""The exercise of notebook 08: a factor that makes up for PMP's exaggeration passes, other answers hear why not."""

import pytest

from pmp_kit.course import exercises


@pytest.mark.parametrize(
    ("factor", "says"),
    [
        (0.65, "The wrong parameters draw better"),
        (1.0, "Perfect parameters, imperfect samples"),
        (0.9, "Go on in this direction"),
        (1.2, "go the other way"),
        (0.1, "Hardly any coupling is left"),
        (None, "nothing came back yet"),
        ([0.7, 0.8], "expected one finite number"),
    ],
)
def test_better_samples(factor, says):
    verdict = exercises.check_better_samples(factor)
    assert says in verdict.message
    assert verdict.passed == ("wrong parameters" in says)
