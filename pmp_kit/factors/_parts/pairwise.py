"""Messages of binary pairwise factors w x_i x_j at any temperature (Appendix C.1), and pairs as tables."""

import jax
import jax.numpy as jnp

from ...engine.extremes import larger, smaller
from ...engine.planes import like
from ...engine.signatures import Number

SATURATED = 50.0
"""Log-odds / temperature at which sum-product equals max-product, because exp(-50) is below the rounding error."""


def pair_message(incoming, weight):
    """Return the message max(0, p + w) - max(0, p) that a factor w x_i x_j sends to x_j (Eq. 7 of the paper).

    Args:
        incoming: p, the cavity log-odds of x_i, finite.
        weight: w, finite, broadcastable to `incoming`.
    """
    # max(0, p) is taken off both terms, because the difference of two large terms would lose a small weight
    negative = smaller(incoming, 0.0)
    return larger(negative + weight, negative - incoming)


def soft_pair_message(incoming, weight, temperature):
    """Return `pair_message` at temperature T, T log(1 + exp((p + w) / T)) - T log(1 + exp(p / T)) (Section 2.3)."""

    def beyond(log_odds):  # T log(1 + exp(x / T)) - max(0, x), which vanishes for large |x|
        return temperature * jnp.log1p(jnp.exp(-jnp.abs(log_odds) / temperature))

    return pair_message(incoming, weight) + (beyond(incoming + weight) - beyond(incoming))


def bounded(log_odds, weight, temperature: Number = 0.0):
    """Return the beliefs clipped to +-3 max|w| (+ 50 T at temperature T).

    Clipping makes the infinite beliefs of clamped variables finite and changes no message. A message is at most |w|, so
    a belief beyond 2 max|w| has |p| > |w|, where the message is saturated. At a temperature T > 0 it saturates at
    larger log-odds.
    """
    bound = 3.0 * jnp.max(jnp.abs(weight), initial=0.0) + SATURATED * temperature
    return smaller(larger(log_odds, -bound), bound)


def corner_tables(weight):
    """Return the tables (P, 2, 2) of w x_i x_j for weights (P,)."""
    return jnp.zeros((*weight.shape, 2, 2), weight.dtype).at[..., 1, 1].set(weight)


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
    own = sum(entropy(jax.nn.softmax(scores / temperature, axis=0), 1) for scores in beliefs)
    return jnp.sum(jnp.where(q > 0, table * q, 0.0), axis=(0, 1)) + temperature * (entropy(q, 2) - own)


def entropy(q, axes: int):
    """Return the entropy -sum q log q over the first `axes` axes, in nats."""
    return jnp.sum(jax.scipy.special.entr(q), axis=tuple(range(axes)))


def two_states(log_odds):
    """Return the scores (2, ...) of the states 0 and 1 for log-odds."""
    return jnp.stack([jnp.zeros_like(log_odds), log_odds])
