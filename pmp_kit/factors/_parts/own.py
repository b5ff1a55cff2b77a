"""Checks of factor classes of one's own before a computation. The kit's own classes have tests instead.

Wrong numbers would give wrong samples without an error.
"""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool

from ...engine import planes, remember
from ...engine.forms import described
from ...engine.planes import Planes
from ...engine.signatures import PyTree
from ..base import AbstractFactor

TRIED = 4
"""Configurations with which a factor class of one's own is tried."""


@remember.for_these_objects
def refuse_wrong_numbers(graph: Any) -> None:
    """Raise ValueError if a factor class of one's own computes NaN in scores, tables of pairs, or first messages."""
    kit = __name__.partition(".")[0]
    own = [factor for factor in graph.factors if type(factor).__module__.partition(".")[0] != kit]
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
def _configurations(graph: Any) -> tuple[Planes, Planes]:
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
    nan = jnp.isnan(factor.pair_tables()[1]).any()
    return {"pair_tables: expected scores, got NaN; look for 0 / 0 and inf - inf": nan}


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


def checked_neutral(factor: AbstractFactor, batch: tuple[int, ...]) -> PyTree:
    """Return the neutral messages of a factor. Raise ValueError unless all arrays end in the batch axes."""
    messages = factor.neutral_messages(batch)
    if any(jnp.shape(leaf)[max(jnp.ndim(leaf) - len(batch), 0) :] != batch for leaf in jax.tree.leaves(messages)):
        raise ValueError(
            f"{type(factor).__name__}.neutral_messages: expected arrays that end in the batch axes {batch}, got "
            f"{described(messages)}"
        )
    return messages
