"""The check of page 16, and the time of a message."""

import math
from types import SimpleNamespace

import pytest
from exercise_answers import sweep_limit as right

from pmp_kit.course.exercises import check_sweep_limit
from pmp_kit.course.experiments import speed
from pmp_kit.course.experiments.speed import timing, workloads

ANSWERS = {
    "one in each direction": lambda n, s, c: 2 * right(n, s, c),
    "n squared": lambda n, s, c: 1e9 / (n * n * s * c),
    "Every sample": lambda n, s, c: s * right(n, s, c),
    "A second has 1e9": lambda n, s, c: right(n, s, c) / 1e9,
    "Take the inverse": lambda n, s, c: 1 / right(n, s, c),
    "nanoseconds per sweep": lambda n, s, c: 1e9 / right(n, s, c),
    "Every message takes copy_ns": lambda n, s, c: c * right(n, s, c),
    "A longer copy_ns": lambda n, s, c: c * c * right(n, s, c),
    "to read and to write": lambda n, s, c: right(n, s, c) / 2,
    "not for one byte": lambda n, s, c: right(n, s, c) / 4,
    "all 4 bytes of a message": lambda n, s, c: right(n, s, c) / 8,
    "divide by the number of samples": lambda n, s, c: s**2 * right(n, s, c),
    "one message per variable": lambda n, s, c: 1e9 / (n * s * c),
    "The function returned nothing": lambda n, s, c: ...,
    "raised ZeroDivisionError": lambda n, s, c: 1 / 0,
}


@pytest.mark.parametrize("words", ANSWERS)
def test_wrong_answers_are_told_apart(words):
    verdict = check_sweep_limit(ANSWERS[words])
    assert not verdict
    assert words in verdict.message


@pytest.mark.parametrize(("times", "expected"), [([1.0, math.nan, 3.0], 2.0), ([math.nan] * 3, math.nan)])
def test_rounds_on_a_busy_machine_are_left_out(monkeypatch, times, expected):
    work = SimpleNamespace(messages=1_000_000)
    monkeypatch.setattr(workloads, "BUILDERS", {"dense": None})
    monkeypatch.setattr(workloads, "build", lambda name, size: work)
    monkeypatch.setattr(timing, "copy_8_bytes", lambda size: 3.0)
    monkeypatch.setattr(timing, "sweep_times", lambda runs, rounds, seconds: dict.fromkeys(runs, times))
    nanoseconds, copy, messages = speed.message_times("quick")
    assert nanoseconds["dense"] == pytest.approx(expected, nan_ok=True)
    assert (copy, messages) == (1.5, 1_000_000)
