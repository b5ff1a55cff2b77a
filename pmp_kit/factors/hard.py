"""Hard constraints: infinite log-odds exclude a state.

A message, belief or clamped unary of +-inf states that one state is impossible. Infinite messages are derived only from
evidence, from forbidden states and from other infinite messages, never from finite messages. So they are logically
correct for scores of any scale. Finite messages stay finite, because `blended` clips messages that grow without bound
on loops.
"""

import jax
import jax.numpy as jnp

from ..engine.reductions import largest

VIOLATION = 1e30
"""Penalty in nats for each violated constraint in samplers of single variables: finite, but larger than any score."""


def without(beliefs, messages):
    """Return the cavity beliefs: beliefs minus one factor's own message.

    Infinite beliefs stay infinite, also for the factor that sent the infinite message.
    """
    return jnp.where(jnp.isinf(beliefs), beliefs, beliefs - messages)


def blended(old, new, damping, limit):
    """Return damping * old + (1 - damping) * new, with finite new messages clipped to +-limit.

    An infinite message stays infinite. If infinite messages contradict each other, so that the new message is NaN, the
    old message stays.
    """
    clipped = jnp.where(jnp.isinf(new), new, jnp.clip(new, -limit, limit))
    mixed = old + (1.0 - damping) * (clipped - old)
    return jnp.where(jnp.isnan(mixed), old, mixed)


def below_best(scores):
    """Return the scores of each factor (axis 0) minus its best one, which would otherwise absorb what is added."""
    return scores - jnp.max(scores, axis=tuple(range(1, scores.ndim)), keepdims=True)


def best_zero(messages):
    """Return scores of states (axis 0), shifted so that the best is 0; all are 0 if every state is impossible."""
    top = largest(messages)
    return jnp.where(top == -jnp.inf, 0.0, messages - jnp.where(top == -jnp.inf, 0.0, top))


def exclusive(combine, empty, values):
    """Return the leave-one-out combinations along axis 1: result[:, i] combines values[:, j] over all j != i.

    They are computed from prefixes and suffixes. The total minus the own entry would lose all precision if one entry is
    large.

    Args:
        combine: an associative, commutative function of two pytrees of arrays.
        empty: the neutral element of `combine`, a pytree of numbers; it is the result for factors of one member.
        values: a pytree of arrays (F, m, *batch).
    """
    before = jax.lax.associative_scan(combine, values, axis=1)
    after = jax.lax.associative_scan(combine, values, axis=1, reverse=True)
    return combine(
        jax.tree.map(lambda x, start: _padded(x, (1, 0), start)[:, :-1], before, empty),
        jax.tree.map(lambda x, start: _padded(x, (0, 1), start)[:, 1:], after, empty),
    )


def _padded(values, width, start):
    widths = [(0, 0), width] + [(0, 0)] * (values.ndim - 2)
    return jnp.pad(values, widths, constant_values=start)
