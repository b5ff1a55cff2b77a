"""A run of max-product on a small graph, and the exact answer by enumeration."""

from __future__ import annotations

import functools
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

from .topologies import NODES, TOPOLOGIES

SWEEPS = 64
SETTLED = 1e-3  # nats: a residual below counts as converged
LONGEST_PERIOD = 12  # sweeps, of an oscillation that is recognised
VARIABLES = pk.Variables(x=pk.Binary(NODES))


class State(NamedTuple):
    """One run of max-product. T = SWEEPS + 1 rows; row 0 is the start. n = 9 variables, of which some are used."""

    topology: str
    messages: Float[np.ndarray, "T n n"]
    """[t, i, j]: the message from i to j as a log-ratio in nats; 0 favours neither state."""
    beliefs: Float[np.ndarray, "T n"]
    """Log-odds of state 1."""
    states: Int[np.ndarray, "T n"]
    residuals: Float[np.ndarray, " T"]
    """Largest message update of the next sweep, in nats."""
    noise: Float[np.ndarray, " n"]
    """Noise on each variable, as log-odds of state 1."""
    exact: Float[np.ndarray, " n"]
    """Best score with x_i = 1 minus best score with x_i = 0, by enumeration."""
    gaps: Float[np.ndarray, " T"]
    """Best score minus the score of the decoded states."""
    seed: int

    @property
    def sweeps(self) -> int | None:
        """Sweeps until the messages converged; None if they did not."""
        moving = np.flatnonzero(self.residuals >= SETTLED)
        settled = 0 if moving.size == 0 else int(moving[-1]) + 1
        return settled if settled <= SWEEPS else None

    @property
    def period(self) -> int | None:
        """Period of an oscillation of the messages, in sweeps; None if there is none."""
        last = self.messages[-1]
        for back in range(2, LONGEST_PERIOD + 1):
            if self.sweeps is None and np.abs(last - self.messages[-1 - back]).max() < SETTLED:
                return back
        return None


def ising(topology: str, coupling: float) -> pk.FactorGraph:
    """Model spins with score coupling * sum over edges of s_i s_j: w = 4 coupling, b = -2 coupling degree."""
    adjacency = TOPOLOGIES[topology].adjacency
    factor = pk.DensePairwise(VARIABLES["x"], 4.0 * coupling * adjacency)
    return pk.FactorGraph(VARIABLES, [factor], {"x": -2.0 * coupling * adjacency.sum(0)})


def observe(view):
    """Record what the scope shows of a sweep."""
    (factor,), (messages,) = view.graph.factors, view.messages
    beliefs, states = pk.observe.beliefs(view)["x"], pk.observe.states(view)["x"]
    return factor.matrix(messages), beliefs, states, pk.observe.residual(view), view.unaries[0]


@functools.cache
def _all_states() -> np.ndarray:
    return np.asarray(pk.exact.states(VARIABLES)["x"])


def enumerate_states(weight: np.ndarray, log_odds: np.ndarray, decoded: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Enumerate all 512 states: the max-marginals (n,) of the model, and the gaps (T,) of decoded states (T, n)."""
    states = _all_states()
    scores = 0.5 * np.einsum("mi,ij,mj->m", states, weight, states, optimize=True) + states @ log_odds
    one = np.where(states == 1, scores[:, None], -np.inf).max(0)
    zero = np.where(states == 0, scores[:, None], -np.inf).max(0)
    index = decoded @ (2 ** np.arange(NODES - 1, -1, -1))
    return one - zero, scores.max() - scores[index]


def state(topology: str, coupling: float, perturbation: float, damping: float, start: str, seed: int) -> State:
    """Run SWEEPS sweeps of max-product on one model, perturbed by Gumbel noise of scale `perturbation`."""
    graph = ising(topology, coupling)
    sampler = pk.PMP(damping=damping, start=start, keep_best=False, tolerance=0.0, noise=pk.Gumbel(perturbation))
    history = pk.trace(jax.random.key(seed), graph, sampler, num_sweeps=SWEEPS, observe=observe)
    messages, beliefs, states, residuals, log_odds = jax.tree.map(lambda value: value[:, 0], history.values)
    weight = 4.0 * coupling * TOPOLOGIES[topology].adjacency
    exact, gaps = enumerate_states(weight, log_odds[0], states)
    push = messages.swapaxes(1, 2) - 0.5 * weight  # the kit stores [to, from]; w / 2 favours neither state
    noise = log_odds[0] + 2.0 * coupling * TOPOLOGIES[topology].adjacency.sum(0)  # unaries are -2 coupling degree
    return State(topology, push, beliefs, states, residuals, noise, exact, gaps, seed)
