"""The part of a pair of variables in the Bethe free energy (Eq. 4)."""

import jax
import jax.numpy as jnp

from ..engine.planes import like


def pair_bethe(table, beliefs, incoming, temperature):
    """Return <phi> + T [H(q_ij) - H(q_i) - H(q_j)] of every pair, its part of the Bethe free energy (Eq. 4).

    Args:
        table: scores (..., C1, C2), -inf for forbidden entries.
        beliefs: beliefs of the first (C1, ...) and of the second (C2, ...) variable.
        incoming: the same without the messages of this pair (cavity scores).
        temperature: T.
    """
    table = like(jnp.moveaxis(table, (-2, -1), (0, 1)), incoming[0][:, None])
    joint = table + incoming[0][:, None] + incoming[1][None]
    q = jax.nn.softmax(joint / temperature, axis=(0, 1))
    of_variables = sum(entropy(jax.nn.softmax(scores / temperature, axis=0), 1) for scores in beliefs)
    return jnp.sum(jnp.where(q > 0, table * q, 0.0), axis=(0, 1)) + temperature * (entropy(q, 2) - of_variables)


def entropy(q, axes: int):
    """Return the entropy -sum q log q over the first `axes` axes, in nats."""
    return jnp.sum(jax.scipy.special.entr(q), axis=tuple(range(axes)))
