"""One sample of PMP on a grid of 5 x 5 variables, recorded sweep by sweep, and the exact answer to the same problem."""

from __future__ import annotations

import functools
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

from ..shared import grid, many
from ..shared.limits import EXACT_GAP
from ..student import Part

SIDE, SWEEPS = 5, 64
MODELS = ("line", "lattice", "spin glass")


class State(NamedTuple):
    """One perturbed model, and max-product on it. T = SWEEPS + 1 rows; row 0 is before the first sweep."""

    ends: Int[np.ndarray, "M 2"]
    """The variables from which and to which each message goes: two messages for each pair that is coupled."""
    weights: Float[np.ndarray, " M"]
    """W of the pair of each message, of states 0 and 1: four times the coupling."""
    messages: Float[np.ndarray, "T M"]
    """Each message m as a log-ratio in nats; half of the weight favours neither state."""
    bias: Float[np.ndarray, " n"]
    """The unary without its noise: minus half of the weights of a variable."""
    noise: Float[np.ndarray, " n"]
    """Noise on each variable, as log-odds of state 1. At sweep 0 the beliefs equal it."""
    beliefs: Float[np.ndarray, "T n"]
    """Log-odds of state 1: unaries, noise and messages."""
    states: Int[np.ndarray, "T n"]
    """The decoded states after each sweep."""
    scores: Float[np.ndarray, " T"]
    """Their scores in the perturbed model, in nats."""
    exact: Int[np.ndarray, " n"]
    """The highest-scoring configuration of the perturbed model (MAP)."""
    top: float
    """Its score."""
    seed: int
    problem: grid.Grid
    """The perturbed model."""
    own: Int[np.ndarray, "D n"] | None = None
    """The states of the reader's sampler after 0, 1, ... sweeps, as far as it has come; None if there is none."""
    own_scores: Float[np.ndarray, " D"] | None = None

    @property
    def gaps(self) -> Float[np.ndarray, " T"]:
        """How far the score of each decoded state is below the best score, in nats."""
        return np.maximum(self.top - self.scores, 0.0)

    def truth(self, states: Int[np.ndarray, "T n"], scores: Float[np.ndarray, " T"]) -> Int[np.ndarray, "T n"]:
        """Return the best configuration for each of these states: of several, the one that was found."""
        return np.where(scores[:, None] > self.top - EXACT_GAP, states, self.exact)


PLACES = np.stack(np.divmod(np.arange(SIDE**2), SIDE)[::-1], 1) / (SIDE - 1)
"""Where each variable is in the picture, (x, y)."""


@functools.cache
def couplings(model: str) -> Float[np.ndarray, " E"]:
    """The sign of each edge of the 5 x 5 grid; 0 where the model has none."""
    if model == "spin glass":
        return grid.random_signs(SIDE, seed=4)
    return grid.snake(SIDE)[1].astype(float) if model == "line" else np.ones(len(grid.pairs(SIDE)))


def observe(view):
    """Record what the scrubber shows of a sweep."""
    named = pk.observe.beliefs(view)["x"], pk.observe.states(view)["x"]
    return pk.observe.messages(view), *(block.reshape(SIDE**2, -1) for block in named), view.unaries[0]


def state(model: str, coupling: float, perturbation: float, damping: float, seed: int) -> State:
    """Draw the noise, run SWEEPS sweeps of max-product, and solve the same perturbed model exactly."""
    spins = grid.spins(SIDE, coupling * couplings(model))
    return _state(model, seed, spins, _run(seed, spins, perturbation, damping))


def states(settings: list[dict]) -> list[State]:
    """Return the states of many settings at once; each setting holds the arguments of `state`."""
    problems = [grid.spins(SIDE, one["coupling"] * couplings(one["model"])) for one in settings]
    numbers = [np.array([one[name] for one in settings]) for name in ("seed", "perturbation", "damping")]
    weight, log_odds = np.stack([one.weight for one in problems]), np.stack([one.log_odds for one in problems])
    parts = zip(settings, problems, many.in_batches(_run_batch, weight, log_odds, *numbers), strict=True)
    return [_state(one["model"], one["seed"], problem, run) for one, problem, run in parts]


def _run(seed, spins: grid.Grid, perturbation, damping):
    """Record one sample of PMP, sweep by sweep."""
    sampler = pk.PMP(damping=damping, keep_best=False, tolerance=0.0, noise=pk.Gumbel(perturbation))
    return pk.trace(jax.random.key(seed), spins.graph(), sampler, num_sweeps=SWEEPS, observe=observe).values


@jax.jit
@jax.vmap
def _run_batch(weight, log_odds, seed, perturbation, damping):
    return _run(seed, grid.Grid(SIDE, weight, log_odds), perturbation, damping)


@functools.cache
def _ends() -> Int[np.ndarray, "E 2"]:
    """Return the pairs in the order and direction of their messages; the factor may turn a pair around."""
    (factor,) = grid.spins(SIDE, np.ones(len(grid.pairs(SIDE)))).graph().factors
    return np.asarray(factor.pairs).T  # pyright: ignore[reportAttributeAccessIssue]


def _state(model: str, seed: int, spins: grid.Grid, recorded) -> State:
    """Put together what was recorded of one sample and the exact answer to its problem."""
    values = jax.tree.map(lambda value: value[:, 0].astype(float), recorded)
    ((to_first, to_second),), beliefs, decoded, unaries = values
    problem, states = spins._replace(log_odds=unaries[0]), decoded.astype(int)
    exact, top = grid.best(problem)
    used = couplings(model) != 0
    ends = _ends()[used][:, [[0, 1], [1, 0]]].reshape(-1, 2)
    messages = np.stack([to_second, to_first], -1)[:, used].reshape(len(states), -1)
    bias = spins.log_odds
    return State(
        ends, spins.weight[used].repeat(2), messages, bias, unaries[0] - bias, beliefs, states, problem.score(states),
        exact, top, seed, problem,
    )  # fmt: skip


def parts(state: State, damping: float) -> list[Part]:
    """Return the calls of a reader's sampler for the perturbed model of a state: one for each number of sweeps."""
    weight = np.zeros((SIDE**2, SIDE**2))
    first, second = grid.pairs(SIDE).T
    weight[first, second] = weight[second, first] = state.problem.weight
    return [Part(state.problem.log_odds[None], weight, sweeps, damping) for sweeps in range(SWEEPS + 1)]


def with_own(state: State, results: list[Int[np.ndarray, "1 n"]]) -> State:
    """Return the state with what a reader's sampler returned for the first `parts`, and its scores."""
    own = np.concatenate([np.zeros((0, SIDE**2), np.int32), *results])
    return state._replace(own=own, own_scores=state.problem.score(own))
