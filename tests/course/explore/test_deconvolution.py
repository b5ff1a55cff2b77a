"""The deconvolution studio shows what the traces hold."""

import numpy as np
import pytest

from pmp_kit.course import explore
from pmp_kit.course.experiments.deconvolution import traces
from pmp_kit.course.explore.deconvolution import compute


def test_the_state_is_that_of_the_trace():
    state = compute.state(16, "0.01", "X and W", 80, 40)
    w, _, x = traces.problem()
    assert ((state.beliefs[-1] >= 0) == w).all()
    assert state.recovered == 3
    assert state.right[-1] == pytest.approx((state.drawn[-1] == x).mean())
    assert state.right[-1] > state.right[0]


@pytest.mark.parametrize("images", [4, 16])
def test_the_locations_are_counted_in_the_given_images(images):
    found = compute.state(images, "0.01", "X only", 80, 41).locations
    bits = np.unpackbits(traces.load()["s"][traces.settings().index((images, "0.01", "X only", 41))][-1])
    each = bits[: 16 * 4 * 7 * 7].reshape(16, -1).sum(1)
    assert found == each[:images].sum()
    assert images == 16 or found < each.sum()


def test_a_copy_of_a_feature_is_named_a_copy():
    studio = explore.DeconvolutionStudio(seed=40)
    assert studio.state.kinds[-1] == ("true shape", "copy of 1", "true shape", "true shape")
    assert "feature 2 is a copy of feature 1" in studio.says(studio.state)
