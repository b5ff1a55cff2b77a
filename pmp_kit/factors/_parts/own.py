"""Checks of factor classes of one's own before a computation. The kit's own classes have tests instead.

Wrong numbers would give wrong samples without an error.
"""

import contextlib
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool

from ...engine import planes, remember
from ...engine.forms import described
from ...engine.planes import Planes
from ...engine.signatures import PyTree
from ..base import AbstractFactor
from ..table import AbstractTable

RANDOM = 4
"""Random configurations with which a factor class of one's own is tried, beside the first and the last states."""
NAN = "expected numbers, got NaN; look for 0 / 0, 0 * inf and inf - inf"
INFINITE = (
    "Beliefs of observed variables are infinite, so clip them before you subtract. If the score can be -inf, define "
    "`hard` as True"
)
FAULTS = {
    "score": NAN,
    "finite_score": NAN,
    "hard": "expected True, because the score can be -inf, got False; define it as a property",
    "violations": "expected numbers, got NaN or counts that contradict the score; they are positive where it is -inf, "
    "and 0 elsewhere",
    "own_table": "expected finite scores, got NaN or infinity; write 0 for forbidden entries, marked in `allowed`",
    "pair_tables": NAN,
    "conditional": NAN,
    "neutral_messages": NAN,
    "update": f"{NAN}. {INFINITE}",
    "soft_update": f"{NAN}. {INFINITE}",
}
"""Methods of a factor, and what may be wrong with their results, in the order in which an error names the first one."""


@remember.for_these_objects
def own_factors(graph: Any) -> tuple[int, ...]:
    """Return the places of the factors of a graph whose class is not one of the kit."""
    kit, names = __name__.partition(".")[0], [type(factor).__module__ for factor in graph.factors]
    return tuple(place for place, name in enumerate(names) if name.partition(".")[0] != kit)


@remember.for_these_objects
def refuse_wrong_numbers(graph: Any, update: str) -> None:
    """Raise ValueError if a factor class of one's own computes NaN.

    Args:
        graph: a factor graph with values.
        update: the method that computes messages, of which the first ones and one update are tried; empty to try the
            log-conditionals, which chains need.
    """
    states = _configurations(graph)
    last = (_messages, _observed(graph, states), update) if update else (_conditional, states)
    trials = (_scores, states, bool(update)), (_pair_tables,), last
    for factor in (graph.factors[place] for place in own_factors(graph)):
        wrong = {}
        for tried, *given in trials:
            with contextlib.suppress(Exception):  # it comes again where the method is needed: chains need no tables
                wrong |= tried(factor, *given)
        for method, fault in FAULTS.items():
            if wrong.get(method):
                raise ValueError(f"{type(factor).__name__}.{method}: {fault}")


@jax.jit
def _configurations(graph: Any) -> Planes:
    """Return the first state of all variables, the last one of all, and random ones, if the unaries allow them.

    They are the same in each call, so that an error does not depend on chance.
    """
    given = graph.planes()
    possible = jnp.where(jnp.isinf(given), given, 0.0)[..., None]
    rising = (np.arange(len(given)) if len(given) > 1 else np.ones(1))[:, None, None].astype(given.dtype)
    noise = jax.random.normal(jax.random.key(0), (*given.shape, RANDOM), given.dtype)
    return planes.decode(jnp.concatenate([possible - rising, possible + rising, possible + noise], axis=-1))


@jax.jit
def _observed(graph: Any, states: Planes) -> Array:
    """Return unaries of which nothing is observed, then all states of each configuration, then every second one."""
    number = planes.to_states(states)
    half = number.at[::2].set(planes.FREE)
    evidence = jnp.concatenate([jnp.full_like(number[:, :1], planes.FREE), number, half], axis=1)
    return planes.clamp(graph.planes(), evidence)


@partial(jax.jit, static_argnames="sends")
def _scores(factor: AbstractFactor, states: Planes, sends: bool) -> dict[str, Bool[Array, ""]]:
    """Return which methods have wrong scores of these states, and whether a table of scores is wrong.

    Chains can leave forbidden states of a factor that is not `hard`, but messages (`sends`) would be infinite.
    """
    methods = "score", "finite_score", "violations"
    values = {method: getattr(factor, f"checked_{method}")(states) for method in methods}
    wrong = {method: jnp.isnan(value).any() for method, value in values.items()}
    forbidden = values["score"] == -jnp.inf
    if factor.hard:
        wrong["violations"] |= ((values["violations"] > 0) != forbidden).any() | (values["violations"] < 0).any()
    elif sends:
        wrong["hard"] = forbidden.any()
    if isinstance(factor, AbstractTable):
        wrong["own_table"] = ~jnp.isfinite(factor.own_table()).all()
    return wrong


@jax.jit
def _pair_tables(factor: AbstractFactor) -> dict[str, Bool[Array, ""]]:
    """Return whether `pair_tables` is wrong."""
    return {"pair_tables": jnp.isnan(factor.pair_tables()[1]).any()}


@jax.jit
def _conditional(factor: AbstractFactor, states: Planes) -> dict[str, Bool[Array, ""]]:
    """Return whether the log-conditionals of all variables are wrong in these states. The default uses the scores."""
    if type(factor).conditional is AbstractFactor.conditional:
        return {}
    at = jnp.arange(states.shape[1])
    rows = jax.tree.map(lambda places: places[0], factor.locate(at[None]))
    return {"conditional": jnp.isnan(factor.conditional(states, at, rows)).any()}


@partial(jax.jit, static_argnames="update")
def _messages(factor: AbstractFactor, unaries: Planes, update: str) -> dict[str, Bool[Array, ""]]:
    """Return whether the first messages and the first update are wrong.

    An update of hard factors may be NaN where beliefs are infinite.
    """
    messages = checked_neutral(factor, unaries.shape[2:])
    wrong = {"neutral_messages": jnp.array([jnp.isnan(leaf).any() for leaf in jax.tree.leaves(messages)]).any()}
    beliefs, temperature = factor.to_variables(messages, unaries), (1.0,) if update == "soft_update" else ()
    new = factor.to_variables(getattr(factor, update)(beliefs, messages, *temperature), unaries)
    infinite = jnp.isinf(beliefs).any((0, 1)) if factor.hard else jnp.zeros(beliefs.shape[2:], bool)
    wrong[update] = (jnp.isnan(new).any((0, 1)) & ~infinite).any()
    return wrong


def checked_neutral(factor: AbstractFactor, batch: tuple[int, ...]) -> PyTree:
    """Return the neutral messages of a factor. Raise ValueError unless all arrays end in the batch axes."""
    messages = factor.neutral_messages(batch)
    if any(jnp.shape(leaf)[max(jnp.ndim(leaf) - len(batch), 0) :] != batch for leaf in jax.tree.leaves(messages)):
        raise ValueError(
            f"{type(factor).__name__}.neutral_messages: expected arrays that end in the batch axes {batch}, got "
            f"{described(messages)}"
        )
    return messages
