"""Ties between equally good states, which `solve` breaks for max-product.

If configurations can be exchanged (states of spins without fields, colours of a map), the best states of a variable
have the same belief. States that are decoded one by one then mix different best configurations.
"""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool

from ..engine import planes
from ..engine.chunks import Workload
from ..engine.planes import Planes
from ..graph import FactorGraph
from .base import AbstractSolver
from .max_product import CHECK_EVERY, MaxProduct, MaxProductState
from .polish import Polished

PUSH = 64.0
"""The largest change of a tied unary, in units of the rounding of a variable's share of all scores."""
TIED = 16.0
"""The difference of two beliefs that counts as a tie, in units of the rounding of the unaries."""
SETTLED = 0.25
"""The largest update of a message, as a part of the smallest difference of two beliefs, at which pushed ties are
settled."""


class TieState(NamedTuple):
    """The state of max-product, the unaries that it sees, and which batch elements had ties."""

    inner: MaxProductState
    unaries: Planes
    pushed: Bool[Array, " batch"]


class WithoutTies(AbstractSolver):
    """Max-product that goes on where it would stop with tied beliefs, after a fixed small change of the tied unaries.

    Nothing changes as long as no free variable has a tie and all decoded states are the same at two checks. The change
    is below the resolution of the score, and the score of the answer does not contain it. An element with ties has
    converged when its updates are small compared with the smallest difference between two states.
    """

    solver: MaxProduct

    @property
    def workload(self) -> Workload:
        return self.solver.workload

    def check(self, graph):
        self.solver.check(graph)

    def init(self, graph, unaries):
        return TieState(self.solver.init(graph, unaries), unaries, jnp.zeros(unaries.shape[2:], bool))

    def sweep(self, graph, unaries, state):
        return state._replace(inner=self.solver.sweep(graph, state.unaries, state.inner))

    def inspect(self, graph: FactorGraph, unaries: Planes, state: TieState) -> TieState:
        """Return the state after the check of max-product and, where the decoded states stay, a check for ties."""
        inner = self.solver.inspect(graph, state.unaries, state.inner)
        number = jnp.max(inner.sweeps, initial=0)
        before = state.inner.found.last
        same = jnp.all(inner.found.last == before, axis=(0, 1)) & ~state.inner.finished
        due = (number % CHECK_EVERY == 0) & (number > 0) & same.any()
        return jax.lax.cond(
            due, lambda: self._without_ties(graph, unaries, state, inner, same), lambda: state._replace(inner=inner)
        )

    def _without_ties(
        self, graph: FactorGraph, unaries: Planes, state: TieState, inner: MaxProductState, same: Array
    ) -> TieState:
        """Return the state with tied unaries changed, and elements that are not settled as unfinished."""
        beliefs = graph.beliefs(state.unaries, inner.messages)
        ties = tied(unaries, beliefs)
        new = same & ties.any(0) & ~state.pushed
        changed = jnp.where(new & ties & jnp.isfinite(unaries), state.unaries + pushes(graph, unaries), state.unaries)
        smallest = jnp.where(planes.is_clamped(unaries)[0], jnp.inf, planes.margins(beliefs)).min(0, initial=jnp.inf)
        unsettled = jax.lax.cond(
            (same & state.pushed & inner.converged).any(),
            lambda: graph.residual(beliefs, inner.messages) >= SETTLED * smallest,
            lambda: jnp.zeros(same.shape, bool),
        )
        again = same & inner.converged & (new | (state.pushed & unsettled))
        inner = inner._replace(converged=inner.converged & ~again, finished=inner.finished & ~again)
        # Messages may never leave the tie: on dense graphs they swing between two states. So its first states count.
        present = planes.decode(beliefs + jnp.where(jnp.isfinite(unaries), changed - state.unaries, 0.0))
        found = self.solver.compared(graph, changed, inner, present)._replace(last=inner.found.last)
        return TieState(inner._replace(found=found), changed, state.pushed | new)

    def done(self, state):
        return self.solver.done(state.inner)

    def answer(self, graph, unaries, state):
        answer = self.solver.answer(graph, state.unaries, state.inner)
        return answer._replace(score=graph.score_with(unaries, answer.states))


def without_ties(solver: AbstractSolver) -> AbstractSolver:
    """Return a `MaxProduct` that breaks ties, also inside `Polished`; other solvers are returned unchanged."""
    if type(solver) is MaxProduct:
        return WithoutTies(solver)
    if isinstance(solver, Polished) and (inner := without_ties(solver.solver)) is not solver.solver:
        return eqx.tree_at(lambda outer: outer.solver, solver, inner)
    return solver


def tied(unaries: Planes, beliefs: Planes) -> Bool[Array, "n *batch"]:
    """Return which free variables have two best states with the same belief, up to the rounding of their unaries."""
    rounding = TIED * jnp.finfo(unaries.dtype).eps * jnp.abs(planes.finite(unaries)).max(0)
    return ~planes.is_clamped(unaries)[0] & (planes.margins(beliefs) <= rounding)


def pushes(graph: FactorGraph, unaries: Planes) -> Planes:
    """Return a fixed number for each state, (planes, n, *batch), within the rounding of sums of scores.

    They look random, so that they do not follow the structure of a model, and are the same in each run.
    """
    kind = unaries.dtype
    mixed = jnp.arange(unaries.shape[0] * unaries.shape[1], dtype=jnp.uint32) + jnp.uint32(1)
    for factor in (0x9E3779B1, 0x85EBCA6B, 0xC2B2AE35):
        mixed = mixed * jnp.uint32(factor)
        mixed = mixed ^ (mixed >> 15)
    share = (mixed >> 8).astype(kind) / kind.type(2**23) - kind.type(1)  # in [-1, 1)
    share = share.reshape(*unaries.shape[:2], *(1,) * (unaries.ndim - 2))
    average = graph.score_range(unaries) / unaries.shape[1]
    return PUSH * jnp.finfo(kind).eps * average.astype(kind) * share
