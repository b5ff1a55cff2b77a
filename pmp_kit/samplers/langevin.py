"""The discrete Langevin sampler: all variables move at once (Zhang, Liu and Liu 2022, DMALA)."""

import jax
import jax.numpy as jnp

from .. import planes, validate
from ..planes import Planes
from .base import draw_each, split_each
from .chain import AbstractChain, everywhere, fields, log_weight, softmax_noise


class DiscreteLangevin(AbstractChain):
    """Propose a new state of every variable at once, accept all or nothing by Metropolis-Hastings (DMALA).

    q(x'|x) = prod_i softmax of field_i(x'_i) / 2 - [x'_i != x_i] / (2 step_size), field the exact local fields (equal
    to the gradient for pairwise models), for any number of states. A sweep is one proposal, which asks every variable
    once. Cost of a sweep: two fields of all variables and two scores.
    """

    step_size: float

    def __init__(self, step_size=0.2):
        """Args:
        step_size: larger moves more variables at once and is accepted less often; a traced value.

        Raises: TypeError or ValueError that names the argument.
        """
        self.step_size = validate.number("step_size", step_size, 1e-6, 1e6)

    def proposal(self, field: Planes, states: Planes) -> Planes:
        """Scores of the next state of every variable, which are drawn independently."""
        return 0.5 * field + planes.favouring(states, 0.5 / self.step_size)

    def sweep(self, keys, graph, unaries, state):
        where = everywhere(graph)
        first, second = split_each(keys)
        there = self.proposal(fields(graph, unaries, state, where), state)
        new = planes.decode(there + softmax_noise(first, unaries))
        back = self.proposal(fields(graph, unaries, new, where), new)
        rise = log_weight(graph, unaries, new) - log_weight(graph, unaries, state)
        uniform = draw_each(jax.random.uniform, second, (), unaries.dtype)
        return jnp.where(jnp.log(uniform) < log_acceptance(rise, there, back, state, new), new, state)


def log_acceptance(rise, there: Planes, back: Planes, states: Planes, new: Planes):
    """Log of p(x') q(x|x') / p(x) q(x'|x), with rise = score(x') - score(x)."""
    return rise + planes.log_probability(back, states) - planes.log_probability(there, new)
