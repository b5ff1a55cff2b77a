"""Checks of notebooks 01 and 04: right answers pass, and wrong ones are told what is wrong with them."""

import numpy as np
import pytest

from pmp_kit.course import exercises


def right_model(w, b):
    return 8 * w, 2 * b - 4 * w.sum(1)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda w, b: None, "nothing came back"),
        (lambda w, b: ..., "nothing came back"),
        (lambda w, b: 8 * w, "the function raised ValueError"),
        (lambda w, b: (8 * w, 1.0), "expected a weight"),
        (lambda w, b: (4 * w, 2 * b - 2 * w.sum(1)), "only half of it"),
        (lambda w, b: (2 * w, b), "so the 2 comes in twice"),
        (lambda w, b: (w, b), "put s = 2 x - 1"),
        (lambda w, b: (w / 8, b), "the way back"),
        (lambda w, b: (-8 * w, b), "W1: right up to the sign"),
        (lambda w, b: (8 * w, 2 * b), "is missing"),
        (lambda w, b: (8 * w, 2 * b - 2 * w.sum(1)), "once from each side"),
        (lambda w, b: (8 * w, 2 * b + 4 * w.sum(1)), "mind its sign"),
        (lambda w, b: (8 * w, b - 4 * w.sum(1)), "so b comes in twice"),
        (lambda w, b: (8 * w, 2 * b - 4 * w.sum()), "not the total"),
        (lambda w, b: (8 * w, 2 * b - 32 * w.sum(1)), "not with the new one"),
        (lambda w, b: (8 * w, 0 * b), "W1 is right. b1: expected"),
    ],
)
def test_binary_model(answer, says):
    verdict = exercises.check_binary_model(answer)
    assert not verdict
    assert says in verdict.message


def test_binary_model_right():
    assert exercises.check_binary_model(right_model)
    assert exercises.check_binary_model(lambda w, b: list(right_model(w, b)))
    assert "expected a function" in exercises.check_binary_model(3).message  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda w, b: None, "nothing came back"),
        (lambda w, b: w.sum() - b.sum(), "the other way round"),
        (lambda w, b: 0.0, "the energies are not"),
        (lambda w, b: b.sum() - w.sum() / 2, "counts each pair twice"),
        (lambda w, b: b.sum(), "is a number as well"),
        (lambda w, b: -w.sum(), "is a number as well"),
        (lambda w, b: b.sum() + w.sum(), "they cancel"),
        (lambda w, b: b - w.sum(1), "expected shape ()"),
    ],
)
def test_log_partition_shift(answer, says):
    assert exercises.check_log_partition_shift(lambda w, b: b.sum() - w.sum())
    verdict = exercises.check_log_partition_shift(answer)
    assert not verdict
    assert says in verdict.message


def clamp(unaries, evidence, seen: float | None = 0.0, other=-np.inf, only=(0, 1)):
    new = unaries.copy()
    for i, state in enumerate(evidence):
        if state in only:
            new[i, state], new[i, 1 - state] = (unaries[i, state] if seen is None else seen), other
    return new


def in_place(unaries, evidence):
    unaries[...] = clamp(unaries, evidence)
    return unaries


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda u, e: None, "nothing came back"),
        (lambda u, e: u[:, 1] - u[:, 0], "expected shape (6, 2)"),
        (lambda u, e: u, "can still take its other state"),
        (lambda u, e: clamp(u, np.where(e < 0, e, 1 - e)), "the wrong way round"),
        (lambda u, e: clamp(u, e, seen=np.inf, other=0.0), "plus infinity"),
        (lambda u, e: clamp(u, e, other=-1e4), "a strong wish"),
        (lambda u, e: clamp(u, e, seen=-np.inf), "nothing is left"),
        (lambda u, e: clamp(u, abs(e)), "As an index, -1 means the last state"),
        (lambda u, e: np.where((e < 0)[:, None], u, np.nan), "not a number"),
        (in_place, "work on a copy"),
    ],
)
def test_clamp(answer, says):
    verdict = exercises.check_clamp(answer)
    assert not verdict
    assert says in verdict.message


def test_clamp_right():
    assert exercises.check_clamp(clamp)
    kept = exercises.check_clamp(lambda u, e: clamp(u, e, seen=None))
    assert kept
    assert "adds a constant" in kept.message


def best(scores):
    return np.maximum.accumulate(scores, axis=0)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda s: None, "nothing came back"),
        (lambda s: s.mean(1), "it can fall"),
        (lambda s: np.maximum.accumulate(s.mean(1)), "the best mean"),
        (lambda s: best(s).max(1), "best of all samples"),
        (lambda s: s.max(1), "best sample of each sweep"),
        (lambda s: np.minimum.accumulate(s, axis=0).mean(1), "the worst so far"),
        (lambda s: np.full(len(s), s.max(0).mean()), "knows the end"),
        (lambda s: best(s).sum(1), "right but for the mean"),
        (best, "now take the mean"),
        (lambda s: best(s).mean(0), "expected shape (12,)"),
    ],
)
def test_anytime(answer, says):
    assert exercises.check_anytime(lambda s: best(s).mean(1))
    verdict = exercises.check_anytime(answer)
    assert not verdict
    assert says in verdict.message
