"""The part of a table in the Bethe free energy (Eq. 4)."""

import jax
import jax.numpy as jnp

from ..engine.planes import like


def table_bethe(table, beliefs, incoming, temperature):
    """Return <theta> + T [H(q_a) - sum_i H(q_i)] of each table, its part of the Bethe free energy (Eq. 4).

    Args:
        table: scores (..., C_1, ..., C_n), -inf for forbidden entries.
        beliefs: the beliefs of its n variables, (C_i, ...) each.
        incoming: the same without the messages of this table (cavity scores).
        temperature: T.
    """
    n = len(incoming)
    every = tuple(range(n))
    others = [tuple(axis for axis in every if axis != place) for place in every]
    cavities = [jnp.expand_dims(scores, axes) for scores, axes in zip(incoming, others, strict=True)]
    table = like(jnp.moveaxis(table, tuple(range(-n, 0)), every), cavities[0])
    joint = sum(cavities, start=table)
    q = jax.nn.softmax(joint / temperature, axis=every)
    of_variables = sum(entropy(jax.nn.softmax(scores / temperature, axis=0), 1) for scores in beliefs)
    return jnp.sum(jnp.where(q > 0, table * q, 0.0), axis=every) + temperature * (entropy(q, n) - of_variables)


def entropy(q, axes: int):
    """Return the entropy -sum q log q over the first `axes` axes, in nats."""
    return jnp.sum(jax.scipy.special.entr(q), axis=tuple(range(axes)))
