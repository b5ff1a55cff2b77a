"""A run of max-product on a small graph, and the exact answer by enumeration."""

from __future__ import annotations

import functools
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

from ..shared import many
from ..shared.limits import EXACT_GAP, SETTLED, UNDECIDED
from .topologies import NODES, TOPOLOGIES

SWEEPS = 64
LONGEST_PERIOD = 12  # sweeps, of an oscillation that is recognised
DYING = 0.95  # of its size LONGEST_PERIOD sweeps earlier: an oscillation below this will end
VARIABLES = pk.Variables(x=pk.Binary(NODES))


class State(NamedTuple):
    """One run of max-product. T = SWEEPS + 1 rows; row 0 is the start. n = 9 variables, of which some are used."""

    topology: str
    messages: Float[np.ndarray, "T n n"]
    """[t, i, j]: the message m from i to j as a log-ratio in nats; half of the weight favours neither state."""
    beliefs: Float[np.ndarray, "T n"]
    """Log-odds of state 1."""
    states: Int[np.ndarray, "T n"]
    residuals: Float[np.ndarray, " T"]
    """Largest message update of the next sweep, in nats."""
    weight: Float[np.ndarray, "n n"]
    """W, of states 0 and 1: four times the couplings."""
    bias: Float[np.ndarray, " n"]
    """The unary without its noise: minus half of the weights of a variable."""
    noise: Float[np.ndarray, " n"]
    """Noise on each variable, as log-odds of state 1."""
    exact: Float[np.ndarray, " n"]
    """Best score with x_i = 1 minus best score with x_i = 0, by enumeration."""
    truth: Int[np.ndarray, "T n"]
    """The best configuration, by enumeration; of several, the one that differs from the fewest decoded states."""
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
    def undecided(self) -> bool:
        """Whether both states of a variable look equally good after the last sweep."""
        used = self.beliefs[-1, : len(TOPOLOGIES[self.topology].places)]
        return bool(np.abs(used).min() < UNDECIDED)

    @property
    def period(self) -> int | None:
        """Period of an oscillation of the messages, in sweeps; None if there is none."""
        changes = np.abs(self.messages[-1] - self.messages[-2 : -2 - LONGEST_PERIOD : -1]).max((1, 2))
        if self.sweeps is not None or changes[0] < SETTLED:  # strong damping makes every change small
            return None
        earlier, later = self.residuals[-2 * LONGEST_PERIOD :].reshape(2, -1).max(1)
        if later < DYING * earlier:  # an oscillation that dies away
            return None
        back = np.flatnonzero(changes < SETTLED)
        return int(back[0]) + 1 if len(back) else None


def ising(coupling: Float[np.ndarray, "n n"]) -> pk.FactorGraph:
    """Model spins with score sum over edges of J_ij s_i s_j: w_ij = 4 J_ij, b_i = -2 sum_j J_ij."""
    factor = pk.DensePairwise(VARIABLES["x"], 4.0 * coupling)
    return pk.FactorGraph(VARIABLES, [factor], {"x": -2.0 * coupling.sum(0)})


def observe(view):
    """Record what the scope shows of a sweep."""
    (factor,), (messages,) = view.graph.factors, view.messages
    beliefs, states = pk.observe.beliefs(view)["x"], pk.observe.states(view)["x"]
    return factor.matrix(messages), beliefs, states, pk.observe.residual(view), view.unaries[0]


@functools.cache
def _all_states() -> np.ndarray:
    return np.asarray(pk.exact.states(VARIABLES)["x"])


def enumerate_states(weight: np.ndarray, log_odds: np.ndarray, decoded: np.ndarray) -> tuple[np.ndarray, ...]:
    """Enumerate all 512 states, for decoded states (T, n): the fields `exact`, `truth` and `gaps` of `State`."""
    states = _all_states()
    scores = 0.5 * np.einsum("mi,ij,mj->m", states, weight, states, optimize=True) + states @ log_odds
    one, zero = (np.where(states == x, scores[:, None], -np.inf).max(0) for x in (1, 0))
    best = states[scores > scores.max() - EXACT_GAP]
    nearest = (decoded[:, None] != best).sum(-1).argmin(1)
    index = decoded @ (2 ** np.arange(NODES - 1, -1, -1))
    return one - zero, best[nearest], scores.max() - scores[index]


def state(topology: str, coupling: float, perturbation: float, damping: float, start: str, seed: int) -> State:
    """Run SWEEPS sweeps of max-product on one model, perturbed by Gumbel noise of scale `perturbation`."""
    couplings = coupling * TOPOLOGIES[topology].adjacency
    return _state(topology, seed, couplings, _run(seed, couplings, perturbation, damping, start))


def states(settings: list[dict]) -> list[State]:
    """Return the states of many settings at once; each setting holds the arguments of `state`."""
    couplings = np.stack([one["coupling"] * TOPOLOGIES[one["topology"]].adjacency for one in settings])
    seeds, *numbers = (np.array([one[name] for one in settings]) for name in ("seed", "perturbation", "damping"))
    found = {}
    for start in {one["start"] for one in settings}:  # each start is a program of its own
        here = np.array([k for k, one in enumerate(settings) if one["start"] == start])
        batch = functools.partial(_run_batch, start=start)
        runs = many.in_batches(batch, seeds[here], couplings[here], *(column[here] for column in numbers))
        for k, run in zip(here, runs, strict=True):
            found[k] = _state(settings[k]["topology"], int(seeds[k]), couplings[k], run)
    return [found[k] for k in range(len(settings))]


def _run(seed, coupling, perturbation, damping, start: str):
    """Record one run of max-product, sweep by sweep."""
    sampler = pk.PMP(damping=damping, start=start, keep_best=False, tolerance=0.0, noise=pk.Gumbel(perturbation))
    return pk.trace(jax.random.key(seed), ising(coupling), sampler, num_sweeps=SWEEPS, observe=observe).values


@functools.partial(jax.jit, static_argnames="start")
def _run_batch(seed, coupling, perturbation, damping, *, start: str):
    run = functools.partial(_run, start=start)
    return jax.vmap(run)(seed, coupling, perturbation, damping)


def _state(topology: str, seed: int, coupling: np.ndarray, recorded) -> State:
    """Put together what was recorded of one run and the exact answer."""
    messages, beliefs, states, residuals, log_odds = jax.tree.map(lambda value: value[:, 0], recorded)
    exact, truth, gaps = enumerate_states(4.0 * coupling, log_odds[0], states)
    weight, bias = 4.0 * coupling, -2.0 * coupling.sum(0)  # of spins, see `ising`
    sent = messages.swapaxes(1, 2)  # the kit stores [to, from]
    noise = log_odds[0] - bias
    return State(topology, sent, beliefs, states, residuals, weight, bias, noise, exact, truth, gaps, seed)
