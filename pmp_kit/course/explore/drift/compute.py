"""Chains of persistent PMP on a lattice: samples and noise after each step (Appendix A)."""

from __future__ import annotations

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float

import pmp_kit as pk

from ....engine import planes
from ....noise import logistic_of_normal

SIDE, COUPLING, STEPS = 8, 0.35, 60
RHOS = (0.0, 0.5, 0.9, 0.99, 0.999)
SWEEPS = (1, 2, 5, 10, 20)
STARTS = ("fresh", "warm")
MANY = 60
"""Sweeps after which few decoded states change: 400 sweeps change less than one in a hundred."""


class Drift(NamedTuple):
    """One chain: states and noise after each step, and the states after MANY sweeps with the same noise and start."""

    states: Bool[np.ndarray, "steps spins"]
    reference: Bool[np.ndarray, "steps spins"]
    noise: Float[np.ndarray, "steps spins"]

    @property
    def changed(self) -> float:
        """Share of spins that differ from the step before."""
        return float((self.states[1:] != self.states[:-1]).mean())

    @property
    def early(self) -> float:
        """Share of spins that have another state after MANY sweeps."""
        return float((self.states != self.reference).mean())


class State(NamedTuple):
    """A chain, and the step that is looked at."""

    rho: float
    start: str
    sweeps: int
    step: int
    chain: Drift
    seed: int


def state(rho: float, start: str, sweeps: int, step: int, seed: int) -> State:
    """Look up a chain."""
    return State(rho, start, sweeps, step, table(seed)[rho, start, sweeps], seed)


@functools.cache
def table(seed: int) -> dict[tuple, Drift]:
    """Run all chains, with the same fresh normals: (rho, start, sweeps) -> chain."""
    key, graph, found = jax.random.key(seed), pk.ising_lattice(SIDE, COUPLING), {}
    for rho in RHOS:
        for start in STARTS:
            reference, _ = chain(key, graph, rho, MANY, start == "warm")
            for sweeps in SWEEPS:
                states, noise = chain(key, graph, rho, sweeps, start == "warm")
                found[rho, start, sweeps] = Drift(*(np.asarray(x) for x in (states, reference, noise)))
    return found


@jax.jit
def chain(key, graph, rho, sweeps, warm):
    """Return states and noise after 0 .. STEPS steps; with `warm`, a step starts at the messages of the one before."""
    sampler = pk.PersistentPMP(rho, pk.MaxProduct(**pk.paper_settings(start="neutral")))
    unaries = graph.planes()[..., None]
    cold = sampler.solver.init(graph, unaries).messages

    def step(previous, number):
        keys = jax.random.split(jax.random.fold_in(key, number), 1)
        warmed = lambda old, new: jnp.where(warm & (number > 0), old, new)  # noqa: E731
        solving = previous.solving._replace(messages=jax.tree.map(warmed, previous.solving.messages, cold))
        normals = jnp.where(number > 0, previous.normals, jax.random.normal(key, unaries.shape))
        state = sampler.init(keys, graph, unaries, previous._replace(normals=normals, solving=solving))
        state = jax.lax.fori_loop(0, sweeps, lambda t, state: sampler.sweep(keys, graph, unaries, state), state)
        states = planes.to_states(sampler.view(graph, unaries, state).states)[:, 0] > 0
        return state, (states, logistic_of_normal(state.normals)[0, :, 0])

    first = sampler.init(jax.random.split(key, 1), graph, unaries, None)
    return jax.lax.scan(step, first, jnp.arange(STEPS + 1))[1]
