"""The discrete Langevin sampler: all variables move at once (Zhang, Liu and Liu 2022, DMALA)."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from .. import planes, validate
from ..planes import Planes
from .base import draw_each, split_each
from .chain import AbstractChain, everywhere, finite_fields, finite_weight, softmax_noise

PENALTY = 8.0
"""Nats for each broken constraint in proposals. Any number is right; a large one proposes no move at all."""


class Outlook(NamedTuple):
    """What the sampler knows of its states."""

    score: Float[Array, " batch"]
    """Finite part of the score."""
    broken: Float[Array, " batch"]
    """Constraints that are broken."""
    proposal: Planes
    """Scores of the next state of every variable, which are drawn independently."""


class DiscreteLangevin(AbstractChain):
    """Propose a new state of every variable at once, accept all or nothing by Metropolis-Hastings (DMALA).

    q(x'|x) = prod_i softmax of field_i(x'_i) / 2 - [x'_i != x_i] / (2 step_size), field the exact local fields (equal
    to the gradient for pairwise models), for any number of states. Where constraints are broken, their number times
    PENALTY takes the place of the score; from there each possible state is accepted. A sweep is one proposal, which
    asks every variable once. Cost of a sweep: two fields of all variables and two scores.
    """

    step_size: float

    def __init__(self, step_size=0.2):
        """Args:
        step_size: larger moves more variables at once and is accepted less often; a traced value.

        Raises: TypeError or ValueError that names the argument.
        """
        self.step_size = validate.number("step_size", step_size, 1e-6, 1e6)

    def outlook(self, graph, unaries, states, where) -> Outlook:
        """Score, broken constraints, and the proposal from here."""
        broken = graph.violations(states)
        field, change = finite_fields(graph, unaries, states, where)
        field = jnp.where((broken > 0) & jnp.isfinite(field), 0.0, field) - PENALTY * change
        proposal = 0.5 * field + planes.favouring(states, 0.5 / self.step_size)
        return Outlook(finite_weight(graph, unaries, states), broken, proposal)

    def sweep(self, keys, graph, unaries, state):
        where = everywhere(graph)
        first, second = split_each(keys)
        here = self.outlook(graph, unaries, state, where)
        new = planes.decode(here.proposal + softmax_noise(first, unaries))
        there = self.outlook(graph, unaries, new, where)
        uniform = draw_each(jax.random.uniform, second, (), unaries.dtype)
        return jnp.where(jnp.log(uniform) < log_acceptance(here, there, state, new), new, state)


def log_acceptance(here: Outlook, there: Outlook, states: Planes, new: Planes):
    """Log of p(x') q(x|x') / p(x) q(x'|x).

    From impossible states, which have p = 0, all possible ones are accepted and no others lead there; among themselves
    they have the weight exp(-PENALTY broken).
    """
    rise = jnp.where(here.broken > 0, PENALTY * (here.broken - there.broken), there.score - here.score)
    rise = rise + planes.log_probability(there.proposal, states) - planes.log_probability(here.proposal, new)
    found, lost = (here.broken > 0) & (there.broken == 0), (here.broken == 0) & (there.broken > 0)
    return jnp.where(found, jnp.inf, jnp.where(lost, -jnp.inf, rise))
