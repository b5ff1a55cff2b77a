"""Models whose parameters can be learned: what `jit` cannot take is named, and half precision is refused."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.engine import parameters

V = pk.Variables(x=pk.Binary(3))
PAIRS = np.array([[0, 1], [1, 2]])


class Own(eqx.Module):
    weight: jax.Array | float
    pairs: object = None

    def graph(self):
        pairs = PAIRS if self.pairs is None else self.pairs
        return pk.FactorGraph(V, [pk.Edges(pairs, self.weight)])


def test_a_field_that_jit_cannot_take_is_named():
    model, words = Own(0.5, PAIRS), "in .pairs, whose values are unknown"
    assert isinstance(model.graph(), pk.FactorGraph)
    for learn in (parameters.required, lambda model: pk.fit(jax.random.key(0), model, {"x": np.eye(3)}, steps=1)):
        with pytest.raises(TypeError, match="expected fields that are parameters, or static ones") as error:
            learn(model)
        assert words in str(error.value)


class OfNetwork(eqx.Module):
    network: eqx.nn.MLP

    def graph(self):
        return pk.FactorGraph(V, [], {"x": self.network(jnp.ones(2))})


def test_a_neural_network_in_a_field_is_told_how_to_be_split():
    network = eqx.nn.MLP(2, 3, 4, 1, key=jax.random.key(0))
    with pytest.raises(TypeError, match=r"in \.network\.activation.*first part of equinox\.partition\(network, "):
        parameters.required(OfNetwork(network))


@pytest.mark.parametrize("kind", [jnp.float16, jnp.bfloat16])
def test_half_precision_is_refused(kind):
    """In float16 a violated constraint is infinite: Gibbs returned state 0 of every variable."""
    graph = pk.FactorGraph(V, [pk.AtMostK([0, 1, 2], 2)], {"x": np.ones(3)})
    half = eqx.tree_at(lambda graph: graph.unaries, graph, graph.unaries.astype(kind))
    words = r"model: expected parameters in float32 or float64, got b?float16 in \.unaries; write x\.astype"
    calls = [
        lambda model: pk.sample(jax.random.key(0), model, pk.Gibbs(), num_samples=2, num_sweeps=2),
        lambda model: pk.solve(model),
        lambda model: pk.exact.log_partition(model),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=words):
            call(half)
    for call in calls[:2]:
        with pytest.raises(TypeError, match=words):
            jax.jit(call)(half)


def test_half_precision_is_refused_before_learning():
    """It was refused after the last step, and the result was lost."""
    done = []
    model = Own(jnp.bfloat16(0.5))
    for learn in (pk.fit, pk.fit_pseudo_likelihood):
        with pytest.raises(TypeError, match=r"model: expected parameters in float32 .*, got bfloat16 in \.weight"):
            learn(jax.random.key(0), model, {"x": np.eye(3, dtype=int)}, steps=3, callback=done.append)
    assert not done
