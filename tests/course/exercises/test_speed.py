"""The check of page 16, and its charts."""

import numpy as np
import pytest
from exercise_answers import sweep_limit as right

from pmp_kit.course.exercises import check_sweep_limit
from pmp_kit.course.experiments.speed import figures as speed_figure

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


def test_the_chart_has_a_dot_for_each_value(drawn):
    speed_figure.message_figure({"dense": 0.7, "lattice": 0.9}, 0.6)
    (messages,) = drawn[0].figure.axes
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in messages.lines[:2]] == [(0.7, 0), (0.9, 1)]
    assert messages.lines[2].get_xdata()[0] == 0.6
    assert [text.get_text() for text in messages.texts[:2]] == ["0.7 ns", "0.9 ns"]
    assert [label.get_text() for label in messages.get_xticklabels()] == ["0.5", "1", "2"]
    assert not messages.get_xticks(minor=True).size


def test_the_numbers_keep_away_from_the_line(drawn):
    speed_figure.message_figure({"dense": 0.5, "lattice": 0.9}, 0.6)
    assert [text.get_ha() for text in drawn[0].figure.axes[0].texts[:2]] == ["right", "left"]


def test_a_machine_that_was_too_busy_leaves_a_gap(drawn):
    nothing = speed_figure.middle([float("nan")] * 3)
    assert np.isnan(nothing)
    assert speed_figure.middle([1.0, float("nan"), 3.0]) == 2.0
    speed_figure.message_figure({"dense": nothing, "lattice": 10.0}, 0.6)
    (messages,) = drawn[0].figure.axes
    assert [line.get_ydata()[0] for line in messages.lines[:-1]] == [1]
    assert "too busy" in messages.texts[0].get_text()
