"""Tests of the larger and the smaller of two arrays."""

import jax.numpy as jnp
import numpy as np

from pmp_kit.engine.extremes import larger, smaller


def test_larger_and_smaller_choose_as_numpy_does():
    values = np.array([-np.inf, -1.5, 0.0, 2.0, np.inf], np.float32)
    x, y = np.meshgrid(values, values)
    np.testing.assert_array_equal(larger(jnp.asarray(x), jnp.asarray(y)), np.maximum(x, y))
    np.testing.assert_array_equal(smaller(jnp.asarray(x), jnp.asarray(y)), np.minimum(x, y))
    for choose in (larger, smaller):
        assert np.isnan(choose(jnp.float32(np.nan), jnp.float32(1.0)))
        assert choose(jnp.float32(1.0), jnp.float32(np.nan)) == 1.0
