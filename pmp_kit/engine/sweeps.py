"""The loops over sweeps of solvers and samplers."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from .signatures import PyTree

Sweep = Callable[[Int[Array, ""], Any], PyTree]
"""A function of the number of earlier sweeps and the state, which returns the state after one more sweep."""


def until_done(
    sweep: Sweep, done: Callable[[Any], Bool[Array, " batch"]], state: PyTree, num_sweeps: Any
) -> tuple[PyTree, Int[Array, " batch"]]:
    """Apply `sweep` num_sweeps times, or until all batch elements are done.

    Returns: the state, and the number of sweeps of each batch element.
    """

    def unfinished(carry):
        t, state, _ = carry
        return (t < num_sweeps) & ~done(state).all()

    def step(carry):
        t, state, used = carry
        return t + 1, sweep(t, state), used + (~done(state)).astype(jnp.int32)

    carry = (jnp.int32(0), state, jnp.zeros(done(state).shape, jnp.int32))
    return jax.lax.while_loop(unfinished, step, carry)[1:]


def with_checks(
    sweep: Sweep, check: Sweep, done: Callable[[Any], Bool[Array, " batch"]], state: PyTree, num_sweeps: Any,
    every: Any, in_pairs: bool,
) -> PyTree:  # fmt: skip
    """Apply `sweep` num_sweeps times, with a check before each `every` sweeps and at the end.

    The loop ends when a check finds that all batch elements are done.

    Args:
        every: the number of sweeps between two checks, which may be traced, like num_sweeps.
        check: a function like `sweep` that returns the checked state. Only a check can change which elements are done.
        in_pairs: whether an iteration makes two sweeps. If new messages cannot be written in place of the old ones, XLA
            copies all messages once in each iteration. Two sweeps write from one place to another and back.
    """

    def one(carry):
        t, state = carry
        return t + 1, sweep(t, state)

    def stretch(carry):
        t, state, _ = carry
        state = check(t, state)
        end = jnp.where(done(state).all(), t, jnp.minimum(t + every, num_sweeps))
        now = t, state
        if in_pairs:
            now = jax.lax.while_loop(lambda now: now[0] + 1 < end, lambda now: one(one(now)), now)
        now = jax.lax.while_loop(lambda now: now[0] < end, one, now)
        return *now, end > t

    return jax.lax.while_loop(lambda carry: carry[2], stretch, (jnp.int32(0), state, jnp.bool_(True)))[1]
