"""Products of weights and states, in the full precision of their arguments."""

import jax.numpy as jnp

BLOCK, MANY = 128, 4096
"""A sum of more than MANY products is computed in blocks of BLOCK.

A CPU adds the products of a batch one after the other. In float32, such a sum of two million weights of 1.2 is wrong by
2,900, and the sum of its blocks by 0.1, in the same time.
"""


def contract(weights, states, axes: int | tuple = 1):
    """Return the tensor dot product in the precision of its arguments.

    By default, GPUs and TPUs round float32 factors to 8 or 11 significant bits. Scores would then miss small weights.
    """
    if axes != 1 or weights.ndim != 1 or weights.size <= MANY:
        return jnp.tensordot(weights, states, axes, precision="highest")
    whole = weights.size // BLOCK * BLOCK
    blocks = weights[:whole].reshape(-1, BLOCK), states[:whole].reshape(-1, BLOCK, *states.shape[1:])
    sums = jnp.einsum("kb,kb...->k...", *blocks, precision="highest")
    return jnp.sum(sums, axis=0) + contract(weights[whole:], states[whole:])
