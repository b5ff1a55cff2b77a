"""Gibbs-with-gradients: locally informed proposals of single changes (Grathwohl et al. 2021; Sections 5.3, 5.4)."""

import math
from typing import ClassVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..engine import planes
from ..engine.planes import Planes
from ..graph import FactorGraph
from .base import draw_each
from .chain import AbstractChain, everywhere, fields


class GibbsWithGradients(AbstractChain):
    """Propose one change of one variable by softmax(gain / 2) over all of them, accept by Metropolis-Hastings.

    gain(x -> x') = score(x') - score(x), from the exact local fields (equal to the gradient for pairwise models), for
    any number of states. A sweep is n proposals. Cost of a sweep: n fields of all variables; for dense binary models n
    rows of the weights, since the fields are corrected where a variable changes.
    """

    shared_out: ClassVar[bool] = True

    def sweep(self, keys, graph, unaries, state):
        uniform = draw_each(jax.random.uniform, keys, (graph.variables.count, 2), unaries.dtype)
        where = everywhere(graph)
        step = lambda carry, uniform: (propose(graph, unaries, where, carry, uniform), None)  # noqa: E731
        return jax.lax.scan(step, started(graph, unaries, where, state), uniform)[0][0]


def started(graph: FactorGraph, unaries: Planes, where: tuple, states: Planes) -> tuple:
    """States, the fields of all variables and what `proposal` says of them: what `propose` carries."""
    field = fields(graph, unaries, states, where)
    return states, field, *proposal(field, states)


def propose(graph: FactorGraph, unaries: Planes, where: tuple, carry: tuple, uniform) -> tuple:
    """One proposal, accepted or not.

    Args:
        where: `everywhere(graph)`.
        carry: as `started` returns it.
        uniform: two uniform numbers a copy, (2, batch).
    """
    states, field, shares, total = carry
    row, variable = pick(shares, uniform[0])
    new = planes.change(states, row, variable)
    new_field = moved(graph, unaries, field, new, variable, where)
    new_shares, back = proposal(new_field, new)
    accept = jnp.log(uniform[1]) < log_acceptance(total, back)
    moved_on = new, new_field, new_shares, back
    return tuple(jnp.where(accept, after, before) for before, after in zip(carry, moved_on, strict=True))


def moved(graph: FactorGraph, unaries: Planes, field: Planes, new: Planes, variable, where: tuple) -> Planes:
    """The fields after `variable` (batch,) of each copy changed: corrected where all factors can, else computed."""
    if new.shape[0] == 1:
        rise = 2.0 * new[0, variable, jnp.arange(new.shape[-1], dtype=variable.dtype)] - 1.0
        shifted: Planes | None = field
        for factor, row in zip(graph.factors, where, strict=True):
            shifted = None if shifted is None else factor.shift(shifted, variable, rise, row)
        if shifted is not None:
            return shifted
    return fields(graph, unaries, new, where)


def proposal(field: Planes, states: Planes) -> tuple[Planes, Float[Array, "*batch"]]:
    """Each change's share, exp(gain / 2) over the largest, and the log of the sum of all exp(gain / 2)."""
    weights = 0.5 * planes.gains(field, states)
    top = jnp.max(weights, axis=(0, 1))
    shares = jnp.exp(weights - jnp.where(jnp.isfinite(top), top, 0.0))
    return shares, top + jnp.log(jnp.sum(shares, axis=(0, 1)))


def log_acceptance(total, total_back):
    """Log of p(x') q(x' -> x) / p(x) q(x -> x') = total(x) - total(x'): the gains cancel.

    Where no change is allowed (all is evidence) there is nothing to accept.
    """
    return jnp.where(jnp.isfinite(total) & jnp.isfinite(total_back), total - total_back, -jnp.inf)


def pick(shares: Planes, uniform):
    """Draw one entry of each copy in proportion to its share, from one uniform number: row and variable.

    First a block of entries, then one of the block: two short cumulative sums cost far less than a long one.
    """
    flat = shares.reshape(-1, shares.shape[-1])
    side = math.isqrt(flat.shape[0] - 1) + 1
    blocks = jnp.pad(flat, ((0, side**2 - flat.shape[0]), (0, 0))).reshape(side, side, -1)
    block, left = find(jnp.sum(blocks, axis=1), uniform)
    entry, _ = find(jnp.take_along_axis(blocks, block[None, None], 0)[0], left)
    entry = block * side + entry
    return entry // shares.shape[1], entry % shares.shape[1]


def find(parts, uniform):
    """Where a uniform number falls among parts (k, batch) laid end to end, and how far into that part, in [0, 1)."""
    upto = jnp.cumsum(parts, axis=0)
    target = uniform * upto[-1]
    place = jnp.argmax((upto > target) & (parts > 0), axis=0)
    end, size = (jnp.take_along_axis(of, place[None], 0)[0] for of in (upto, parts))
    below_one = 1.0 - jnp.finfo(parts.dtype).epsneg
    return place, jnp.clip(1.0 - (end - target) / jnp.where(size > 0, size, 1.0), 0.0, below_one)
