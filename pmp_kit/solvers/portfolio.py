"""A portfolio: several solvers, or one solver from several starts, in parallel; the best answer is returned."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from ..engine import planes, validate
from ..engine.forms import finished
from ..engine.planes import Planes
from ..engine.signatures import PyTree
from ..graph import FactorGraph
from .base import AbstractSolver, Answer, checked_answer, checked_sweep, relative_score


class PortfolioState(NamedTuple):
    """The states of all solvers, and which batch elements are certified optimal."""

    solvers: tuple[PyTree, ...]
    rounding: Float[Array, " batch"]
    """The largest difference of score and bound that counts as rounding, in nats."""
    certified: Bool[Array, " batch"]


class Portfolio(AbstractSolver):
    """Run several solvers and return, for each batch element, the best states and the lowest upper bound.

    `Portfolio(*(MaxProduct(start=s) for s in ("zero", "neutral", RandomStart(key))))` is a portfolio of starts. A batch
    element is done when all solvers have finished it. It is also done when its best score equals its lowest bound up to
    rounding (8 eps times the sum of the absolute values of all scores). It is then certified optimal, and `converged`
    is True. `marginals` and `log_partition` are None. One sweep is one sweep of every solver. Cost: the sum of their
    costs.
    """

    solvers: tuple[AbstractSolver, ...]

    def __init__(self, *solvers: AbstractSolver):
        """Args: solvers: at least one. Raises: TypeError or ValueError that names the argument."""
        if not solvers:
            raise ValueError("solvers: expected at least one solver, got none; write Portfolio(MaxProduct(), MPLP())")
        if isinstance(solvers[0], (list, tuple)):
            raise TypeError("solvers: expected solvers, got a list of them; write Portfolio(*solvers)")
        self.solvers = tuple(validate.instance("solvers", s, AbstractSolver, "MaxProduct()") for s in solvers)

    @property
    def parallel(self) -> bool:
        return all(solver.parallel for solver in self.solvers)

    @property
    def on_host(self) -> bool:
        return any(solver.on_host for solver in self.solvers)

    def check(self, graph):
        for solver in self.solvers:
            solver.check(graph)

    def init(self, graph, unaries):
        states = tuple(solver.init(graph, unaries) for solver in self.solvers)
        state = PortfolioState(states, rounding_of(graph, unaries), jnp.zeros(unaries.shape[2:], bool))
        return state._replace(certified=self.certified(state))

    def sweep(self, graph, unaries, state):
        old = state.solvers
        new = tuple(checked_sweep(s, graph, unaries, own) for s, own in zip(self.solvers, old, strict=True))
        if not any(part is None for part in self.progress(state)):  # certified batch elements no longer change
            new = jax.tree.map(lambda old, new: jnp.where(state.certified, old, new), old, new)
        state = state._replace(solvers=new)
        return state._replace(certified=self.certified(state))

    def progress(self, state):
        parts = [solver.progress(own) for solver, own in zip(self.solvers, state.solvers, strict=True)]
        scores, bounds = ([one for one in column if one is not None] for column in zip(*parts, strict=True))
        return jnp.stack(scores).max(0) if scores else None, jnp.stack(bounds).min(0) if bounds else None

    def certified(self, state: PortfolioState) -> Bool[Array, " batch"]:
        """Return the batch elements whose best score equals the lowest bound, read from the solvers' states."""
        score, bound = self.progress(state)
        return state.certified if score is None or bound is None else equal(score, bound, state.rounding)

    def done(self, state):
        pairs = zip(self.solvers, state.solvers, strict=True)
        return jnp.stack([finished(s, own, state.certified.size) for s, own in pairs]).all(0) | state.certified

    def answer(self, graph, unaries, state):
        pairs = zip(self.solvers, state.solvers, strict=True)
        answers = [checked_answer(type(s).__name__, s.answer(graph, unaries, own), unaries) for s, own in pairs]
        relative = [relative_score(graph, unaries, answer.states) for answer in answers]
        best, highest = answers[0], relative[0]
        for other, score in zip(answers[1:], relative[1:], strict=True):
            better, highest = score > highest, jnp.maximum(score, highest)
            best = best._replace(
                states=jnp.where(better, other.states, best.states),
                score=jnp.where(better, other.score, best.score),
                converged=jnp.where(better, other.converged, best.converged),
            )
        bounds = [answer.bound for answer in answers if answer.bound is not None]
        if not bounds:
            return Answer(best.states, best.score, None, None, best.converged)
        bound = jnp.maximum(jnp.stack(bounds).min(0), best.score)  # they differ by rounding
        certified = equal(best.score, bound, state.rounding)
        return Answer(best.states, best.score, bound, None, best.converged | certified)


def rounding_of(graph: FactorGraph, unaries: Planes) -> Float[Array, " batch"]:
    """Return 8 eps times the sum of the absolute values of all finite scores, for each batch element."""
    sizes = (factor.bounds()[1].astype(unaries.dtype) for factor in graph.factors)
    of_factors = sum(sizes, start=jnp.zeros((), unaries.dtype))
    return 8.0 * jnp.finfo(unaries.dtype).eps * (jnp.abs(planes.finite(unaries)).sum((0, 1)) + of_factors)


def equal(score, bound, rounding) -> Bool[Array, " batch"]:
    """Return whether the score equals its bound up to rounding, also if both are -inf (no possible configuration)."""
    return bound <= score + rounding
