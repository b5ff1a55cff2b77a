"""Learning beside float64, where numbers of another type would show."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from small_models import Pair

import pmp_kit as pk

KEY = jax.random.key(0)


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_parameters_keep_their_type(kind):
    start, data = Pair(jnp.asarray(0.5, kind)), {"x": np.array([[1, 1], [0, 0]])}
    learned = pk.fit(KEY, start, data, steps=2).model.coupling
    assert learned.dtype == kind
    assert learned != start.coupling
