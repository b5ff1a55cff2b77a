"""The loops over sweeps of solvers and samplers."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from .signatures import PyTree

Sweep = Callable[[Int[Array, ""], Any], PyTree]
"""A function of the number of earlier sweeps and the state, which returns the state after one more sweep."""


class Span(NamedTuple):
    """The sweeps of one compiled call, which continues from the state of an earlier one.

    Attributes:
        first: the number of earlier sweeps.
        until: the number of sweeps after this call.
        total: the number of sweeps of all calls together.
    """

    first: Any
    until: Any
    total: Any


def all_of(num_sweeps: Any) -> Span:
    """Return the span of a single call with all sweeps."""
    return Span(0, num_sweeps, num_sweeps)


def until_done(
    sweep: Sweep, done: Callable[[Any], Bool[Array, " batch"]], state: PyTree, span: Span
) -> tuple[PyTree, Int[Array, " batch"]]:
    """Apply `sweep` for the sweeps of a span, or until all batch elements are done.

    Returns: the state, and the number of sweeps of each batch element in this span.
    """

    def unfinished(carry):
        t, state, _ = carry
        return (t < span.until) & ~done(state).all()

    def step(carry):
        t, state, used = carry
        return t + 1, sweep(t, state), used + (~done(state)).astype(jnp.int32)

    carry = (jnp.asarray(span.first, jnp.int32), state, jnp.zeros(done(state).shape, jnp.int32))
    return jax.lax.while_loop(unfinished, step, carry)[1:]


def with_checks(
    sweep: Sweep, check: Sweep, done: Callable[[Any], Bool[Array, " batch"]], state: PyTree, span: Span,
    every: Any, in_pairs: bool,
) -> PyTree:  # fmt: skip
    """Apply `sweep` for the sweeps of a span, with a check before each `every` sweeps and after the last of all.

    The loop ends when a check finds that all batch elements are done.

    Args:
        every: the number of sweeps between two checks, which may be traced, like the span. A call whose span begins
            between two checks leaves out the first one.
        check: a function like `sweep` that returns the checked state. Only a check can change which elements are done.
        in_pairs: whether an iteration makes two sweeps. If new messages cannot be written in place of the old ones, XLA
            copies all messages once in each iteration. Two sweeps write from one place to another and back.
    """
    last = jnp.asarray(span.until) >= span.total  # otherwise the next call begins with the check at `until`

    def one(carry):
        t, state = carry
        return t + 1, sweep(t, state)

    def stretch(carry):
        t, state, _ = carry
        state = check(t, state)
        end = jnp.where(done(state).all(), t, jnp.minimum((t // every + 1) * every, span.until))
        now = t, state
        if in_pairs:
            now = jax.lax.while_loop(lambda now: now[0] + 1 < end, lambda now: one(one(now)), now)
        now = jax.lax.while_loop(lambda now: now[0] < end, one, now)
        return *now, (end > t) & (last | (end < span.until))

    carry = (jnp.asarray(span.first, jnp.int32), state, jnp.bool_(True))
    return jax.lax.while_loop(lambda carry: carry[2], stretch, carry)[1]
