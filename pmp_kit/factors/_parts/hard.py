"""Hard constraints: infinite log-odds are proofs.

A message, belief or clamped unary of +-inf says that a state is impossible. Infinite messages follow from evidence,
from forbidden states and from other infinite messages alone, never from finite ones, so that what they say is true
whatever the scale of the scores. Finite messages stay finite: `blended` stops those that loops let grow without end.
"""

import jax
import jax.numpy as jnp
import numpy as np

from ...engine import validate

VIOLATION = 1e30
"""Nats that a sampler of single variables takes off for each broken constraint: more than all scores, yet a number."""


def without(beliefs, messages):
    """Beliefs without one factor's own message. A proof is told to every factor, the one it came from included."""
    return jnp.where(jnp.isinf(beliefs), beliefs, beliefs - messages)


def blended(old, new, damping, limit):
    """The share `damping` of the old message and the rest of the new one, which is clipped to +-limit where finite.

    A proof, once found, stays, and so does the old message where proofs contradict each other and the new one is NaN.
    """
    clipped = jnp.where(jnp.isinf(new), new, jnp.clip(new, -limit, limit))
    mixed = old + (1.0 - damping) * (clipped - old)
    return jnp.where(jnp.isnan(mixed), old, mixed)


def best_zero(messages):
    """Scores of states along axis 0 with the best at 0; all 0 where every state is impossible."""
    top = messages.max(0)
    return jnp.where(top == -jnp.inf, 0.0, messages - jnp.where(top == -jnp.inf, 0.0, top))


def exclusive(combine, empty, values):
    """Combine all entries but one along axis 1: result[:, i] = combination of values[:, j] over j != i.

    From the entries before and those after, never as total minus own, which loses everything beside a large entry.

    Args:
        combine: an associative, commutative function of two pytrees of arrays.
        empty: its neutral element, a pytree of numbers: the result for a factor of one member.
        values: a pytree of arrays (F, m, *batch).
    """
    before = jax.lax.associative_scan(combine, values, axis=1)
    after = jax.lax.associative_scan(combine, values, axis=1, reverse=True)
    return combine(
        jax.tree.map(lambda x, start: _padded(x, (1, 0), start)[:, :-1], before, empty),
        jax.tree.map(lambda x, start: _padded(x, (0, 1), start)[:, 1:], after, empty),
    )


def exclusive_sum(values):
    """Sum of all others along axis 1; 0 where there are none."""
    return exclusive(jnp.add, 0.0, values)


def exclusive_max(values):
    """Largest of all others along axis 1; -inf where there are none."""
    return exclusive(jnp.maximum, -jnp.inf, values)


def finite_part(name: str, scores) -> tuple[jax.Array, np.ndarray | None]:
    """Scores of which some may be -inf, as finite parameters (0 where forbidden), and which entries are allowed.

    Returns: the parameters, and a bool array of their shape, or None if all entries are allowed. Traced scores must
    all be finite: what is forbidden is structure.
    """
    given = scores if validate.is_traced(scores) else validate.rectangular(name, scores)
    if validate.is_traced(scores) or given.dtype.kind not in "fiu":
        return validate.parameter(name, scores), None
    allowed = given != -np.inf
    value = validate.parameter(name, np.where(allowed, given.astype(float), 0.0))
    return value, None if allowed.all() else allowed


def check_possible(name: str, allowed: np.ndarray | None, axes: int) -> None:
    """Raise ValueError if a table, of so many axes at the end, allows nothing."""
    if allowed is not None and not allowed.any(tuple(range(-axes, 0))).all():
        raise ValueError(f"{name}: expected at least one finite score in each factor, got -inf everywhere")


def forbidding(values, allowed):
    """Scores with -inf where they are not allowed; `allowed` None means that all are."""
    return values if allowed is None else jnp.where(allowed, values, -jnp.inf)


def _padded(values, width, start):
    widths = [(0, 0), width] + [(0, 0)] * (values.ndim - 2)
    return jnp.pad(values, widths, constant_values=start)
