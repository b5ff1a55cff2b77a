"""Checks before a computation: whether a sampler or a solver supports the model, and whether its numbers are usable."""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool

from .engine import parameters, planes, remember
from .engine.planes import Planes
from .engine.structure import structure
from .factors import AbstractFactor
from .graph import FactorGraph
from .samplers import AbstractSampler
from .solvers import AbstractSolver
from .solvers.starts import checked_neutral

TRIED = 4
"""Configurations with which a factor class of one's own is tried."""


def check_supported(part: AbstractSampler | AbstractSolver, graph: FactorGraph, traced: bool) -> None:
    """Raise ValueError if a sampler or a solver does not support the graph, or if a number of it is not usable.

    Traced numbers are checked for their precision alone, and graphs with traced wiring are not checked for support.
    """
    if not traced:
        parameters.refuse_unusable(graph)
        check: Any = type(part).check  # `part.check` would build a pytree, which takes Equinox 25 microseconds
        check(part, graph)
        refuse_wrong_numbers(graph)
        return
    parameters.refuse_half_precision(graph)
    with structure(graph) as known:
        if known is not None:
            part.check(known)


@remember.for_these_objects
def refuse_wrong_numbers(graph: FactorGraph) -> None:
    """Raise ValueError if a factor class of one's own computes NaN in scores, tables of pairs, or first messages.

    Samples would be wrong without an error. The kit's own classes have tests instead.
    """
    own = [factor for factor in graph.factors if type(factor).__module__.partition(".")[0] != __package__]
    if not own:
        return
    states, unaries = _configurations(graph)
    for factor in own:
        for tried, given in ((_scores, states), (_tables, None), (_messages, unaries)):
            try:
                faults = tried(factor, given)
            except Exception:  # it comes again where the method is needed: chains, for one, need no messages
                continue
            for fault, found in faults.items():
                if found:
                    raise ValueError(f"{type(factor).__name__}.{fault}")


@jax.jit
def _configurations(graph: FactorGraph) -> tuple[Planes, Planes]:
    """Return TRIED random configurations that the unaries allow, and unaries clamped to the last half of them."""
    unaries = jnp.broadcast_to(graph.planes()[..., None], (*graph.planes().shape, TRIED))
    states = planes.decode_noisy(unaries, jax.random.normal(jax.random.key(0), unaries.shape, unaries.dtype))
    return states, planes.clamp(unaries, planes.to_states(states).at[:, : TRIED // 2].set(planes.FREE))


@jax.jit
def _scores(factor: AbstractFactor, states: Planes) -> dict[str, Bool[Array, ""]]:
    """Return the faults of the scores of states, and whether each was found."""
    nan = jnp.isnan(factor.checked_score(states)).any()
    return {"score: expected numbers, got NaN; look for 0 / 0 and inf - inf": nan}


@jax.jit
def _tables(factor: AbstractFactor, _: None) -> dict[str, Bool[Array, ""]]:
    """Return the fault of `pair_tables`, and whether it was found."""
    _, tables = factor.pair_tables()
    return {"pair_tables: expected scores, got NaN; look for 0 / 0 and inf - inf": jnp.isnan(tables).any()}


@jax.jit
def _messages(factor: AbstractFactor, unaries: Planes) -> dict[str, Bool[Array, ""]]:
    """Return the faults of the first messages and the first update, and whether each was found.

    Hard factors have none, because they may send NaN (see `AbstractFactor.hard`).
    """
    if factor.hard:
        return {}
    messages = checked_neutral(factor, unaries.shape[2:])
    first = factor.to_variables(messages, unaries)
    second = factor.to_variables(factor.update(first, messages), unaries)
    cause = "look for inf - inf: beliefs of observed variables are infinite, so clip them before you subtract"
    return {
        "neutral_messages: expected numbers, got NaN; look for 0 / 0 and inf - inf": jnp.isnan(first).any(),
        f"update: expected numbers, got NaN; {cause}": jnp.isnan(second).any(),
    }
