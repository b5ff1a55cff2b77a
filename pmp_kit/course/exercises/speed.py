"""Exercise of notebook 13: compute how many sweeps per second the memory bandwidth of a machine allows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .verdict import Mistake, Verdict, call, compare

PROBLEMS = (900, 100, 0.5), (200, 20, 1.25)
"""Variables of a dense model, chains, nanoseconds to copy 8 bytes."""


def _limit(variables: int, chains: int, copy_ns: float) -> float:
    return 1e9 / (variables * (variables - 1) * chains * copy_ns)


def check_sweep_limit(limit: Callable) -> Verdict:
    """Check the upper limit on sweeps per second of a dense model if each message is read and written once.

    Args:
        limit: limit(variables, chains, copy_ns) -> sweeps per second. copy_ns is the time in ns to copy 8 bytes.

    Returns:
        The verdict. It explains the error if the error is a known one.
    """
    n, chains, copy = (np.array(column) for column in zip(*PROBLEMS, strict=True))
    expected = np.array([_limit(*problem) for problem in PROBLEMS])
    values = [call(limit, *problem) for problem in PROBLEMS]
    given = next((value for value in values if isinstance(value, Verdict)), None)
    given = given if given is not None else np.array([np.squeeze(value) for value in values])
    mistakes = [
        Mistake(2 * expected, "a pair passes two messages, one each way: n (n - 1) of them, not half as many."),
        Mistake(1e9 / (n**2 * chains * copy), "no variable writes to itself: n (n - 1) messages, not n squared."),
        Mistake(expected * chains, "that is for one chain: every chain has messages of its own."),
        Mistake(expected / 1e9, "copy_ns is in nanoseconds: a second has 1e9 of them."),
        Mistake(1 / expected, "those are seconds a sweep: sweeps a second are one over that."),
        Mistake(1e9 / expected, "those are nanoseconds a sweep: sweeps a second are 1e9 over that."),
        Mistake(expected / 8, "copy_ns is the time for all 8 bytes of a message, not for one byte."),
        Mistake(1e9 / (n * chains * copy), "that counts a message a variable: each writes to the n - 1 others."),
    ]
    return compare(
        given if isinstance(given, Verdict) else given / expected,
        np.ones(len(PROBLEMS)),
        [Mistake(value / expected, message) for value, message in mistakes],
        praise="so many messages, each read and written once, and not one sweep a second more.",
    )
