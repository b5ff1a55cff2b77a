"""The candidates of `tune`: settings of PMP, each step of which changes one of the best settings so far."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import jax
from jaxtyping import Array

from ..graph import FactorGraph
from ..samplers import PMP, AbstractSampler, PerturbAndMAP
from ..solvers import Alternating, MaxProduct, Portfolio, RandomMask
from ..solvers.max_product import DAMPING

Settings = dict[str, Any]
LITTLE = 0.05
"""The damping with which `Alternating` is often fastest."""
DAMPINGS = (LITTLE, 0.3, 0.4, 0.7)
"""Damping values to try in addition to the default."""
LAST = {"keep_best": False, "tolerance": 0.0}
"""Settings without checks of the decoded states."""
ORDERS = 4
"""Random orders in a portfolio, as in docs/choosing.md."""
LAST_NUMBER = 2**32 - 1
"""The largest number that can be folded into a key. Samples have small numbers, so no order shares their keys."""


def plan(key: Array, graph: FactorGraph, fastest: Callable[[], Settings]) -> Iterator[Settings]:
    """Yield all candidates in their order: schedules, two rounds of variations of the fastest, the other variations.

    `fastest` returns the fastest of those that were measured so far.
    """
    tried: list[Settings] = []

    def new(candidates: Iterable[Settings]) -> Iterator[Settings]:
        for settings in candidates:
            if settings not in tried:
                tried.append(settings)
                yield settings

    bases = list(schedules(key, graph))
    yield from new(bases)
    for _ in range(2):
        yield from new(variations(fastest()))
    for base in bases:
        yield from new(variations(base))


def schedules(key: Array, graph: FactorGraph) -> Iterator[Settings]:
    """Yield the first candidates: the schedules that have an effect on this graph, the defaults first."""
    yield {}
    if graph.sides != 1:
        yield {"schedule": Alternating()}
        yield {"schedule": Alternating(), "damping": LITTLE}
    if graph.hard:
        orders = [RandomMask(jax.random.fold_in(key, LAST_NUMBER - number)) for number in range(ORDERS)]
        yield {"schedule": orders[0]}
        yield {"solver": Portfolio(*(MaxProduct(schedule=order) for order in orders))}


def variations(best: Settings) -> Iterator[Settings]:
    """Yield the best settings so far with one change each: no checks, another damping, another start."""
    if "solver" in best:
        return
    if "keep_best" not in best:
        yield {**best, **LAST}
    for damping in DAMPINGS:
        if damping != best.get("damping", DAMPING):
            yield {**best, "damping": damping}
    if "start" not in best:
        yield {**best, "start": "zero"}


def sampler_of(settings: Settings) -> AbstractSampler:
    """Return the sampler with these settings."""
    return PerturbAndMAP(**settings) if "solver" in settings else PMP(**settings)


def name_of(settings: Settings) -> str:
    """Return the Python expression of the sampler with these settings; `key` is the key of `tune`."""
    if "solver" in settings:
        order = f"MaxProduct(schedule=RandomMask(fold_in(key, {LAST_NUMBER} - i)))"
        return f"PerturbAndMAP(Portfolio(*({order} for i in range({ORDERS}))))"
    texts = {Alternating: "Alternating()", RandomMask: f"RandomMask(fold_in(key, {LAST_NUMBER}))"}
    shown = (f"{name}={texts.get(type(value)) or repr(value)}" for name, value in settings.items())
    return f"PMP({', '.join(shown)})"
