"""The members of a search: exact ones, and generators that offer what they find to `Best` after each step.

A step takes less than a second, and longer when it compiles one program. A generator ends when it has nothing to do.
"""

import time
from collections.abc import Iterator

import jax
import numpy as np
from jaxtyping import Array

from .. import run
from ..engine.calls import int32
from ..engine.planes import Planes
from ..samplers import Gibbs
from ..samplers.colouring import colours
from ..solvers import MPLP, MaxFlow, MaxProduct, RandomMask
from ..solvers.pairs import pair_arrays
from . import annealing, bound, messages
from .best import Best
from .conditioned import Landscape
from .elimination import best_states, plan_within
from .order import OutOfTime

STARTS = 8
"""Searches of max-product at once."""
CHAINS = 16
"""Chains of annealing at once."""
SPAN = 40
"""Sweeps of max-product between two looks at its states."""
SWEEPS = 240
"""Sweeps of max-product, after which new random messages begin."""
SHARES = (0.05, 0.1, 0.2, 0.4)
"""The parts of the variables that are drawn anew before the best configuration is improved again."""
CALL = 0.4
"""The seconds of a compiled call."""
FEWEST, MOST = 64, 4096
"""Sweeps of the first annealing and of the last ones."""
ROUNDING = float(np.finfo(np.float32).eps)
"""MPLP computes in the model's precision, so its bound misses the best score by the rounding of its terms."""


def eliminate(best: Best) -> None:
    """Prove the best configuration by exact elimination, if its memory and time fit."""
    problem = best.problem
    if problem is None or (plan := plan_within(problem, 0.9 * best.left())) is None:
        return
    try:
        states, value = best_states(problem.tables, plan.order, best.states, best.deadline)
    except OutOfTime:
        return
    best.offer(states, "elimination")
    rounding = best.value(best.states)[1]
    best.prove(value + problem.constant, 100.0 * rounding, "elimination")


def cut(best: Best) -> None:
    """Find the best configuration of attractive pairs of binary variables by a minimum cut."""
    solver, graph = MaxFlow(), best.graph
    try:
        pairs, tables = pair_arrays(graph)
        problem = solver.problem(pairs, tables, graph.variables.count)
    except ValueError:  # another model
        return
    scores = bound.Dual(graph, best.evidence).scores.T[..., None]
    fractional, _, _ = solver.search(problem, scores)
    states = fractional.argmax(0)[:, 0]
    best.offer(states, "minimum cut")
    best.prove(*best.value(states), "minimum cut")


def condition(best: Best, rng: np.random.Generator) -> Iterator[None]:
    """Improve the best configuration, then others, by elimination given the states of a few variables."""
    if best.problem is None or not best.problem.near:
        return
    landscape, states, number = Landscape(best.problem), best.states, 0
    while True:
        top, mine = -np.inf, states
        for new, score in landscape.climbed(states, rng, best.deadline):
            if score > top:
                top, mine = score, new
                best.offer(new, "elimination given some variables")
            yield
        number, possible = number + 1, np.isfinite(best.score)
        share = 1.0 if not possible or number % 3 == 0 else float(rng.choice(SHARES))
        states = landscape.random(best.states if possible else mine, rng, share)


def clamped(best: Best, batch: int) -> Planes:
    """Return the unaries given the evidence, (planes, n, batch)."""
    return run.clamped_unaries(best.graph, best.evidence[:, None], batch)


def offer(best: Best, unaries: Planes, states: Planes, found_by: str) -> None:
    """Offer the states of a batch after changes of single variables."""
    found, scores = annealing.climbed(best.graph, unaries, states)
    best.offer_many(np.asarray(found), np.asarray(scores), found_by)


def pass_messages(best: Best, key: Array) -> Iterator[None]:
    """Run max-product from random messages in random orders; half of the searches fix their surest variables."""
    graph, number, given = best.graph, 0, clamped(best, STARTS)
    while True:
        here, unaries = jax.random.fold_in(key, number), given
        solver = MaxProduct(0.3 if number % 2 else 0.5, schedule=RandomMask(here), tolerance=0.0)
        state = messages.begin(here, graph, solver, unaries)
        yield
        for first in range(0, SWEEPS, SPAN):
            state, states = messages.advance(graph, solver, unaries, state, *int32(first, first + SPAN))
            yield
            offer(best, given, states, "max-product")
            yield
            unaries = messages.with_surest_fixed(graph, unaries, state)
        number += 1


def anneal(best: Best, key: Array) -> Iterator[None]:
    """Cool Gibbs chains, ever more slowly, and improve their last states by changes of single variables."""
    graph, total, number, units = best.graph, FEWEST, 0, 4
    own = colours(graph)
    sampler = Gibbs(own if len(own) <= graph.variables.count // 4 else None)
    unaries = clamped(best, CHAINS)
    hot = annealing.first_temperature(graph, unaries, annealing.random_states(key, unaries))
    yield
    while True:
        here, first = jax.random.fold_in(key, number), 0
        states = annealing.random_states(here, unaries)
        while first < total:
            begin, last = time.monotonic(), min(total, first + units)
            states = annealing.anneal(here, graph, sampler, unaries, states, hot, *int32(first, last, total))
            jax.block_until_ready(states)
            if first or number:  # not the first call, which compiles
                units = adapted(units, last - first, time.monotonic() - begin)
            first = last
            yield
        offer(best, unaries, states, "annealing")
        total, number = min(MOST, 2 * total), number + 1


def bounded(best: Best) -> Iterator[None]:
    """Lower an upper bound by MPLP, which also finds configurations of pairwise models."""
    graph, solver, units, first = best.graph, MPLP(), 2, 0
    dual, unaries = bound.Dual(graph, best.evidence), clamped(best, 1)
    state = bound.begin(graph, solver, unaries)
    yield
    while not bool(state.finished.all()):
        begin = time.monotonic()
        state, states = bound.advance(graph, solver, unaries, state, *int32(first, first + units))
        yield
        offer(best, unaries, states, "MPLP")
        value, size = dual.value(np.asarray(state.pair_messages)[..., 0])
        best.prove(value, ROUNDING * size)
        yield
        first, done = first + units, units
        if first > done:
            units = adapted(units, done, time.monotonic() - begin)


def adapted(units: int, done: int, seconds: float) -> int:
    """Return the sweeps that take about CALL seconds, if `done` of them took some seconds."""
    return max(1, min(int(done * CALL / max(seconds, 1e-6)), 8 * units))
