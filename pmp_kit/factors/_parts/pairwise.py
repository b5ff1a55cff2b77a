"""The binary pairwise message of Appendix C.1 at any temperature, shared by all factors w x_i x_j; pairs as tables."""

import jax
import jax.numpy as jnp

from ...engine.signatures import Number

SATURATED = 50.0
"""Temperatures beyond which a sum-product message equals the max-product one: exp(-50) is below all rounding."""


def pair_message(incoming, weight):
    """N = max(0, p + w) - max(0, p): the log-odds that a factor w x_i x_j sends to x_j (Eq. 7 of the paper).

    Args:
        incoming: p, log-odds of x_i without this factor, finite.
        weight: w, finite, broadcastable to `incoming`.
    """
    return jnp.maximum(0.0, incoming + weight) - jnp.maximum(0.0, incoming)


def soft_pair_message(incoming, weight, temperature):
    """T log(1 + exp((p + w) / T)) - T log(1 + exp(p / T)): `pair_message` at temperature T (Section 2.3)."""
    softplus = jax.nn.softplus
    return temperature * (softplus((incoming + weight) / temperature) - softplus(incoming / temperature))


def bounded(log_odds, weight, temperature: Number = 0.0):
    """Clip beliefs to +-3 max|w|, which changes no message and keeps those of clamped (infinite) variables finite.

    A message is at most |w|, so a belief beyond 2 max|w| leaves |p| > |w|, where the message has saturated; at a
    temperature it saturates a little later.
    """
    bound = 3.0 * jnp.max(jnp.abs(weight), initial=0.0) + SATURATED * temperature
    return jnp.clip(log_odds, -bound, bound)


def corner_tables(weight):
    """Tables (P, 2, 2) of w x_i x_j for the two states, from weights (P,)."""
    return jnp.zeros((*weight.shape, 2, 2), weight.dtype).at[..., 1, 1].set(weight)


def pair_bethe(table, beliefs, incoming, temperature):
    """<phi> + T [H(q_ij) - H(q_i) - H(q_j)] of every pair: its part of the Bethe free energy (Eq. 4).

    Args:
        table: scores (C1, C2, ...), -inf where forbidden.
        beliefs: scores of the first (C1, ...) and second (C2, ...) variable, with all messages.
        incoming: the same without this pair's messages.
    """
    joint = table + incoming[0][:, None] + incoming[1][None]
    q = jax.nn.softmax(joint / temperature, axis=(0, 1))
    own = sum(entropy(jax.nn.softmax(scores / temperature, axis=0), 1) for scores in beliefs)
    return jnp.sum(jnp.where(q > 0, table * q, 0.0), axis=(0, 1)) + temperature * (entropy(q, 2) - own)


def entropy(q, axes: int):
    """-sum q log q over the first `axes` axes, in nats."""
    return jnp.sum(jax.scipy.special.entr(q), axis=tuple(range(axes)))


def two_states(log_odds):
    """Scores (2, ...) of the states 0 and 1 from log-odds."""
    return jnp.stack([jnp.zeros_like(log_odds), log_odds])
