"""Gibbs-with-gradients (GWG): locally informed proposals of single changes (Grathwohl et al. 2021)."""

import math
from typing import ClassVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..engine import planes
from ..engine.chunks import Workload
from ..engine.planes import Planes
from ..factors import DensePairwise
from ..factors.hard import VIOLATION
from ..graph import FactorGraph
from ..noise import open_uniform
from .base import draw_each
from .chain import AbstractChain, everywhere, fields


class GibbsWithGradients(AbstractChain):
    """Gibbs-with-gradients (GWG): Metropolis-Hastings with informed proposals of one change (Sections 5.3, 5.4).

    A proposal changes one variable. It is drawn from softmax(gain / 2) over all changes of one variable, where
    gain(x -> x') = score(x') - score(x). The gains come from the exact conditionals (equal to the gradient for
    pairwise models), for any number of states. With gains above about 10 nats, a chain may stay in a very improbable
    state for ever, because a change is rejected if a greater gain follows it.

    One sweep is n proposals. Cost of a sweep: n times the conditionals of all variables. For dense binary models only n
    rows of the weights are needed, because the conditionals are updated incrementally.
    """

    workload: ClassVar[Workload] = "gradients"

    def sweep(self, keys, graph, unaries, state):
        uniform = draw_each(open_uniform, keys, (graph.variables.count, 2), unaries.dtype)
        where = everywhere(graph)
        step = lambda carry, uniform: (propose(graph, unaries, where, carry, uniform), None)  # noqa: E731
        return jax.lax.scan(step, started(graph, unaries, where, state), uniform)[0][0]


def started(graph: FactorGraph, unaries: Planes, where: tuple, states: Planes) -> tuple:
    """Return the carry of `propose`: the states, the fields of all variables, and the result of `proposal`."""
    field = fields(graph, unaries, states, where)
    return states, field, *proposal(field, states)


def propose(graph: FactorGraph, unaries: Planes, where: tuple, carry: tuple, uniform) -> tuple:
    """Return the carry after one proposal, which is accepted or rejected.

    Args:
        graph: the graph.
        unaries: the clamped unaries, (planes, n, batch).
        where: `everywhere(graph)`.
        carry: the result of `started` or of the previous proposal.
        uniform: two uniform random numbers for each batch element, (2, batch).
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
    """Return the fields after `variable` (batch,) has changed in each batch element.

    They are updated incrementally if all factors are `DensePairwise`, and otherwise computed anew.
    """
    dense = [
        (factor, row) for factor, row in zip(graph.factors, where, strict=True) if isinstance(factor, DensePairwise)
    ]
    if new.shape[0] > 1 or len(dense) < len(graph.factors):
        return fields(graph, unaries, new, where)
    rise = 2.0 * new[0, variable, jnp.arange(new.shape[-1], dtype=variable.dtype)] - 1.0
    for factor, row in dense:
        field = field + graph.at_temperature(factor.rise(variable, rise, row))
    return field


def proposal(field: Planes, states: Planes) -> tuple[Planes, Float[Array, "*batch"]]:
    """Return exp(gain / 2) of each change, relative to the largest, and the log of the sum of all exp(gain / 2)."""
    weights = 0.5 * planes.gains(field, states)
    top = jnp.max(weights, axis=(0, 1))
    shares = jnp.exp(weights - jnp.where(jnp.isfinite(top), top, 0.0))
    return shares, top + jnp.log(jnp.sum(shares, axis=(0, 1)))


def log_acceptance(total, total_back):
    """Return log [p(x') q(x' -> x) / p(x) q(x -> x')] = total(x) - total(x'), in which the gains cancel.

    If no change is allowed because all variables are evidence, the result is -inf. If x' is impossible but one change
    removes a violation, and x has a change without a new violation, x' is accepted. Then x is impossible as well,
    because such an x' is never proposed from a possible x. Otherwise chains could not cross impossible states that
    violate equally many constraints.
    """
    towards = (total > -VIOLATION / 4.0) & (total_back > VIOLATION / 4.0)
    ratio = jnp.where(jnp.isfinite(total) & jnp.isfinite(total_back), total - total_back, -jnp.inf)
    return jnp.where(towards, 0.0, ratio)


def pick(shares: Planes, uniform):
    """Draw one entry of each batch element with probability proportional to `shares`, from one uniform number.

    A block of entries is drawn first, and then one entry of the block, because two short cumulative sums are much
    faster than a long one.

    Returns: the row and the variable of the entry, (batch,) each.
    """
    flat = shares.reshape(-1, shares.shape[-1])
    side = math.isqrt(flat.shape[0] - 1) + 1
    blocks = jnp.pad(flat, ((0, side**2 - flat.shape[0]), (0, 0))).reshape(side, side, -1)
    block, left = find(jnp.sum(blocks, axis=1), uniform)
    entry, _ = find(jnp.take_along_axis(blocks, block[None, None], 0)[0], left)
    entry = block * side + entry
    return entry // shares.shape[1], entry % shares.shape[1]


def find(parts, uniform):
    """Return the part that contains a uniform number, and the relative position inside the part, in [0, 1).

    The parts (k, batch) are lengths of consecutive intervals whose union is scaled to [0, 1).
    """
    upto = jnp.cumsum(parts, axis=0)
    target = uniform * upto[-1]
    inside = (upto > target) & (parts > 0)
    last = len(parts) - 1 - jnp.argmax((parts > 0)[::-1], axis=0)  # where rounding leaves nothing beyond the target
    place = jnp.where(inside.any(0), jnp.argmax(inside, axis=0), last)
    end, size = (jnp.take_along_axis(of, place[None], 0)[0] for of in (upto, parts))
    below_one = 1.0 - jnp.finfo(parts.dtype).epsneg
    return place, jnp.clip(1.0 - (end - target) / jnp.where(size > 0, size, 1.0), 0.0, below_one)
