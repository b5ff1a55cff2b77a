"""tune_ladder: temperatures of parallel tempering at which all neighbours exchange their states equally often.

The measurements of a ladder are here as well, for `measures.tempering`.
"""

from math import ceil
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array, random

from ..engine import checks, planes
from ..engine.arrays import outside_jit
from ..engine.signatures import NamedArrays, PyTree
from ..graph import Model, as_graph
from ..sample import check_supported, trace
from ..samplers import AbstractSampler, Gibbs, ParallelTempering
from ..samplers.chain import AbstractChain
from ..samplers.tempering import INFINITE, exchanged

RATE = 0.5
"""The swap rate at which the number of temperatures is chosen.

More temperatures need more sweeps for the same number of round trips (Syed et al. 2022, Section 5).
"""
MOST = 64
"""The most temperatures that are chosen. Models of thousands of variables would need more."""
FIRST = 10
"""The number of temperatures of the first ladder, if it is not given."""
NUM_CHAINS = 16
ROUNDS, CHOOSING = 4, 1
"""The number of ladders that are measured, and that of the ladder after which the number of temperatures is chosen."""
LOWEST = 1e-12
"""The lowest swap rate that is told from 0."""


def tune_ladder(
    key: Array, model: Model, sampler: AbstractChain | None = None, *, num_temperatures: int | None = None,
    highest: float = np.inf, num_sweeps: int = 1000, evidence: NamedArrays | None = None,
) -> ParallelTempering:  # fmt: skip
    """Place the temperatures of parallel tempering so that all neighbours exchange their states equally often.

    For scores with a normal distribution, the swap rate of two neighbours is erfc(d / 2), and their distances d add up
    along the ladder. Four ladders are measured one after the other. Each has equal distances by the rates of the ladder
    before it (compare Syed et al. 2022, Algorithm 2). `measures.tempering` measures the result.

    Args:
        key: a JAX key.
        model: a FactorGraph or anything with .graph().
        sampler: the Markov chain at each temperature; by default Gibbs().
        num_temperatures: the number of temperatures, at least 2; by default as many as give a swap rate of about 0.5,
            at most 64.
        highest: the highest temperature. If it is infinite, the states there are independent of each other, and
            `measures.tempering` estimates log Z.
        num_sweeps: the number of sweeps of all ladders together, at least 80, in 16 runs at once.
        evidence: dict block name -> states or FREE, in the block's shape.

    Returns: a `ParallelTempering`. Cost: num_sweeps * num_temperatures sweeps of `sampler` for 16 samples.

    Raises: TypeError or ValueError that names the argument, and TypeError inside `jit`.
    """
    outside_jit("tune_ladder", key, model, sampler, evidence)
    key, graph = checks.key(key), as_graph(model)
    chain = checks.instance("sampler", Gibbs() if sampler is None else sampler, AbstractChain, "Gibbs()")
    check_supported(chain, graph, traced=False)
    wanted = None if num_temperatures is None else checks.count("num_temperatures", num_temperatures, 2)
    lowest = 0.0 if highest == np.inf else 1.0 / checks.number("highest", highest, 1.0 + 1e-3)
    num_sweeps = checks.count("num_sweeps", num_sweeps, 20 * ROUNDS)
    known = graph.variables.shared_evidence(evidence)
    inverse, states = np.linspace(1.0, lowest, wanted or FIRST), None
    for number in range(ROUNDS):
        ladder = _ladder(inverse, chain)
        run_key = random.fold_in(key, number)
        seen = measured(run_key, graph, ladder, NUM_CHAINS, num_sweeps // ROUNDS, known, states)
        place = np.append(0.0, np.cumsum(_distances(seen.swap_rates(ladder.temperatures))))
        if number == CHOOSING and wanted is None:
            wanted = int(np.clip(ceil(place[-1] / _distances(RATE)) + 1, 2, MOST))
        even = np.linspace(0.0, place[-1], wanted or FIRST)
        states = seen.states[:, np.abs(place - even[:, None]).argmin(1)]  # those of the nearest old temperature
        inverse = np.interp(even, place, inverse)
    return _ladder(inverse, chain)


class Measured(NamedTuple):
    """A run of parallel tempering.

    Attributes:
        scores: the scores of the chains at each temperature before each exchange, relative to the best unaries,
            (num_sweeps, num_samples, K), in nats.
        origin: the number of the chain, from 0 at the lowest temperature, that had the state of each temperature at the
            start, (num_sweeps, num_samples, K).
        states: the states after the last sweep, as `previous` takes them.
    """

    scores: np.ndarray
    origin: np.ndarray
    states: PyTree

    def swap_rates(self, temperatures) -> np.ndarray:
        """Return the mean acceptance probability of each pair of neighbours in the second half, (K - 1,)."""
        inverse, scores = 1.0 / np.asarray(temperatures, np.float64), self.late_scores()
        log_ratio = (inverse[:-1] - inverse[1:]) * np.diff(scores)
        return np.exp(np.minimum(log_ratio, 0.0)).mean((0, 1))

    def late_scores(self) -> np.ndarray:
        """Return the scores of the second half of the sweeps in float64. The first half is burn-in."""
        return self.scores[len(self.scores) // 2 :].astype(np.float64)

    def round_trips(self) -> float:
        """Return how many states a sweep of one sample brings from the highest to the lowest temperature."""
        from_highest, trips = np.zeros(self.origin.shape[1:], bool), 0
        samples = np.arange(len(from_highest))
        for origin in self.origin:
            lowest, highest = origin[:, 0], origin[:, -1]
            trips += from_highest[samples, lowest].sum()
            from_highest[samples, lowest], from_highest[samples, highest] = False, True
        return float(trips / self.origin[..., 0].size)


def measured(key, graph, ladder: ParallelTempering, num_samples: int, num_sweeps: int, known, states=None) -> Measured:
    """Return a run of parallel tempering.

    Args:
        known: the checked evidence, dict block name -> states.
        states: the `states` of an earlier run with as many temperatures, or None.
    """
    seen = trace(
        key, graph, _Observed(ladder), num_sweeps=num_sweeps, observe=_scores_and_origin, num_samples=num_samples,
        evidence=known, previous=states,
    )  # fmt: skip
    scores, origin = (values[1:] for values in seen.values)
    return Measured(scores, origin, seen.chains.states)


def _ladder(inverse: np.ndarray, sampler: AbstractChain) -> ParallelTempering:
    """Return parallel tempering at these inverse temperatures."""
    temperatures = 1.0 / np.maximum(inverse, 1.0 / INFINITE)
    temperatures[0] = 1.0
    return ParallelTempering(temperatures, sampler)


def _distances(rates):
    """Return the distance d of neighbours with these swap rates, erfc(d / 2)."""
    from scipy.special import erfcinv

    return 2.0 * erfcinv(np.clip(rates, LOWEST, 1.0 - 1e-6))


class _Observation(NamedTuple):
    """The state of `_Observed`, which is also what is observed, arrays (K, ..., batch)."""

    states: planes.Planes
    scores: Array
    origin: Array


class _Observed(AbstractSampler):
    """Parallel tempering whose scores and exchanges can be observed."""

    ladder: ParallelTempering

    def init(self, keys, graph, unaries, previous):
        states = self.ladder.init(keys, graph, unaries, previous)
        shape = states.shape[0], states.shape[-1]
        origin = jnp.broadcast_to(self.ladder.numbers()[:, None], shape)
        return _Observation(states, jnp.zeros(shape, unaries.dtype), origin)

    def sweep(self, keys, graph, unaries, state):
        states, scores, holder = self.ladder.sweep_and_exchange(keys, graph, unaries, state.states)
        return _Observation(exchanged(states, holder), scores, jnp.take_along_axis(state.origin, holder, axis=0))

    def done(self, state):
        return self.ladder.done(state.states)

    def view(self, graph, unaries, state):
        return state


def _scores_and_origin(view: Any) -> tuple[Array, Array]:
    return view.scores, view.origin
