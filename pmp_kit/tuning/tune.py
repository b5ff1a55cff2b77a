"""tune: measure candidates on a model, and return the one with the shortest time to quality."""

import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from jax import Array

from ..engine import checks
from ..engine.arrays import outside_jit
from ..engine.progress import bar
from ..engine.signatures import NamedArrays
from ..graph import Model, as_graph
from ..sample import sample
from ..samplers import PMP, AbstractSampler
from .candidates import Settings, name_of, plan, sampler_of
from .quality import AbstractQuality, Losses, Moments, PerturbedScores
from .result import Curve, Tuned

LADDER = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 400)
"""The numbers of sweeps that are measured."""
SHARE = 0.01
"""The target lies above the best loss of any candidate by this share of the loss after one sweep of PMP()."""
OF_CANDIDATE = 1 / 15
"""The largest share of the budget that the measurements of one candidate take.

It is the same for all, because a candidate with less time could not reach the target of one with more.
"""
TOO_SLOW = 3.0
"""A candidate is given up at this multiple of the time in which another one reaches the target."""
OF_CALL = 1 / 40
"""The share of the budget that a call with 100 sweeps may take."""
OF_RACE = 1 / 5
"""The share of the budget for the last race, in which the fastest candidates and PMP() alternate."""
RACERS, ROUNDS = 5, 9
WORTH = 1.05
"""How many times faster than PMP() another candidate has to be. A smaller gain is noise of the times."""
SAMPLES, MOST_SAMPLES, REPEATS = 8, 1000, 3
"""The samples with which the time of a sweep is first measured, the most samples of any measurement, and the calls of
which the shortest counts."""


class Trial(NamedTuple):
    """The measurements of one candidate."""

    settings: Settings
    sampler: AbstractSampler
    num_sweeps: np.ndarray
    seconds: np.ndarray
    found: np.ndarray
    """What the quality measured after each number of sweeps, (K, ...)."""
    possible: np.ndarray
    """The share of possible samples after each number of sweeps, (K,)."""
    cut: bool
    """Whether some samples might still change with more sweeps."""


def tune(
    key: Array, model: Model, budget: float = 10.0, *, reference: NamedArrays | None = None,
    evidence: NamedArrays | None = None, num_samples: int | None = None,
) -> Tuned:  # fmt: skip
    """Choose the settings of PMP that give good samples of a model in the shortest time.

    All candidates draw samples with the same keys, with 1 to 400 sweeps. The loss compares the score of each sample, in
    its own perturbed model (Eq. 2), with the best score that any candidate found: 0 is the best found, and 1 the worst.
    Impossible samples count as worse than all others. With `reference`, the loss is the difference of the moments
    instead, and one sweep of PMP() has loss 1. If the loss rises again with more sweeps, the higher one counts. The
    target is the lowest loss plus its standard error, plus 1 % of the difference to the loss of one sweep of PMP(). The
    schedules are compared first, then variations of the fastest one (checks, damping, start). Finally the five fastest
    and PMP() are timed in turn. PMP() is the choice unless another one is 5 % faster even if the losses of PMP() are
    one standard error lower than measured.

    Args:
        key: a JAX key, of the samples and of the random orders that are tried for hard constraints.
        model: a FactorGraph or anything with .graph(), not the start of `fit`, for which one sweep may be enough.
        budget: the seconds that tuning may take, compilation included. If they end early, the last candidate is
            finished, and the fastest one is returned. PMP() is compiled and measured, however long this takes.
        reference: samples that follow the right distribution (given the evidence, if there is any), dict block name ->
            states (N, *shape), without FREE.
        evidence: dict block name -> states or FREE, in the block's shape, or (num_samples, *shape).
        num_samples: the samples of each call; by default the rows of the evidence, else up to 1,000, fewer if sweeps
            are slow. At least 2, because their differences give the errors.

    Returns: a `Tuned`. Raises: TypeError or ValueError that names the argument, and TypeError inside `jit`.
    """
    begin = time.monotonic()
    key, graph, budget = checks.key(key), as_graph(model), float(checks.number("budget", budget, 0.01, 1e5))

    def draw(number: int, sampler: AbstractSampler, num_sweeps: int):
        return sample(key, graph, sampler, num_samples=number, num_sweeps=num_sweeps, evidence=evidence)

    outside_jit("tune", graph, key, evidence, reference)
    number = _given(num_samples, graph.variables.flat_evidence(evidence)) or _affordable(draw, budget)
    known = graph.variables.evidence(evidence, number)
    quality = PerturbedScores(key, graph, PMP(), known) if reference is None else Moments(graph, reference, known)
    left = lambda kept=0.0: budget * (1.0 - kept) - (time.monotonic() - begin)  # noqa: E731
    call = partial(draw, number)
    trials, complete = _trials(partial(plan, key, graph), quality, call, left, budget)
    curves, target = _curves(quality, trials)
    best, *others = _ordered(call, curves, target, left())
    sweeps, unfinished = int(best.num_sweeps[best.reached]), _unfinished(trials, curves, target)
    return Tuned(best.sampler, sweeps, best.time, number, target, (best, *others), complete, unfinished)


