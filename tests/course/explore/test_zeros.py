"""Page 08: the completions of the brush keep what is painted."""

import jax
import numpy as np
import pytest
from explorers import EXPLORERS

import pmp_kit as pk
from pmp_kit.course.explore.picture.painted import written


@pytest.fixture(scope="module")
def brush():
    return EXPLORERS["zeros"].make_small()


def test_completions_keep_the_strokes_and_are_the_samples_of_the_kit(brush):
    painted = np.random.default_rng(1).choice([pk.FREE, 0, 1], (6, 6)).astype(np.int32)
    brush.inputs["painted"].value = written(painted)
    state = brush.state
    known = painted >= 0
    assert (state.completions[:, known] == painted[known]).all()
    expected = pk.sample(
        jax.random.key(0),
        brush._graph,
        pk.PMP(keep_best=False, tolerance=0.0),
        num_samples=len(state.completions),
        num_sweeps=state.sweeps,
        evidence={"x": painted},
    )
    np.testing.assert_array_equal(state.completions, expected["x"])
    np.testing.assert_allclose(state.share, state.completions.mean(0))
