"""The discrete Metropolis-adjusted Langevin algorithm (DMALA): all variables change at once (Zhang et al. 2022)."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..engine import checks, planes
from ..engine.planes import Planes
from ..engine.signatures import Number, PyTree
from ..graph import FactorGraph
from ..noise import open_uniform
from .base import draw_each, split_each
from .chain import AbstractChain, everywhere, finite_fields, finite_weight, softmax_noise

PENALTY = 2.0
"""Penalty in nats for each violated constraint in proposals.

The chain is correct for any value. With a large value, most proposals change no variable.
"""


class Outlook(NamedTuple):
    """The score and the proposal distribution of a configuration."""

    score: Float[Array, " batch"]
    """The finite part of the score, in nats."""
    broken: Float[Array, " batch"]
    """The `violations` of the configuration."""
    proposal: Planes
    """Log-probabilities, up to constants, of the proposed state of each variable, which are drawn independently."""


class DiscreteLangevin(AbstractChain):
    """Propose new states of all variables at once and accept or reject them together by Metropolis-Hastings.

    This is the discrete Metropolis-adjusted Langevin algorithm (DMALA; Zhang, Liu and Liu 2022). The proposal is

        q(x'|x) = prod_i softmax[field_i(x'_i) / 2 - [x'_i != x_i] / (2 step_size)]

    where field_i are the exact log-conditionals (equal to the gradient for pairwise models), for any number of states.
    Each unit of `violations` subtracts 2 nats in a field. From an impossible configuration, about one variable changes
    per sweep so that fewer constraints are violated, until the configuration is possible. One sweep is one proposal.
    Cost of a sweep: two times the conditionals of all variables and two scores.
    """

    step_size: Number

    def __init__(self, step_size: Number = 0.2):
        """Args:
        step_size: a larger step size changes more variables at once and lowers the acceptance rate. Below 0.1 hardly
            any variable changes, because exp(-1 / (2 step_size)) is a factor of each change.

        Raises: TypeError or ValueError that names the argument.
        """
        self.step_size = checks.number("step_size", step_size, 1e-6, 1e6)

    def outlook(self, graph: FactorGraph, unaries: Planes, states: Planes, where: tuple[PyTree, ...]) -> Outlook:
        """Return the score, its `violations` and the proposal distribution of `states`."""
        broken = graph.violations(states)
        field, change = finite_fields(graph, unaries, states, where)
        proposal = 0.5 * (field - PENALTY * change) + planes.favouring(states, 0.5 / self.step_size)
        mending = jnp.where(jnp.isfinite(field), 0.0, field) - PENALTY * change
        proposal = jnp.where(broken > 0, mending, proposal)
        return Outlook(finite_weight(graph, unaries, states), broken, proposal)

    def sweep(self, keys, graph, unaries, state):
        where = everywhere(graph)
        first, second, third = split_each(keys, 3)
        here = self.outlook(graph, unaries, state, where)
        new = planes.decode_noisy(here.proposal, softmax_noise(first, unaries))
        if graph.hard:
            new = jnp.where(here.broken > 0, about_one_change(third, state, new), new)
        there = self.outlook(graph, unaries, new, where)
        uniform = draw_each(open_uniform, second, (), unaries.dtype)
        return jnp.where(jnp.log(uniform) < log_acceptance(here, there, state, new), new, state)


def about_one_change(keys, states: Planes, new: Planes) -> Planes:
    """Return the states with each of the m changes of `new` made with probability 1 / m.

    All m changes at once would violate other constraints.
    """
    changed = (states != new).any(0)
    uniform = draw_each(jax.random.uniform, keys, changed.shape[:1], states.dtype)
    return jnp.where(changed & (uniform * changed.sum(0).astype(states.dtype) < 1.0), new, states)


def log_acceptance(here: Outlook, there: Outlook, states: Planes, new: Planes):
    """Return log [p(x') q(x|x') / p(x) q(x'|x)].

    From an impossible state, every possible state is accepted, and no possible state leads back to an impossible one.
    Impossible states have p = 0, so moves among them do not change the stationary distribution. These moves use a
    penalty of PENALTY nats for each violated constraint.
    """
    there_to_here = planes.log_probability(there.proposal, states)
    ratio = there.score - here.score + there_to_here - planes.log_probability(here.proposal, new)
    mended = jnp.where(there.broken > 0, PENALTY * (here.broken - there.broken), jnp.inf)
    return jnp.where(here.broken > 0, mended, jnp.where(there.broken > 0, -jnp.inf, ratio))
