"""The unrolled hash draws the numbers that JAX draws, in 64 bits too."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from pmp_kit.engine import threefry

DRAWS = {
    "bits": lambda key: jax.random.bits(key, (3, 5), "uint64"),
    "gumbel": lambda key: jax.random.gumbel(key, (7,), jnp.float64),
    "normal": lambda key: jax.random.normal(key, (7,), jnp.float64),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_numbers_of_64_bits(draw):
    keys = jax.random.split(jax.random.key(3), 5)
    drawn = [jax.vmap(draw)(each) for each in (keys, threefry.fast(keys))]
    assert all(numbers.dtype.itemsize == 8 for numbers in drawn)
    np.testing.assert_array_equal(*drawn)
