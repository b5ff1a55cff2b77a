"""Scores and log-conditionals ask for full float32 precision, which GPUs and TPUs otherwise do not use for products."""

import jax
import jax.numpy as jnp
import pytest
from factor_examples import examples

import pmp_kit as pk
from pmp_kit.samplers.chain import everywhere, fields

EXAMPLES = examples()


def products(function, argument):
    """Return the lines of the compiled function's text that multiply arrays."""
    return [line for line in jax.jit(function).lower(argument).as_text().splitlines() if "dot_general" in line]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_products_have_the_highest_precision(example):
    graph = pk.FactorGraph(example.variables, [example.factor])
    states = jnp.zeros((graph.variables.num_planes, graph.variables.count, 2))
    unaries = jnp.broadcast_to(graph.planes()[..., None], states.shape)
    found = products(lambda states: graph.score(states), states)
    assert found, "the unaries at least are such a product"
    found += products(lambda states: fields(graph, unaries, states, everywhere(graph)), states)
    assert [line for line in found if "HIGHEST" not in line] == []


@pytest.mark.parametrize("states", [2, 3])
def test_products_of_enumeration_have_the_highest_precision(states):
    graph = pk.FactorGraph(pk.Variables(x=pk.Categorical(3, states=states)), [pk.Potts([[0, 1]], 1.0, states)])
    for result in (pk.exact.marginals, pk.exact.moments):
        found = products(result, graph)
        assert found
        assert [line for line in found if "HIGHEST" not in line] == []
