"""Hard constraints in finite numbers: log-odds that count as certain, and what all members but one say."""

import jax
import jax.numpy as jnp
import numpy as np

from .. import validate

LIMIT = 1e3
"""A difference of more than this, in nats, counts as certain. Single precision resolves 6e-5 beside it, so that the
messages of a hard model still settle; with ten times as much they never do, and weak preferences drown."""


def certain(log_odds):
    """Clip to +-LIMIT, so that evidence of +-inf and hard messages stay finite and may be added and subtracted."""
    return jnp.clip(log_odds, -LIMIT, LIMIT)


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


def finite_part(name: str, scores) -> tuple[jax.Array, np.ndarray]:
    """Scores of which some may be -inf, as finite parameters (0 where forbidden) and which are allowed (bool).

    Traced scores must all be finite.
    """
    if validate.is_traced(scores) or np.asarray(scores).dtype.kind not in "fiu":
        value = validate.parameter(name, scores)
        return value, np.ones(value.shape, bool)
    allowed = np.asarray(scores) != -np.inf
    return validate.parameter(name, np.where(allowed, np.asarray(scores, float), 0.0)), allowed


def _padded(values, width, start):
    widths = [(0, 0), width] + [(0, 0)] * (values.ndim - 2)
    return jnp.pad(values, widths, constant_values=start)
