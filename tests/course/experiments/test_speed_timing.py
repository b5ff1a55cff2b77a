"""Timing: how measured times become a number with its spread."""

from pmp_kit.course.experiments.speed import timing


def test_a_spread_is_the_median_and_half_the_interquartile_range():
    assert tuple(timing.spread([0.0, 10.0, 1.0, 3.0, 5.0])) == (3.0, 2.0)


def test_a_ratio_is_computed_round_by_round():
    assert tuple(timing.ratio([2.0, 8.0, 60.0], [1.0, 2.0, 10.0])) == (4.0, 1.0)
