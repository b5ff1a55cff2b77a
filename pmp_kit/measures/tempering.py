"""Swap rates, round trips and log Z of parallel tempering, all from one run.

Between neighbours at the inverse temperatures b > c, with means over the samples of each one,

    log Z(b) - log Z(c) = log E_c[exp((b - c) / 2 score)] - log E_b[exp(-(b - c) / 2 score)]

(the geometric bridge of Meng and Wong 1996). The sum over the ladder, from an infinite temperature, where Z is the
number of states, is log Z. The samples of one call are independent, so leaving out one of them at a time (jackknife)
gives the standard error.
"""

from typing import NamedTuple

import numpy as np
from jax import Array

from ..engine import checks
from ..engine.arrays import outside_jit
from ..engine.signatures import Floats, NamedArrays, PyTree
from ..graph import FactorGraph, Model, as_graph
from ..sample import check_supported
from ..samplers import ParallelTempering
from ..samplers.tempering import INFINITE
from ..tuning.ladder import measured
from .annealed import base_log_partition


class Tempering(NamedTuple):
    """How a ladder of temperatures works, and log Z.

    Attributes:
        temperatures: the temperatures, (K,).
        swap_rates: how often neighbours exchange their states, (K - 1,). If one of them is near 0, the ladder is cut
            there; `tune_ladder` makes them equal.
        round_trips: how many states a sweep brings from the highest temperature to the lowest, in each sample. After T
            sweeps, a sample has had about T times as many independent starts.
        log_partition: log Z in nats; None unless the highest temperature is infinite and no factor is hard.
        log_partition_error: its standard error, or None. It includes no modes that all samples missed.
        chains: the last states, which `sample` takes as `previous=` with the same sampler and num_samples.
    """

    temperatures: Floats
    swap_rates: Floats
    round_trips: float
    log_partition: float | None
    log_partition_error: float | None
    chains: PyTree


def tempering(
    key: Array, model: Model, sampler: ParallelTempering, *, num_samples: int = 16, num_sweeps: int = 1000,
    evidence: NamedArrays | None = None,
) -> Tempering:  # fmt: skip
    """Run parallel tempering, and measure its swap rates, round trips and log Z.

    Args:
        key: a JAX key.
        model: a FactorGraph or anything with .graph().
        sampler: a `ParallelTempering`, such as that of `tune_ladder`.
        num_samples: the number of independent runs, at least 2. The error of log Z needs about 10.
        num_sweeps: the number of sweeps, at least 20. The first half is burn-in for all results but the round trips.
        evidence: dict block name -> states or FREE, in the block's shape; log Z is then the sum over the states that
            agree with it.

    Returns: a `Tempering`. Cost: that of `sample`, and the memory of all scores.

    Raises: TypeError or ValueError that names the argument.
    """
    outside_jit("tempering", key, model, sampler, evidence)
    key, graph = checks.key(key), as_graph(model)
    sampler = checks.instance("sampler", sampler, ParallelTempering, "pk.tune_ladder(key, model)")
    check_supported(sampler, graph, traced=False)
    num_samples, num_sweeps = checks.count("num_samples", num_samples, 2), checks.count("num_sweeps", num_sweeps, 20)
    known = graph.variables.shared_evidence(evidence)
    seen = measured(key, graph, sampler, num_samples, num_sweeps, known)
    temperatures = np.asarray(sampler.temperatures, np.float64)
    log_z = error = None
    if temperatures[-1] >= INFINITE and not graph.hard:
        rise, error = _log_ratio(1.0 / temperatures, seen.late_scores())
        log_z = rise + _of_states(graph, known)
    shown = np.where(temperatures >= INFINITE, np.inf, temperatures)
    return Tempering(shown, seen.swap_rates(temperatures), seen.round_trips(), log_z, error, seen.states)


def _log_ratio(inverse: np.ndarray, scores: np.ndarray) -> tuple[float, float]:
    """Return log Z(1) - log Z(0) of scores (T, num_samples, K), and its standard error by the jackknife."""
    half = (inverse[:-1] - inverse[1:]) / 2.0
    of_hot, of_cold = (_log_means(x) for x in (half * scores[..., 1:], -half * scores[..., :-1]))
    left_out = (of_hot - of_cold).sum(1)
    number = len(left_out) - 1
    error = np.sqrt((number - 1) / number * np.sum((left_out[1:] - left_out[1:].mean()) ** 2))
    return float(left_out[0]), float(error)


def _log_means(exponents: np.ndarray) -> np.ndarray:
    """Return log mean exp over sweeps and samples (T, N, K): of all samples, and without each of them, (N + 1, K)."""
    top = exponents.max((0, 1))
    of_each = np.exp(exponents - top).mean(0)
    without = (of_each.sum(0) - of_each) / (len(of_each) - 1)
    with np.errstate(divide="ignore"):  # all the weight may be that of one sample
        return top + np.log(np.concatenate([of_each.mean(0)[None], without]))


def _of_states(graph: FactorGraph, known: NamedArrays) -> float:
    """Return the log of the number of states that are left, plus the score that `log_weight` leaves out."""
    row, unaries = graph.variables.evidence(known, 1)[0], np.asarray(graph.unaries, np.float64)
    best = np.where(graph.possible_states(row), unaries, -np.inf).max(1).sum()
    return base_log_partition(graph, np.zeros(unaries.shape), row) + float(best)
