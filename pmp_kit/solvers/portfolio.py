"""A portfolio: several solvers, or one from several starts, side by side; the best answer of each copy is kept."""

import jax.numpy as jnp

from .. import validate
from .base import AbstractSolver, Answer


class Portfolio(AbstractSolver):
    """Runs all its solvers and answers, for each copy, with the best score and the lowest bound.

    `Portfolio(*(MaxProduct(start=s) for s in ("zero", "neutral", RandomStart(key))))` is a portfolio of starts. One
    sweep is one sweep of every solver: it costs their sum. A copy is done when all have finished it.
    """

    solvers: tuple[AbstractSolver, ...]

    def __init__(self, *solvers):
        """Args: solvers: at least one."""
        if not solvers:
            raise ValueError("solvers: expected at least one solver, got none; write Portfolio(MaxProduct(), MPLP())")
        self.solvers = tuple(validate.instance("solvers", s, AbstractSolver, "MaxProduct()") for s in solvers)

    @property
    def parallel(self):
        return all(solver.parallel for solver in self.solvers)

    def check(self, graph):
        for solver in self.solvers:
            solver.check(graph)

    def init(self, graph, unaries):
        return tuple(solver.init(graph, unaries) for solver in self.solvers)

    def sweep(self, graph, unaries, state):
        return tuple(solver.sweep(graph, unaries, own) for solver, own in zip(self.solvers, state, strict=True))

    def done(self, state):
        finished = [solver.done(own) for solver, own in zip(self.solvers, state, strict=True)]
        return jnp.stack(finished).all(0)

    def answer(self, graph, unaries, state):
        answers = [solver.answer(graph, unaries, own) for solver, own in zip(self.solvers, state, strict=True)]
        best = answers[0]
        for other in answers[1:]:
            better = other.score > best.score
            best = best._replace(
                states=jnp.where(better, other.states, best.states),
                score=jnp.where(better, other.score, best.score),
                converged=jnp.where(better, other.converged, best.converged),
            )
        bounds = [answer.bound for answer in answers if answer.bound is not None]
        bound = jnp.min(jnp.stack(bounds), axis=0) if bounds else None
        return Answer(best.states, best.score, bound, None, best.converged)
