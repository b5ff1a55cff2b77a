"""Learning beside float64, where numbers of another type would show."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk

KEY = jax.random.key(0)


class Pair(eqx.Module):
    """Two spins with one coupling."""

    coupling: jax.Array

    def graph(self):
        return pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.Edges([[0, 1]], self.coupling)])


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_parameters_keep_their_type(kind):
    start, data = Pair(jnp.asarray(0.5, kind)), {"x": np.array([[1, 1], [0, 0]])}
    learned = pk.fit(KEY, start, data, steps=2).model.coupling
    assert learned.dtype == kind
    assert learned != start.coupling
