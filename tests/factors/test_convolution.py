"""Both forms of a fold, the loop for a CPU and the expression for a GPU, are the sum or the maximum by definition."""

import jax.numpy as jnp
import numpy as np
import pytest

from pmp_kit.factors.convolution import all_at_once, one_after_another


@pytest.mark.parametrize("form", [one_after_another, all_at_once])
@pytest.mark.parametrize(("combine", "numpy", "empty"), [(jnp.add, np.add, 0.0), (jnp.maximum, np.maximum, -np.inf)])
@pytest.mark.parametrize("shape", [(3, 2, 4, 5, 2), (2, 3, 1, 1, 2, 3)])
def test_a_fold_by_definition(shape, combine, numpy, empty, form):
    values = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    height, width, down, across = shape[:4]
    wanted = np.full((height + down - 1, width + across - 1, *shape[4:]), empty, np.float32)
    for dy, dx in np.ndindex(height, width):
        under = wanted[dy : dy + down, dx : dx + across]
        under[...] = numpy(under, values[dy, dx])
    np.testing.assert_allclose(form(jnp.asarray(values), combine, empty), wanted, rtol=1e-5)