def timed(call: Callable, *arguments) -> float:
    """Return the seconds of one call."""
    start = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - start


def _given(num_samples: int | None, evidence: np.ndarray) -> int | None:
    """Return the number of samples that the arguments ask for, None if it is free."""
    if num_samples is not None:
        return checks.count("num_samples", num_samples, minimum=2)
    return checks.count("the rows of evidence", len(evidence), minimum=2) if evidence.ndim == 2 else None


def _affordable(draw: Callable, budget: float) -> int:
    """Return the number of samples, at most MOST_SAMPLES, of which 100 sweeps of PMP() take OF_CALL of the budget."""
    draw(SAMPLES, PMP(), 1)  # compiles
    few, more = (min(timed(draw, SAMPLES, PMP(), sweeps) for _ in range(REPEATS)) for sweeps in (1, 11))
    hundred = max(10.0 * (more - few), more)  # a call with 100 sweeps takes longer than one with 11
    return int(np.clip(SAMPLES * budget * OF_CALL / hundred, 2, MOST_SAMPLES))


def _trials(planned: Callable, quality: AbstractQuality, call: Callable, left: Callable, budget: float):
    """Return the measurements of the candidates, and whether all were measured within the time that is left."""
    trials: list[Trial] = []
    best, limit, whole = {}, float("inf"), left(OF_RACE)
    with bar(whole, "tuning") as shown:
        for settings in planned(lambda: best):  # noqa: B023  (the best so far is meant)
            if trials and left(OF_RACE) <= 0:
                return trials, False
            sampler = sampler_of(settings)
            trials.append(Trial(settings, sampler, *climb(quality, call, sampler, budget * OF_CANDIDATE, limit)))
            curves, _ = _curves(quality, trials)
            place = min(range(len(curves)), key=lambda number: _rank(curves[number]))
            best, limit = trials[place].settings, TOO_SLOW * curves[place].time
            shown.update(whole - left(OF_RACE) - shown.n)
    return trials, True


def climb(quality: AbstractQuality, call: Callable, sampler: AbstractSampler, budget: float, limit: float):
    """Measure one sampler up the ladder, until its time is used or more sweeps change no sample.

    Args:
        quality: what is measured.
        call: a function (sampler, num_sweeps) -> samples.
        sampler: the sampler.
        budget: the seconds of all calls together.
        limit: the seconds of a single call after which the sampler is given up.

    Returns: the numbers of sweeps, the seconds of each call, what the quality measured, and the share of possible
        samples, (K, ...) each; and whether some samples might still change with more sweeps.
    """
    call(sampler, 1)  # compiles
    seconds, found, possible, finished = [], [], [], False
    for number in LADDER:
        begin = time.perf_counter()
        samples = call(sampler, number)
        seconds.append(time.perf_counter() - begin)
        found.append(quality.measure(samples))
        possible.append(quality.possible(samples))
        finished = bool((samples.sweeps < number).all())
        if sum(seconds) > budget or seconds[-1] > limit or finished:
            break
    # more sweeps never take less time: a lower time later shows that other load slowed the earlier call
    lowest = np.minimum.accumulate(seconds[::-1])[::-1]
    return np.array(LADDER[: len(found)]), lowest, np.stack(found), np.array(possible), not finished


