"""A portfolio: several solvers, or one solver from several starts, in parallel; the best answer is returned."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from ..engine import checks, planes
from ..engine.chunks import Workload
from ..engine.planes import Planes
from ..engine.signatures import PyTree
from ..graph import FactorGraph
from .base import AbstractSolver, Answer, relative_score


class PortfolioState(NamedTuple):
    """The states of all solvers, and which batch elements are certified optimal."""

    solvers: tuple[PyTree, ...]
    certified: Bool[Array, " batch"] | None
    """None if no solver computes an upper bound."""


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
        self.solvers = tuple(checks.instance("solvers", s, AbstractSolver, "MaxProduct()") for s in solvers)

    @property
    def workload(self) -> Workload:
        kinds: list[Workload] = [solver.workload for solver in self.solvers]
        if "host" in kinds:
            return "host"
        return kinds[0] if len(set(kinds)) == 1 else "variables"

    def check(self, graph):
        for solver in self.solvers:
            solver.check(graph)

    def init(self, graph, unaries):
        states = tuple(solver.init(graph, unaries) for solver in self.solvers)
        answer = jax.eval_shape(self.best_of, graph, unaries, states)
        return PortfolioState(states, None if answer.bound is None else self.certified(graph, unaries, states))

    def sweep(self, graph, unaries, state):
        new = tuple(solver.sweep(graph, unaries, own) for solver, own in zip(self.solvers, state.solvers, strict=True))
        if state.certified is not None:  # certified batch elements no longer change
            new = jax.tree.map(lambda old, new: jnp.where(state.certified, old, new), state.solvers, new)
        return state._replace(solvers=new)

    def inspect(self, graph: FactorGraph, unaries: Planes, state: PortfolioState) -> PortfolioState:
        states = tuple(
            own if solver.inspect is None else solver.inspect(graph, unaries, own)
            for solver, own in zip(self.solvers, state.solvers, strict=True)
        )
        certified = None if state.certified is None else self.certified(graph, unaries, states)
        return PortfolioState(states, certified)

    def certified(self, graph: FactorGraph, unaries: Planes, states: tuple[PyTree, ...]) -> Bool[Array, " batch"]:
        """Return the batch elements whose best score equals the lowest bound."""
        best = self.best_of(graph, unaries, states)
        return equal(best.score, best.bound, rounding_of(graph, unaries))

    def done(self, state):
        pairs = zip(self.solvers, state.solvers, strict=True)
        every = jnp.stack([solver.done(own) for solver, own in pairs]).all(0)
        return every if state.certified is None else every | state.certified

    def answer(self, graph, unaries, state):
        best = self.best_of(graph, unaries, state.solvers)
        if best.bound is None:
            return best
        certified = equal(best.score, best.bound, rounding_of(graph, unaries))
        return best._replace(converged=best.converged | certified)

    def best_of(self, graph: FactorGraph, unaries: Planes, states: tuple[PyTree, ...]) -> Answer:
        """Return the best states of all solvers, and the lowest of their bounds."""
        pairs = zip(self.solvers, states, strict=True)
        answers = [solver.answer(graph, unaries, own) for solver, own in pairs]
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
        bound = jnp.maximum(jnp.stack(bounds).min(0), best.score) if bounds else None  # they differ by rounding
        return Answer(best.states, best.score, bound, None, best.converged)


def rounding_of(graph: FactorGraph, unaries: Planes) -> Float[Array, " batch"]:
    """Return 8 eps times the sum of the absolute values of all finite scores, for each batch element."""
    sizes = (factor.bounds()[1].astype(unaries.dtype) for factor in graph.factors)
    of_factors = sum(sizes, start=jnp.zeros((), unaries.dtype))
    return 8.0 * jnp.finfo(unaries.dtype).eps * (jnp.abs(planes.finite(unaries)).sum((0, 1)) + of_factors)


def equal(score, bound, rounding) -> Bool[Array, " batch"]:
    """Return whether the score equals its bound up to rounding, also if both are -inf (no possible configuration)."""
    return bound <= score + rounding
