"""Gibbs-with-gradients: locally informed proposals of single changes (Grathwohl et al. 2021; Sections 5.3, 5.4)."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .. import planes
from ..graph import FactorGraph
from ..planes import Planes
from .base import draw_each
from .chain import AbstractChain, everywhere, fields


class GibbsWithGradients(AbstractChain):
    """Propose one change of one variable by softmax(gain / 2) over all of them, accept by Metropolis-Hastings.

    gain(x -> x') = score(x') - score(x), from the exact local fields (equal to the gradient for pairwise models), for
    any number of states. A sweep is n proposals. Cost of a sweep: n fields of all variables; for dense binary models n
    rows of the weights, since the fields are corrected where a variable changes.
    """

    def sweep(self, keys, graph, unaries, state):
        uniform = draw_each(jax.random.uniform, keys, (graph.variables.count, 2), unaries.dtype)
        where = everywhere(graph)
        step = lambda carry, uniform: (propose(graph, unaries, where, carry, uniform), None)  # noqa: E731
        return jax.lax.scan(step, started(graph, unaries, where, state), uniform)[0][0]


def started(graph: FactorGraph, unaries: Planes, where: tuple, states: Planes) -> tuple:
    """States, the fields of all variables, and the log of the sum of the proposal's weights: what `propose` carries."""
    field = fields(graph, unaries, states, where)
    return states, field, proposal(field, states)[1]


def propose(graph: FactorGraph, unaries: Planes, where: tuple, carry: tuple, uniform) -> tuple:
    """One proposal, accepted or not.

    Args:
        where: `everywhere(graph)`.
        carry: as `started` returns it.
        uniform: two uniform numbers a copy, (2, batch).
    """
    states, field, total = carry
    row, variable = pick(proposal(field, states)[0], uniform[0])
    new = planes.change(states, row, variable)
    new_field = moved(graph, unaries, field, new, variable, where)
    back = proposal(new_field, new)[1]
    accept = jnp.log(uniform[1]) < log_acceptance(total, back)
    old_or_new = (states, new), (field, new_field), (total, back)
    return tuple(jnp.where(accept, after, before) for before, after in old_or_new)


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
    """Log-weight of each change, gain / 2, and the log of their sum: q(x -> x') = exp(weight - total)."""
    weights = 0.5 * planes.gains(field, states)
    return weights, jax.nn.logsumexp(weights, axis=(0, 1))


def log_acceptance(total, total_back):
    """Log of p(x') q(x' -> x) / p(x) q(x -> x') = total(x) - total(x'): the gains cancel.

    Where no change is allowed (all is evidence) there is nothing to accept.
    """
    return jnp.where(jnp.isfinite(total) & jnp.isfinite(total_back), total - total_back, -jnp.inf)


def pick(weights: Planes, uniform):
    """Draw one entry of each copy in proportion to exp(weights), from one uniform number: row and variable."""
    flat = weights.reshape(-1, weights.shape[-1])
    top = jnp.max(flat, axis=0)
    shares = jnp.exp(flat - jnp.where(jnp.isfinite(top), top, 0.0))
    summed = jnp.cumsum(shares, axis=0)
    entry = jnp.argmax((summed > uniform * summed[-1]) & (shares > 0), axis=0)
    return entry // weights.shape[1], entry % weights.shape[1]
