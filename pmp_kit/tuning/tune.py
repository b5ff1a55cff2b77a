"""tune: measure candidates on a model, and return the one with the shortest time to quality."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import jax
import numpy as np
from jax import Array

from ..engine import validate
from ..engine.signatures import NamedArrays
from ..graph import Model, as_graph
from ..measures.timing import timed
from ..samplers import PMP, AbstractSampler
from ..verbs import sample
from .candidates import Settings, name_of, plan, sampler_of
from .quality import AbstractQuality, Moments, PerturbedScores
from .result import Curve, Tuned

LADDER = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 400)
"""The numbers of sweeps that are measured."""
SHARE = 0.01
"""The share of the loss after one sweep of PMP() that may be missing to the best loss of any candidate."""
OF_CANDIDATE = 1 / 15
"""The largest share of the budget that the measurements of one candidate take."""
TOO_SLOW = 3.0
"""A candidate is given up at this multiple of the time in which another one reaches the target."""
OF_CALL = 1 / 40
"""The share of the budget that a call with 100 sweeps may take."""
OF_RACE = 1 / 5
"""The share of the budget for the last race, in which the fastest candidates and PMP() alternate."""
RACERS, ROUNDS = 5, 9
SAMPLES, MOST_SAMPLES = 8, 1000
"""The samples with which the time of a sweep is first measured, and the most samples of any measurement."""


class Trial(NamedTuple):
    """The measurements of one candidate."""

    settings: Settings
    sampler: AbstractSampler
    num_sweeps: np.ndarray
    seconds: np.ndarray
    found: np.ndarray
    """What the quality measured after each number of sweeps, (K, ...)."""


def tune(
    key: Array, model: Model, budget: float = 10.0, *, reference: NamedArrays | None = None,
    evidence: NamedArrays | None = None, num_samples: int | None = None,
) -> Tuned:  # fmt: skip
    """Choose the settings of PMP that give good samples of a model in the shortest time.

    All candidates draw samples with the same keys, with 1 to 400 sweeps. The loss compares the score of each sample, in
    its own perturbed model (Eq. 2), with the best score that any candidate found: 0 is the best found, and 1 the worst.
    With `reference`, the loss is the difference of the moments instead, and one sweep of PMP() has loss 1. The target
    is the lowest loss plus its standard error, plus 1 % of the loss of one sweep of PMP(). First the schedules are
    compared. Then the fastest one is varied: its checks of the decoded states, damping, and start. Finally the five
    fastest and PMP() take turns with new keys, so that none wins by luck. Those that miss the target of the new samples
    count as not reaching it. The fastest of the others is returned.

    Args:
        key: a JAX key, of the samples and of the random orders that are tried for hard constraints.
        model: a FactorGraph or anything with .graph().
        budget: the seconds that tuning may take, compilation included. If they end early, the fastest of the candidates
            measured so far is returned. PMP() is measured in any case.
        reference: samples that follow the right distribution, dict block name -> states (N, *shape), with every block.
        evidence: dict block name -> states or FREE, in the block's shape, or (num_samples, *shape).
        num_samples: the samples of each call; by default the rows of the evidence, else up to 1,000, fewer if sweeps
            are slow.

    Returns: a `Tuned` with the sampler, a table and a curve of each candidate. Raises: TypeError or ValueError that
        names the argument.
    """
    begin = time.monotonic()
    key, graph = validate.key(key), as_graph(model)
    budget = float(validate.number("budget", budget, low=0.01, high=1e5))

    def draw(key: Array, number: int, sampler: AbstractSampler, num_sweeps: int):
        return sample(key, graph, sampler, num_samples=number, num_sweeps=num_sweeps, evidence=evidence)

    rows = graph.variables.flatten(evidence or {}, argument="evidence").shape[:-1]
    wanted = rows[0] if num_samples is None and rows else num_samples
    number = _affordable(partial(draw, key), budget) if wanted is None else validate.count("num_samples", wanted)
    known = graph.variables.evidence(evidence, number)
    moments = None if reference is None else Moments(graph, reference)

    def calls(key: Array) -> tuple[Callable, AbstractQuality]:
        return partial(draw, key, number), moments or PerturbedScores(key, graph, PMP(), known)

    left = lambda kept=0.0: budget * (1.0 - kept) - (time.monotonic() - begin)  # noqa: E731
    call, quality = calls(key)
    trials, complete = _trials(partial(plan, key, graph), quality, call, left, budget)
    curves, target = _curves(quality, trials)
    new = (calls(jax.random.fold_in(key, turn)) for turn in range(ROUNDS))
    curves = _race(new, sorted(curves, key=_rank), trials[0].sampler, left())
    best = curves[0]
    return Tuned(best.sampler, int(best.num_sweeps[best.reached]), best.time, number, target, tuple(curves), complete)


def _affordable(draw: Callable, budget: float) -> int:
    """Return the number of samples, at most MOST_SAMPLES, of which 100 sweeps of PMP() take OF_CALL of the budget."""
    draw(SAMPLES, PMP(), 1)  # compiles
    few, more = (timed(draw, SAMPLES, PMP(), num_sweeps) for num_sweeps in (1, 11))
    hundred = 10.0 * max(more - few, 1e-9)
    return int(np.clip(SAMPLES * budget * OF_CALL / hundred, 2, MOST_SAMPLES))


def _trials(planned: Callable, quality: AbstractQuality, call: Callable, left: Callable, budget: float):
    """Return the measurements of the candidates, and whether all were measured within the time that is left."""
    trials: list[Trial] = []
    best, limit = {}, float("inf")
    for settings in planned(lambda: best):  # noqa: B023  (the best so far is meant)
        if trials and left(OF_RACE) <= 0:
            return trials, False
        sampler = sampler_of(settings)
        trials.append(Trial(settings, sampler, *climb(quality, call, sampler, budget * OF_CANDIDATE, limit)))
        curves, _ = _curves(quality, trials)
        place = min(range(len(curves)), key=lambda number: _rank(curves[number]))
        best, limit = trials[place].settings, TOO_SLOW * curves[place].time
    return trials, True


def climb(quality: AbstractQuality, call: Callable, sampler: AbstractSampler, budget: float, limit: float):
    """Measure one sampler up the ladder, until its time is used or all samples have finished.

    Args:
        quality: what is measured.
        call: a function (sampler, num_sweeps) -> samples.
        sampler: the sampler.
        budget: the seconds of all calls together.
        limit: the seconds of a single call after which the sampler is given up.

    Returns: the numbers of sweeps, the seconds of each call, and what the quality measured, (K, ...) each.
    """
    call(sampler, 1)  # compiles
    seconds, found, spent = [], [], 0.0
    for number in LADDER:
        begin = time.perf_counter()
        samples = call(sampler, number)
        seconds.append(time.perf_counter() - begin)
        found.append(quality.measure(samples))
        spent += seconds[-1]
        if spent > budget or seconds[-1] > limit or (samples.sweeps < number).all():
            break
    # more sweeps never take less time: a lower time later shows that other load slowed the earlier call
    lowest = np.minimum.accumulate(seconds[::-1])[::-1]
    return np.array(LADDER[: len(found)]), lowest, np.stack(found)


def _curves(quality: AbstractQuality, trials: list[Trial]) -> tuple[list[Curve], float]:
    """Return the curve of each trial, and the target."""
    losses = quality.losses([trial.found for trial in trials])
    lowest, error = min(pair for loss in losses for pair in zip(loss.mean, loss.error, strict=True))
    target = _target(losses[0].mean[0], lowest, error)
    curves = []
    for trial, loss in zip(trials, losses, strict=True):
        low = np.flatnonzero(loss.mean <= target)
        reached = int(low[0]) if low.size else None
        name = name_of(trial.settings)
        curves.append(Curve(name, trial.sampler, trial.num_sweeps, trial.seconds, loss.mean, loss.error, reached))
    return curves, target


def _target(first: float, lowest: float, error: float) -> float:
    """Return the target, from the loss of one sweep of `PMP()`, the lowest loss, and the error of the latter."""
    return float(lowest + error + SHARE * max(first - lowest, 0.0))


def _rank(curve: Curve) -> tuple[float, float]:
    """Return what orders curves: the time to the target, then the lowest loss."""
    return curve.time, curve.loss.min()


def _race(new: Iterator, curves: list[Curve], defaults: AbstractSampler, seconds: float) -> list[Curve]:
    """Let the fastest curves take turns with new keys, each with its number of sweeps to the target.

    Args:
        new: calls and their quality for each turn.
        curves: the curves, the fastest first.
        defaults: `PMP()`, which takes part if it reached the target.
        seconds: the time for all turns. There is at least one.

    Returns: the curves, the fastest first. Those that took part have their median times, or `reached` None if they
        missed the target of the new samples.
    """
    able = [curve for curve in curves if curve.reached is not None]
    racers = able[:RACERS] + [curve for curve in able[RACERS:] if curve.sampler is defaults]
    entries = [(defaults, 1), *((curve.sampler, int(curve.num_sweeps[curve.reached])) for curve in racers)]
    begin, times, losses = time.monotonic(), [], []
    for call, quality in new:
        own, found = [], []
        for entry in entries:
            start = time.perf_counter()
            samples = call(*entry)
            own.append(time.perf_counter() - start)
            found.append(quality.measure(samples)[None])
        times.append(own)
        losses.append([(loss.mean[0], loss.error[0]) for loss in quality.losses(found)])
        if (time.monotonic() - begin) * (len(times) + 1) / len(times) > seconds:
            break
    medians, mean = np.median(times, axis=0), np.mean(losses, axis=0)[:, 0]
    error = np.sqrt(np.square(losses)[..., 1].sum(0)) / len(losses)
    lowest = 1 + int(mean[1:].argmin())
    target = _target(mean[0], mean[lowest], error[lowest])
    raced = [_raced(*one) for one in zip(racers, medians[1:], mean[1:] <= target, strict=True)]
    others = [curve for curve in curves if all(curve is not one for one in racers)]
    passed, missed = ([curve for curve in raced if (curve.reached is None) == failed] for failed in (False, True))
    return sorted(passed, key=_rank) + sorted(others + missed, key=_rank)


def _raced(curve: Curve, median: float, reached: bool) -> Curve:
    """Return the curve with this time at the target, or as one that misses the target."""
    if not reached:
        return curve._replace(reached=None)
    seconds = curve.seconds.copy()
    seconds[curve.reached] = median
    return curve._replace(seconds=seconds)
