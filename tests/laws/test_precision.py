"""Scores and log-conditionals ask for full float32 precision, which GPUs and TPUs otherwise do not use for products."""

import jax
import jax.numpy as jnp
import pytest
from factor_examples import examples

import pmp_kit as pk
from pmp_kit.samplers.chain import everywhere, fields

EXAMPLES = examples()


def products(function, states):
    """Return the lines of the compiled function's text that multiply arrays."""
    return [line for line in jax.jit(function).lower(states).as_text().splitlines() if "dot_general" in line]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_products_have_the_highest_precision(example):
    graph = pk.FactorGraph(example.variables, [example.factor])
    states = jnp.zeros((graph.variables.num_planes, graph.variables.count, 2))
    unaries = jnp.broadcast_to(graph.planes()[..., None], states.shape)
    found = products(lambda states: graph.score(states), states)
    assert found, "the unaries at least are such a product"
    found += products(lambda states: fields(graph, unaries, states, everywhere(graph)), states)
    assert [line for line in found if "HIGHEST" not in line] == []
