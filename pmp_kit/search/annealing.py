"""Simulated annealing: Gibbs sampling of many chains at falling temperatures, and then coordinate ascent."""

import jax
import jax.numpy as jnp
from jaxtyping import Array

from ..engine import planes
from ..engine.planes import Planes
from ..graph import FactorGraph
from ..samplers import Gibbs
from ..samplers.base import keys_of
from ..samplers.chain import everywhere, finite_fields
from ..samplers.tempering import at_temperature
from ..solvers.base import Answer
from ..solvers.polish import polished

COLDEST = 0.03
"""The last temperature as a part of the first one."""


@jax.jit
def first_temperature(graph: FactorGraph, unaries: Planes, states: Planes) -> Array:
    """Return the mean change of the score if a variable leaves its best state given all others, in nats."""
    field, _ = finite_fields(graph, unaries, states, everywhere(graph))
    gap = planes.margins(field)
    free = jnp.isfinite(gap)
    return jnp.sum(jnp.where(free, gap, 0.0)) / jnp.maximum(free.sum(dtype=gap.dtype), 1.0)


@jax.jit
def anneal(
    key: Array, graph: FactorGraph, sampler: Gibbs, unaries: Planes, states: Planes, hot: Array, first, until, total
) -> Planes:
    """Return states after the sweeps `first` to `until` of `total`, whose temperatures fall from `hot` by a factor."""
    keys = keys_of(key, jnp.arange(states.shape[-1]))

    def sweep(number, states):
        done = number.astype(unaries.dtype) / jnp.maximum(total - 1, 1).astype(unaries.dtype)
        temperature = hot * COLDEST**done
        cooled = at_temperature(graph, temperature)
        return sampler.sweep(keys_of(keys, number), cooled, unaries / temperature, states)

    return jax.lax.fori_loop(first, until, sweep, states)


@jax.jit
def random_states(key: Array, unaries: Planes) -> Planes:
    """Return random states that agree with the evidence."""
    noise = jax.random.normal(key, unaries.shape, unaries.dtype)
    return planes.decode(jnp.where(jnp.isfinite(unaries), noise, unaries))


@jax.jit
def climbed(graph: FactorGraph, unaries: Planes, states: Planes) -> tuple[Array, Array]:
    """Return state numbers (n, batch) after coordinate ascent, and their scores (batch,), -inf if impossible."""
    score = graph.score_with(unaries, states)
    better = polished(graph, unaries, Answer(states, score, None, None, jnp.zeros(score.shape, bool)))
    return planes.to_states(better.states), better.score