def _curves(quality: AbstractQuality, trials: list[Trial]) -> tuple[list[Curve], float]:
    """Return the curve of each trial, and the target."""
    losses = [_lasting(loss) for loss in quality.losses([trial.found for trial in trials])]
    lowest, error = min(pair for loss in losses for pair in zip(loss.mean, loss.error, strict=True))
    target = float(lowest + error + SHARE * max(losses[0].mean[0] - lowest, 0.0))
    curves = []
    for trial, loss in zip(trials, losses, strict=True):
        measured = trial.num_sweeps, trial.seconds, loss.mean, loss.error, trial.possible
        curves.append(Curve(name_of(trial.settings), trial.sampler, *measured, _first(loss.mean <= target)))
    return curves, target


def _lasting(losses: Losses) -> Losses:
    """Return the largest loss from each number of sweeps on, because states that alternate look better in between."""
    return losses._replace(mean=np.maximum.accumulate(losses.mean[::-1])[::-1])


def _first(met: np.ndarray) -> int | None:
    """Return the first index at which `met` is True, None if it never is."""
    return int(np.argmax(met)) if met.any() else None


def _unfinished(trials: list[Trial], curves: list[Curve], target: float) -> bool:
    """Return whether the best candidate needed more than half of its sweeps to reach the target."""
    trial, curve = min(zip(trials, curves, strict=True), key=lambda pair: pair[1].loss.min())
    if not trial.cut or len(curve.loss) == 1:
        return trial.cut
    half = np.searchsorted(curve.num_sweeps, curve.num_sweeps[-1] // 2, side="right") - 1
    return bool(curve.loss[half] > target)


def _rank(curve: Curve) -> tuple[float, float]:
    """Return what orders curves: the time to the target, then the lowest loss."""
    return curve.time, curve.loss.min()


def _ordered(call: Callable, curves: list[Curve], target: float, seconds: float) -> list[Curve]:
    """Return the curves: the choice, the others of the last race by their median times, and those that were not in it.

    PMP(), the first of `curves`, is the choice unless another one is WORTH times faster than it would be with some
    luck, with its losses one standard error lower.
    """
    defaults, ranked = curves[0], sorted(curves, key=_rank)
    lucky = defaults._replace(reached=_first(defaults.loss - defaults.error <= target))
    able = [curve for curve in ranked if curve.reached is not None]
    racers = able[:RACERS] + [curve for curve in able[RACERS:] if curve is defaults]
    *raced, lucky = _race(call, [*racers, lucky], seconds)
    raced.sort(key=_rank)
    if lucky.time <= WORTH * raced[0].time:
        first = [curve for curve in raced if curve.sampler is defaults.sampler] or [lucky]
        raced = first + [curve for curve in raced if curve.sampler is not defaults.sampler]
    return raced + [curve for curve in ranked if all(curve.sampler is not one.sampler for one in raced)]


def _race(call: Callable, curves: list[Curve], seconds: float) -> list[Curve]:
    """Return the curves with their median times at the target; those that reach it take turns."""
    begin, times = time.monotonic(), [[] for _ in curves]
    for number in range(1, ROUNDS + 1):
        for curve, own in zip(curves, times, strict=True):
            if curve.reached is not None:
                own.append(timed(call, curve.sampler, int(curve.num_sweeps[curve.reached])))
        if (time.monotonic() - begin) * (number + 1) / number > seconds:
            break
    return [_timed(curve, float(np.median(own))) if own else curve for curve, own in zip(curves, times, strict=True)]


def _timed(curve: Curve, median: float) -> Curve:
    """Return the curve with this time at the target."""
    seconds = curve.seconds.copy()
    seconds[curve.reached] = median
    return curve._replace(seconds=seconds)
