"""The binary pairwise message of Appendix C.1, shared by all factors w x_i x_j."""

import jax.numpy as jnp


def pair_message(incoming, weight):
    """N = max(0, p + w) - max(0, p): the log-odds that a factor w x_i x_j sends to x_j (Eq. 7 of the paper).

    Args:
        incoming: p, log-odds of x_i without this factor, finite.
        weight: w, finite, broadcastable to `incoming`.
    """
    return jnp.maximum(0.0, incoming + weight) - jnp.maximum(0.0, incoming)


def bounded(log_odds, weight):
    """Clip beliefs to +-3 max|w|, which changes no message and keeps those of clamped (infinite) variables finite.

    A message is at most |w|, so a belief beyond 2 max|w| leaves |p| > |w|, where the message has saturated.
    """
    bound = 3.0 * jnp.max(jnp.abs(weight), initial=0.0)
    return jnp.clip(log_odds, -bound, bound)
