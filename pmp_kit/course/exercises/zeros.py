"""Exercise of page 08: find the number of sweeps after which samples of zeros no longer improve."""

from __future__ import annotations

import numpy as np

from ..experiments.zeros.learn import SWEEPS
from .picture import Curve
from .verdict import Verdict, right, shown, wrong

HEADS = "measured", "limit"
PLACES = np.array(SWEEPS, float)


def check_enough_sweeps(answer, tested: dict) -> Verdict:
    """Check after how many sweeps the samples stop improving within the error of the test.

    Args:
        answer: a number of sweeps, one of those of Section 5.3.
        tested: the result of `experiments.zeros.learn.test` for one method.
    """
    if np.ndim(answer) or answer not in SWEEPS:
        return wrong(f"The answer must be one of {', '.join(map(str, SWEEPS))}, and you gave {shown(answer)}.")
    values, noise = tested["kept out"][:, 1], tested["null"][:, 1]
    apart = 2 * np.hypot(noise, noise[-1])
    limits, better = values[-1] + apart, values < values[-1] - apart
    if better.any():
        title = "The limit is the last MMD^2 minus twice the error of the difference."
        picture = Curve(values, values[-1] - apart, better, title, HEADS, PLACES, "sweeps")
        return wrong("These samples have not settled: the last value is larger than an earlier one.", picture)
    level = values <= limits
    expected = SWEEPS[int(np.argmax([level[k:].all() for k in range(len(level))]))]
    chosen = np.array([number == answer and answer != expected for number in SWEEPS])
    title = f"You chose {answer} sweeps. The limit is the last MMD^2 plus twice the error of the difference."
    picture = Curve(values, limits, chosen, title, HEADS, PLACES, "sweeps")
    if answer == expected == SWEEPS[-1]:
        return right("No smaller number is enough. The value may still fall with more sweeps.", picture)
    if answer == expected:
        return right(f"From {expected} sweeps on, the differences are within twice their error.", picture)
    if answer < expected:
        return wrong(
            f"After {answer} sweeps the value is still higher than at the end by more than twice the error.", picture
        )
    return wrong(f"The value no longer falls after {answer} sweeps, but it had stopped earlier.", picture)
