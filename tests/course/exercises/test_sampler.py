"""Checks of evidence and of stopping: right answers pass, and wrong ones are told what is wrong with them."""

import jax
import numpy as np
import pytest
from exercise_answers import clamp

from pmp_kit.course import exercises


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda u, e: None, "The function returned nothing"),
        (lambda u, e: u[:, 1] - u[:, 0], "expected shape (1, 2)"),
        (lambda u, e: u, "can still take its other state"),
        (lambda u, e: clamp(u, np.where(e < 0, e, 1 - e)), "The two states are exchanged"),
        (lambda u, e: clamp(u, e, seen=np.inf, other=0.0), "Plus infinity"),
        (lambda u, e: clamp(u, e, other=-1e4), "A finite number only"),
        (lambda u, e: clamp(u, e, seen=20.0, other=0.0), "A finite number only"),
        (lambda u, e: clamp(u, e, seen=1.0, other=0.0), "can still take its other state"),
        (lambda u, e: clamp(u, e, seen=-np.inf), "no configuration is possible"),
        (lambda u, e: np.where((e == 0)[:, None], -np.inf, np.where((e == 1)[:, None], 0.0, u)), "can still take its"),
        (lambda u, e: clamp(u, abs(e)), "As an index, -1 means the last state"),
        (lambda u, e: np.where((e < 0)[:, None], u, np.nan), "not a number"),
    ],
)
def test_clamp(answer, says):
    verdict = exercises.check_clamp(answer)
    assert not verdict
    assert says in verdict.message


def test_clamp_right():
    kept = exercises.check_clamp(lambda u, e: clamp(u, e, seen=None))
    assert kept
    assert "adds a constant" in kept.message


@pytest.mark.parametrize("rounded", [np.asarray, jax.jit(lambda u: u)])
def test_clamp_right_in_single_precision(rounded):
    verdict = exercises.check_clamp(lambda u, e: rounded(clamp(u, e).astype(np.float32)))
    assert verdict, verdict.message
    assert "adds a constant" not in verdict.message


def best(scores):
    return np.maximum.accumulate(scores, axis=0)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda s: None, "The function returned nothing"),
        (lambda s: s.mean(1), "It can fall"),
        (lambda s: np.maximum.accumulate(s.mean(1)), "the best mean"),
        (lambda s: best(s).max(1), "best of all samples"),
        (lambda s: np.maximum.accumulate(s, axis=1).mean(1), "the best along samples"),
        (lambda s: s.max(1), "best sample of each sweep"),
        (lambda s: np.minimum.accumulate(s, axis=0).mean(1), "the worst score so far"),
        (lambda s: np.full(len(s), s.max(0).mean()), "the result of the last sweep"),
        (lambda s: best(s).sum(1), "the sum over the samples"),
        (best, "Now take the mean"),
        (lambda s: best(s).mean(0), "expected shape (3,)"),
    ],
)
def test_anytime(answer, says):
    assert exercises.check_anytime(lambda s: best(s).mean(1))
    verdict = exercises.check_anytime(answer)
    assert not verdict
    assert says in verdict.message
