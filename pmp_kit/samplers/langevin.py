"""The discrete Langevin sampler: all variables move at once (Zhang, Liu and Liu 2022, DMALA)."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..engine import planes, validate
from ..engine.planes import Planes
from ..engine.signatures import Number, PyTree
from ..graph import FactorGraph
from .base import draw_each, split_each
from .chain import AbstractChain, everywhere, finite_fields, finite_weight, softmax_noise

PENALTY = 2.0
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
    to the gradient for pairwise models), for any number of states; a broken constraint counts PENALTY nats in a field.
    From an impossible state about one variable moves, so as to break fewer constraints, till a state is possible.
    A sweep is one proposal, which asks every variable once. Cost of a sweep: two fields of all variables and two
    scores.
    """

    step_size: Number

    def __init__(self, step_size: Number = 0.2):
        """Args:
        step_size: larger moves more variables at once and is accepted less often; a traced value.

        Raises: TypeError or ValueError that names the argument.
        """
        self.step_size = validate.number("step_size", step_size, 1e-6, 1e6)

    def outlook(self, graph: FactorGraph, unaries: Planes, states: Planes, where: tuple[PyTree, ...]) -> Outlook:
        """Score, broken constraints, and the proposal from here."""
        broken = graph.violations(states)
        field, change = finite_fields(graph, unaries, states, where)
        proposal = 0.5 * (field - PENALTY * change) + planes.favouring(states, 0.5 / self.step_size)
        mending = jnp.where(jnp.isfinite(field), 0.0, field) - PENALTY * change
        proposal = jnp.where(broken > 0, mending, proposal)
        return Outlook(finite_weight(graph, unaries, states), broken, proposal)

    def sweep(self, keys, graph, unaries, state):
        where = everywhere(graph)
        first, second, *third = split_each(keys, 3 if graph.hard else 2)
        here = self.outlook(graph, unaries, state, where)
        new = planes.decode(here.proposal + softmax_noise(first, unaries))
        if graph.hard:
            new = jnp.where(here.broken > 0, about_one_change(third[0], state, new), new)
        there = self.outlook(graph, unaries, new, where)
        uniform = draw_each(jax.random.uniform, second, (), unaries.dtype)
        return jnp.where(jnp.log(uniform) < log_acceptance(here, there, state, new), new, state)


def about_one_change(keys, states: Planes, new: Planes) -> Planes:
    """The states with each of the m changes of `new` made with probability 1 / m: all at once would overshoot."""
    changed = (states != new).any(0)
    uniform = draw_each(jax.random.uniform, keys, changed.shape[:1], states.dtype)
    return jnp.where(changed & (uniform * changed.sum(0).astype(states.dtype) < 1.0), new, states)


def log_acceptance(here: Outlook, there: Outlook, states: Planes, new: Planes):
    """Log of p(x') q(x|x') / p(x) q(x'|x).

    From an impossible state every possible one is accepted, and no other leads back: what happens among the impossible
    states, which have p = 0, leaves the distribution as it is. There PENALTY nats count for each broken constraint.
    """
    there_to_here = planes.log_probability(there.proposal, states)
    ratio = there.score - here.score + there_to_here - planes.log_probability(here.proposal, new)
    mended = jnp.where(there.broken > 0, PENALTY * (here.broken - there.broken), jnp.inf)
    return jnp.where(here.broken > 0, mended, jnp.where(there.broken > 0, -jnp.inf, ratio))
