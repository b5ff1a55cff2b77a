"""Sample judge: the sets are what they are called, and its distances are those of the library."""

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course.experiments import judging as sets
from pmp_kit.course.explore import SampleJudge


@pytest.mark.slow
def test_the_sets_are_what_they_are_called():
    held_out, training = sets.zeros()["held out"], sets.zeros()["training"]
    found = sets.chosen("held out", 200, seed=3)
    rows = {tuple(image.ravel()) for image in training}
    assert {tuple(image.ravel()) for image in found[sets.REAL]} <= rows
    assert len(np.unique(found[sets.REPEATED].reshape(200, -1), axis=0)) == sets.REPEATS
    assert abs(found[sets.PIXELS].mean(0) - training.mean(0)).max() < 0.15
    assert {len(images) for name, images in found.items() if name != sets.REAL} == {200}
    other = sets.chosen("training", 25, seed=3)[sets.REAL]
    assert {tuple(image.ravel()) for image in other} <= {tuple(image.ravel()) for image in held_out}


def test_distances_are_those_of_the_library():
    judge = SampleJudge(kernel_scale=10.0, samples=100, seed=2)
    images = sets.chosen("held out", 100, 2)
    for name in sets.NAMES:
        (row,) = pk.metrics.mmd_panel(images[name], sets.zeros()["held out"], scales=10.0)
        assert judge.state.of(name) == pytest.approx(row.sigmas)
    assert "kernel scale 10" in judge.says(judge.state)


def test_the_band_holds_what_perfect_samples_score():
    for scale in (1.0, 10.0):
        values, error = sets.splits(scale, 100, seed=1)
        assert values.std() == pytest.approx(error, rel=0.2)
        assert (np.abs(values) < 2 * error).mean() > 0.9
        assert abs(values.mean()) < 0.4 * error


@pytest.mark.slow
def test_scale_1_does_not_order_the_two_samplers_and_scale_20_does():
    """As the page says of 40 draws."""
    found, (first, last) = sets.fresh(), (sets.SCALES.index(1.0), sets.SCALES.index(20.0))
    further = (found[sets.PIXELS] > found[sets.PMP]).mean(0)
    assert 0.3 < further[first] < 0.8
    assert further[last] == 1
    assert abs(found[sets.PIXELS].mean(0) - found[sets.PMP].mean(0))[first] < 0.5
    assert found[sets.PIXELS].mean(0)[last] > 1.8 * found[sets.PMP].mean(0)[last]
