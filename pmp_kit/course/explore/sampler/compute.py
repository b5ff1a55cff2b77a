"""One sample of PMP on a grid of 5 x 5 variables, recorded sweep by sweep, and the exact answer to the same problem."""

from __future__ import annotations

import functools
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

from ..shared import grid

SIDE, SWEEPS = 5, 64
MODELS = ("chain", "lattice", "spin glass")


class State(NamedTuple):
    """One perturbed model, and max-product on it. T = SWEEPS + 1 rows; row 0 is before the first sweep."""

    model: str
    edges: Int[np.ndarray, "E 2"]
    """Pairs that are coupled."""
    noise: Float[np.ndarray, " n"]
    """Noise on each variable, as log-odds of state 1. At sweep 0 the beliefs equal it."""
    forward: Float[np.ndarray, "T E"]
    """The push from the first variable of a pair to the second, in nats; 0 favours neither state."""
    backward: Float[np.ndarray, "T E"]
    beliefs: Float[np.ndarray, "T n"]
    """Log-odds of state 1: unaries, noise and messages."""
    states: Int[np.ndarray, "T n"]
    """The decoded states after each sweep."""
    scores: Float[np.ndarray, " T"]
    """Their scores in the perturbed model, in nats."""
    exact: Int[np.ndarray, " n"]
    """The highest-scoring configuration of the perturbed model (MAP)."""
    top: float
    """Their score."""
    seed: int

    @property
    def gaps(self) -> Float[np.ndarray, " T"]:
        """How far the score of each decoded state is below the best score, in nats."""
        return np.maximum(self.top - self.scores, 0.0)


@functools.cache
def couplings(model: str) -> Float[np.ndarray, " E"]:
    """The sign of each edge of the 5 x 5 grid; 0 where the model has none."""
    if model == "spin glass":
        return grid.random_signs(SIDE, seed=4)
    return grid.snake(SIDE)[1].astype(float) if model == "chain" else np.ones(len(grid.pairs(SIDE)))


def observe(view):
    """Record what the scrubber shows of a sweep."""
    named = pk.observe.beliefs(view)["x"], pk.observe.states(view)["x"]
    return pk.observe.messages(view), *(block.reshape(SIDE**2, -1) for block in named), view.unaries[0]


def state(model: str, coupling: float, perturbation: float, damping: float, seed: int) -> State:
    """Draw the noise, run SWEEPS sweeps of max-product, and solve the same perturbed model exactly."""
    spins = grid.spins(SIDE, coupling * couplings(model))
    sampler = pk.PMP(damping=damping, keep_best=False, tolerance=0.0, noise=pk.Gumbel(perturbation))
    graph = spins.graph()
    history = pk.trace(jax.random.key(seed), graph, sampler, num_sweeps=SWEEPS, observe=observe)
    values = jax.tree.map(lambda value: value[:, 0].astype(float), history.values)
    ((to_first, to_second),), beliefs, decoded, unaries = values
    problem, states = spins._replace(log_odds=unaries[0]), decoded.astype(int)
    exact, top = grid.best(problem)
    used, neutral = couplings(model) != 0, 0.5 * spins.weight  # the message that favours neither state
    pushes = (to_second - neutral)[:, used], (to_first - neutral)[:, used]
    (factor,) = graph.factors  # it may turn a pair around, so its ends are asked for
    edges = np.asarray(factor.pairs).T[used]  # pyright: ignore[reportAttributeAccessIssue]
    noise = unaries[0] - spins.log_odds
    return State(model, edges, noise, *pushes, beliefs, states, problem.score(states), exact, top, seed)
