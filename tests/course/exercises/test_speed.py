"""The check of notebook 13, and its charts."""

import pytest

from pmp_kit.course.exercises import check_sweep_limit
from pmp_kit.course.experiments.speed import figures as speed_figure


def right(n, chains, copy):
    return 1e9 / (n * (n - 1) * chains * copy)


ANSWERS = {
    "one each way": lambda n, s, c: 2 * right(n, s, c),
    "n squared": lambda n, s, c: 1e9 / (n * n * s * c),
    "every chain": lambda n, s, c: s * right(n, s, c),
    "nanoseconds: a second": lambda n, s, c: right(n, s, c) / 1e9,
    "one over that": lambda n, s, c: 1 / right(n, s, c),
    "nanoseconds a sweep": lambda n, s, c: 1e9 / right(n, s, c),
    "not for one byte": lambda n, s, c: right(n, s, c) / 8,
    "message a variable": lambda n, s, c: 1e9 / (n * s * c),
    "nothing came back": lambda n, s, c: ...,
    "raised ZeroDivisionError": lambda n, s, c: 1 / 0,
}


def test_the_right_answer_passes():
    assert check_sweep_limit(right)


@pytest.mark.parametrize("words", ANSWERS)
def test_wrong_answers_are_told_apart(words):
    verdict = check_sweep_limit(ANSWERS[words])
    assert not verdict
    assert words in verdict.message


def test_the_charts_are_drawn():
    charts = [
        speed_figure.message_figure({"dense": 0.7, "lattice": 0.9}, 0.6),
        speed_figure.sweep_figure({"PMP(), lattice": 20_000.0, "Gibbs(), lattice": 30_000.0, "other": 5.0}),
    ]
    assert all(chart.data.startswith(b"\x89PNG") for chart in charts)


def test_a_machine_that_was_too_busy_leaves_a_gap():
    nothing = speed_figure.middle([float("nan")] * 3)
    assert nothing != nothing
    assert speed_figure.middle([1.0, float("nan"), 3.0]) == 2.0
    assert speed_figure.sweep_figure({"PMP(), lattice": nothing, "Gibbs(), lattice": 10.0}).data
