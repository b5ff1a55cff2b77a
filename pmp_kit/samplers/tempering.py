"""Parallel tempering: chains at several temperatures that exchange their states."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ..engine import checks
from ..engine.arrays import contains_traced, is_traced
from ..engine.planes import Planes
from ..engine.signatures import ArrayLike
from ..graph import FactorGraph
from ..noise import open_uniform
from .base import AbstractSampler, View, draw_each, fitting, keys_of
from .chain import AbstractChain, log_weight
from .gibbs import Gibbs

INFINITE = 1e30
"""Stands for an infinite temperature: the scores divided by it are 0, and infinite unaries stay infinite."""


class ParallelTempering(AbstractSampler):
    """Parallel tempering: K chains at temperatures T_k, which exchange their states.

    Chain k samples from p(x)^(1 / T_k). After each sweep, chains at neighbouring temperatures exchange their states by
    Metropolis-Hastings. The sample is the state of the chain at T_1 = 1. Chains at higher temperatures cross barriers
    between modes more often, so use this sampler if `Gibbs` mixes slowly. `tune_ladder` chooses the temperatures, and
    `measures.tempering` measures how often states are exchanged. Cost of a sweep: K sweeps of `sampler` and K scores.
    Another number of temperatures triggers a recompilation, other values do not.
    """

    temperatures: Float[Array, " K"]
    sampler: AbstractChain

    def __init__(self, temperatures: ArrayLike = (1.0, 1.5, 2.25, 3.4), sampler: AbstractChain | None = None):
        """Args:
        temperatures: (K,), at least two increasing numbers, the first 1; a ratio of about 1.5 between neighbours is
            usual. The last one may be infinite; there all states that the unaries allow are equally probable.
        sampler: the Markov chain at each temperature; by default Gibbs().

        Raises: TypeError or ValueError that names the argument.
        """
        if not contains_traced(temperatures):
            temperatures = checks.rectangular("temperatures", temperatures)
            if temperatures.dtype.kind == "f":
                temperatures = np.where(np.isposinf(temperatures), INFINITE, temperatures)
        self.temperatures = checks.parameter("temperatures", temperatures, (None,))
        self.sampler = checks.instance("sampler", Gibbs() if sampler is None else sampler, AbstractChain, "Gibbs()")
        if self.temperatures.size < 2:
            raise ValueError(f"temperatures: expected at least 2, got {self.temperatures.size}; use the sampler alone")
        if not is_traced(self.temperatures):
            values = np.asarray(self.temperatures)
            if values[0] != 1.0 or np.diff(values).min() <= 0.0:
                raise ValueError(f"temperatures: expected increasing numbers from 1 on, got {values.tolist()}")

    def check(self, graph):
        self.sampler.check(graph)

    def init(self, keys, graph, unaries, previous):
        if previous is not None:
            fitting(previous, jax.Array, previous, jnp.broadcast_to(unaries, (self.temperatures.size, *unaries.shape)))

        def start(ladder):
            number, states = ladder
            return self.sampler.init(keys_of(keys, number), graph, unaries, states)

        return jax.lax.map(start, (self.numbers(), previous))

    def sweep(self, keys, graph, unaries, state):
        state, _, holder = self.sweep_and_exchange(keys, graph, unaries, state)
        return exchanged(state, holder)

    def sweep_and_exchange(
        self, keys: Array, graph: FactorGraph, unaries: Planes, state: Array
    ) -> tuple[Array, Array, Array]:
        """Return the states of all chains after a sweep and before the exchange, their scores, and `exchange`."""

        def advance(ladder):
            number, temperature, states = ladder
            temperature = temperature.astype(unaries.dtype)  # that of an earlier model, after a change to float64
            hot, keys_here = at_temperature(graph, temperature), keys_of(keys, number)
            return self.sampler.sweep(keys_here, hot, unaries / temperature, states)

        state = jax.lax.map(advance, (self.numbers(), self.temperatures, state))
        scores = jax.lax.map(lambda states: log_weight(graph, unaries, states), state)
        of_exchange = keys_of(keys, self.temperatures.size)
        uniform = draw_each(open_uniform, of_exchange, self.temperatures.shape, scores.dtype)
        return state, scores, self.exchange(scores, uniform)

    def exchange(self, scores: Array, uniform: Array) -> Array:
        """Return the chain whose state each temperature gets after one pass of exchanges, (K, batch).

        The pair with the highest temperatures is first.
        """
        holder = jnp.broadcast_to(self.numbers()[:, None], scores.shape)
        for cold in reversed(range(self.temperatures.size - 1)):
            pair, swapped = jnp.array([cold, cold + 1]), jnp.array([cold + 1, cold])
            accept = jnp.log(uniform[cold]) < self.log_acceptance(scores, cold)
            holder = holder.at[pair].set(jnp.where(accept, holder[swapped], holder[pair]))
            scores = scores.at[pair].set(jnp.where(accept, scores[swapped], scores[pair]))
        return holder

    def log_acceptance(self, scores: Array, cold: int) -> Array:
        """Return the log of the acceptance ratio for T_cold and the next one, (1/T_c - 1/T_h) (score_h - score_c)."""
        step = 1.0 / self.temperatures[cold] - 1.0 / self.temperatures[cold + 1]
        return step.astype(scores.dtype) * (scores[cold + 1] - scores[cold])

    def numbers(self) -> Array:
        """Return the numbers 0 .. K - 1."""
        return jnp.arange(self.temperatures.size, dtype=jnp.int32)

    def done(self, state):
        return jnp.zeros(state.shape[-1], bool)

    def view(self, graph, unaries, state):
        return View(graph, unaries, state[0], None)


def exchanged(state: Array, holder: Array) -> Array:
    """Return the states (K, planes, n, batch) of all chains after an exchange (K, batch)."""
    return jnp.take_along_axis(state, holder[:, None, None], axis=0)


def at_temperature(graph: FactorGraph, temperature: Array) -> FactorGraph:
    """Return the graph with all scores divided by a temperature."""
    return graph.tempered(1.0 / temperature, graph.unaries / temperature)
