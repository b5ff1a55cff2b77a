"""Maxima, minima and sums of products of arrays, for the loops of messages.

`jnp.maximum` and `jnp.minimum` must return NaN if either argument is NaN, and +0 rather than -0. On a CPU this takes
several instructions. A choice (`jnp.where`) takes one, and makes a sweep of a sparse model a fourth faster.

On a CPU, XLA's reductions use vector instructions only along the last axis. One choice for each entry uses them along
any axis, and takes a tenth of the time for pairs with tables.
"""

import math
from functools import reduce

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from .signatures import PyTree

MOST_CHOICES = 64
"""The most entries along an axis that are compared one after the other. The time to compile grows with their number."""
BLOCK, MANY = 128, 4096
"""A sum of more than MANY products is computed in blocks of BLOCK.

A CPU adds the products of a batch one after the other. In float32, such a sum of two million weights of 1.2 is wrong by
2,900, and the sum of its blocks by 0.1, in the same time.
"""


def larger(x, y):
    """Return the larger of x and y, and x if one of them is NaN."""
    return jnp.where(x < y, y, x)


def smaller(x, y):
    """Return the smaller of x and y, and x if one of them is NaN."""
    return jnp.where(x > y, y, x)


def along(combine, x, axes: tuple[int, ...] = (0,)):
    """Combine all entries of x along the axes, one after the other."""
    entries = jnp.moveaxis(x, axes, range(len(axes)))
    return reduce(combine, (entries[place] for place in np.ndindex(entries.shape[: len(axes)])))


def largest(x, axes: tuple[int, ...] = (0,)):
    """Return the largest entries of x along the axes."""
    if math.prod(x.shape[axis] for axis in axes) > MOST_CHOICES:
        return x.max(axes)
    return along(larger, x, axes)


def two_largest(x):
    """Return the largest entries of x along axis 0, and the second largest (which are equal if there is a tie)."""
    first, second = x[0], jnp.full_like(x[0], -jnp.inf)
    if len(x) > MOST_CHOICES:
        best = index_of_largest(x)
        others = jnp.where(jnp.arange(len(x)).reshape(-1, *(1,) * best.ndim) == best, -jnp.inf, x)
        return x.max(0), others.max(0)
    for entry in x[1:]:
        first, second = larger(first, entry), larger(second, smaller(first, entry))
    return first, second


def index_of_largest(x):
    """Return the place (int32) of the largest entries of x along axis 0, the first one if there is a tie."""
    if len(x) > MOST_CHOICES:
        return jnp.argmax(x, axis=0).astype(jnp.int32)
    best, place = x[0], jnp.zeros(x.shape[1:], jnp.int32)
    for number in range(1, len(x)):
        place = jnp.where(best < x[number], number, place)
        best = larger(best, x[number])
    return place


def largest_change(new: PyTree, old: PyTree, like: Float[Array, "*batch"]) -> Float[Array, "*batch"]:
    """Return the largest |new - old| over all messages of each batch element, with the shape of `like`.

    Changes within rounding and changes of infinite messages count as 0, and so does a graph without messages.
    """
    precision = 4.0 * jnp.finfo(like.dtype).eps
    result = jnp.zeros_like(like)
    for one, other in zip(jax.tree.leaves(new), jax.tree.leaves(old), strict=True):
        change, axes = one - other, tuple(range(one.ndim - like.ndim))
        unchanged = jnp.abs(change) <= precision * jnp.abs(other)
        change = jnp.where(unchanged | jnp.isinf(other), 0.0, change)
        # max and -min instead of max |change|, because XLA's fused CPU reduction of |change| is many times slower
        for extreme in (jnp.max(change, axis=axes, initial=0.0), -jnp.min(change, axis=axes, initial=0.0)):
            result = jnp.maximum(result, extreme)
    return result


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
