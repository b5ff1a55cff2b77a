"""Exercise of page 16: compute how many sweeps per second the memory bandwidth of a machine allows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .cases import Case, judge
from .verdict import Mistake, Verdict

PROBLEMS = {
    "small model": (2, 1, 1.0),
    "middle model": (200, 20, 1.25),
    "large model": (900, 100, 0.7),  # mistakes by powers of 2 and by powers of this number then differ
}
"""Variables of a dense model, samples, nanoseconds to copy one message."""


def _limit(variables: int, samples: int, copy_ns: float) -> float:
    return 1e9 / (variables * (variables - 1) * samples * copy_ns)


def check_sweep_limit(limit: Callable) -> Verdict:
    """Check the upper limit on sweeps per second of a dense model if each message is read and written once.

    Args:
        limit: limit(variables, samples, copy_ns) -> sweeps per second. copy_ns is the time in ns to copy one message.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    cases = []
    for name, problem in PROBLEMS.items():
        n, samples, copy = problem
        expected = _limit(*problem)
        mistakes = [
            Mistake(2 * expected, "A pair has two messages, one in each direction, so there are n (n - 1) messages."),
            Mistake(
                1e9 / (n**2 * samples * copy),
                "No variable sends a message to itself: n (n - 1) messages, not n squared.",
            ),
            Mistake(expected * samples**2, "Every sample has its own messages, so divide by the number of samples."),
            Mistake(expected * samples, "This is the limit for one sample. Every sample has its own messages."),
            Mistake(expected / 1e9, "copy_ns is in nanoseconds. A second has 1e9 nanoseconds."),
            Mistake(1 / expected, "These are seconds per sweep. Take the inverse to get sweeps per second."),
            Mistake(1e9 / expected, "These are nanoseconds per sweep. Divide 1e9 by them to get sweeps per second."),
            Mistake(expected * copy, "Every message takes copy_ns nanoseconds, so divide by copy_ns."),
            Mistake(expected * copy**2, "A longer copy_ns allows fewer sweeps: divide by copy_ns."),
            Mistake(expected / 2, "copy_ns is already the time to read and to write a message."),
            Mistake(expected / 4, "copy_ns is the time for all 4 bytes of a message, not for one byte."),
            Mistake(expected / 8, "copy_ns is the time to read and to write all 4 bytes of a message."),
            Mistake(1e9 / (n * samples * copy), "You counted one message per variable. Each one sends n - 1 messages."),
        ]
        cases.append(Case(name, problem, np.array(expected), mistakes))
    praise = "This is the limit if each message is read once and written once in every sweep."
    return judge(limit, cases, ("variables", "samples", "copy_ns"), praise=praise)
