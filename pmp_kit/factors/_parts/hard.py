"""Hard constraints: infinite log-odds exclude a state.

A message, belief or clamped unary of +-inf states that one state is impossible. Infinite messages are derived only from
evidence, from forbidden states and from other infinite messages, never from finite messages. So they are logically
correct for scores of any scale. Finite messages stay finite, because `blended` clips messages that grow without bound
on loops.
"""

import jax
import jax.numpy as jnp
import numpy as np

from ...engine import validate
from ...engine.extremes import largest
from ...engine.traced import contains_traced, is_traced

VIOLATION = 1e30
"""Penalty in nats for each violated constraint in samplers of single variables: finite, but larger than any score."""
PROBABLE = 20.0
"""Nats below the highest score, up to which a state has a probability that matters (2e-9)."""


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


def finite_part(name: str, scores) -> tuple[jax.Array, np.ndarray | jax.Array | None]:
    """Split scores, some of which may be -inf, into finite parameters and a mask of the allowed entries.

    Returns: the parameters, with 0 for forbidden entries, and a bool array of their shape. The mask is None if all
        entries are allowed, and traced if the scores are, because their values are then unknown.
    """
    if contains_traced(scores):
        value = validate.parameter(name, scores)
        allowed = value != -jnp.inf
        return jnp.where(allowed, value, 0.0), allowed
    given = validate.rectangular(name, scores)
    if given.dtype.kind not in "fiu":
        return validate.parameter(name, scores), None
    allowed = given != -np.inf
    value = validate.parameter(name, np.where(allowed, given.astype(float), 0.0))
    check_rounding(name, given)
    return value, None if allowed.all() else allowed


def check_rounding(name: str, scores: np.ndarray) -> None:
    """Raise ValueError if JAX's precision rounds scores near the highest one of the last axis by more than 0.01.

    A large offset that all scores share, as in logarithms of likelihoods, leaves few digits for their differences.
    """
    exact = scores.astype(float)
    finite = np.where(np.isfinite(exact), exact, 0.0)
    if not finite.ndim or np.abs(finite).max(initial=0.0) < 1e5:
        return
    precision = jax.dtypes.canonicalize_dtype(np.float64)
    rounded = finite.astype(precision).astype(float)
    near = exact > exact.max(-1, keepdims=True) - PROBABLE
    near &= near.sum(-1, keepdims=True) > 1  # a single probable state stays it, however it is rounded
    lost = np.argwhere(near & (np.abs(rounded - finite) > 0.01))
    if lost.size:
        first = tuple(lost[0])
        raise ValueError(
            f"{name}: expected scores whose differences {precision} can hold, got {exact[first]:.17g} at index "
            f"{lost[0].tolist()}, which it rounds to {rounded[first]:.17g}; subtract the same number, such as "
            "the highest score, from all scores of a factor (in unaries: of a variable), or use float64"
        )


def check_possible(name: str, allowed: np.ndarray | jax.Array | None, axes: int) -> None:
    """Raise ValueError if a table (the last `axes` axes) has no allowed entry. Traced masks are not checked."""
    if allowed is None or is_traced(allowed):
        return
    if not allowed.any(tuple(range(-axes, 0))).all():
        raise ValueError(f"{name}: expected at least one finite score in each factor, got -inf everywhere")


def _padded(values, width, start):
    widths = [(0, 0), width] + [(0, 0)] * (values.ndim - 2)
    return jnp.pad(values, widths, constant_values=start)
