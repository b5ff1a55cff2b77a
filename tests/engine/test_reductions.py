"""Larger and smaller of two arrays, and the largest entries along an axis."""

import jax.numpy as jnp
import numpy as np
import pytest

from pmp_kit.engine import reductions
from pmp_kit.engine.reductions import larger, smaller


def test_larger_and_smaller_choose_as_numpy_does():
    values = np.array([-np.inf, -1.5, 0.0, 2.0, np.inf], np.float32)
    x, y = np.meshgrid(values, values)
    np.testing.assert_array_equal(larger(jnp.asarray(x), jnp.asarray(y)), np.maximum(x, y))
    np.testing.assert_array_equal(smaller(jnp.asarray(x), jnp.asarray(y)), np.minimum(x, y))
    for choose in (larger, smaller):
        assert np.isnan(choose(jnp.float32(np.nan), jnp.float32(1.0)))
        assert choose(jnp.float32(1.0), jnp.float32(np.nan)) == 1.0


@pytest.mark.parametrize("choices", [0, 64])
@pytest.mark.parametrize("length", [1, 2, 5])
def test_the_largest_along_an_axis(length, choices, monkeypatch):
    monkeypatch.setattr(reductions, "MOST_CHOICES", choices)
    x = np.random.default_rng(length).integers(-2, 2, (length, 4, 3, 2)).astype(np.float32)  # with ties
    x[x == -2] = -np.inf
    for axes in ((0,), (1,), (0, 2), (3, 1)):
        np.testing.assert_array_equal(reductions.largest(jnp.asarray(x), axes), x.max(axes))
    np.testing.assert_array_equal(reductions.index_of_largest(jnp.asarray(x)), x.argmax(0))
    first, second = reductions.two_largest(jnp.asarray(x))
    in_order = np.sort(np.concatenate([x, np.full((1, 4, 3, 2), -np.inf)]), axis=0)
    np.testing.assert_array_equal(first, in_order[-1])
    np.testing.assert_array_equal(second, in_order[-2])
