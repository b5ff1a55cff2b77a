"""A portfolio: several solvers, or one solver from several starts, in parallel; the best answer is returned."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from ..engine import checks, planes
from ..engine.arrays import in_float64
from ..engine.chunks import Workload
from ..engine.planes import Planes
from ..engine.signatures import PyTree
from ..graph import FactorGraph
from .base import AbstractSolver, Answer, relative_score
from .pairs import pair_model
from .together import Together, flat, teams, tiled_unaries

ROUNDING = 8.0
"""A score equals its bound if they differ by at most ROUNDING eps times the sum of the absolute scores in it."""


class PortfolioState(NamedTuple):
    """The states of all solvers, and which batch elements are certified optimal."""

    solvers: tuple[PyTree, ...]
    """One for each of `teams`: searches that differ only in numbers and keys are one search (`Together`)."""
    certified: Bool[Array, " batch"] | None
    """None if no solver computes an upper bound."""


class Portfolio(AbstractSolver):
    """Run several solvers and return, for each batch element, the best states and the lowest upper bound.

    `Portfolio(*(MaxProduct(start=s) for s in ("zero", "neutral", RandomStart(key))))` is a portfolio of starts. A batch
    element is done when all solvers have finished it. It is also done when its best score equals its lowest bound up to
    rounding: 8 eps times the sum of the absolute values of the scores that its states have in unaries and tables. (Both
    values are sums in 64-bit precision here, if the model is pairwise.) It is then certified optimal, and `converged`
    is True. `marginals` and `log_partition` are None. One sweep is one sweep of every solver. Several `MaxProduct` that
    differ only in numbers, starts and keys are compiled once. Cost: the sum of their costs.
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
        states = tuple(solver.init(graph, unaries) for _, solver in teams(self.solvers))
        answer = jax.eval_shape(self.best_of, graph, unaries, states)
        return PortfolioState(states, None if answer.bound is None else self.certified(graph, unaries, states))

    def sweep(self, graph, unaries, state):
        pairs = zip(teams(self.solvers), state.solvers, strict=True)
        new = tuple(solver.sweep(graph, unaries, own) for (_, solver), own in pairs)
        if state.certified is not None:  # certified batch elements no longer change
            new = jax.tree.map(lambda old, new: jnp.where(state.certified, old, new), state.solvers, new)
        return state._replace(solvers=new)

    def inspect(self, graph: FactorGraph, unaries: Planes, state: PortfolioState) -> PortfolioState:
        states = tuple(
            own if solver.inspect is None else solver.inspect(graph, unaries, own)
            for (_, solver), own in zip(teams(self.solvers), state.solvers, strict=True)
        )
        certified = None if state.certified is None else self.certified(graph, unaries, states)
        return PortfolioState(states, certified)

    def certified(self, graph: FactorGraph, unaries: Planes, states: tuple[PyTree, ...]) -> Bool[Array, " batch"]:
        """Return the batch elements whose best score equals the lowest bound."""
        return is_proof(graph, unaries, self.best_of(graph, unaries, states))

    def done(self, state):
        pairs = zip(teams(self.solvers), state.solvers, strict=True)
        every = jnp.stack([solver.done(own) for (_, solver), own in pairs]).all(0)
        return every if state.certified is None else every | state.certified

    def answer(self, graph, unaries, state):
        best = self.best_of(graph, unaries, state.solvers)
        if best.bound is None:
            return best
        proved = is_proof(graph, unaries, best)
        return best._replace(bound=jnp.maximum(best.bound, best.score), converged=best.converged | proved)

    def best_of(self, graph: FactorGraph, unaries: Planes, states: tuple[PyTree, ...]) -> Answer:
        """Return the best states of all solvers, and the lowest of their bounds."""
        found: dict[int, Answer] = {}
        for (places, solver), own in zip(teams(self.solvers), states, strict=True):
            together = isinstance(solver, Together)
            own_answers = solver.answers(graph, unaries, own) if together else [solver.answer(graph, unaries, own)]
            found |= dict(zip(places, own_answers, strict=True))
        answers = [found[place] for place in range(len(self.solvers))]
        relative = relative_scores(graph, unaries, [answer.states for answer in answers])
        best, highest = answers[0], relative[0]
        for other, score in zip(answers[1:], relative[1:], strict=True):
            better, highest = score > highest, jnp.maximum(score, highest)
            best = best._replace(
                states=jnp.where(better, other.states, best.states),
                score=jnp.where(better, other.score, best.score),
                converged=jnp.where(better, other.converged, best.converged),
            )
        bounds = [answer.bound for answer in answers if answer.bound is not None]
        bound = jnp.stack(bounds).min(0) if bounds else None  # below the score by rounding, perhaps
        return Answer(best.states, best.score, bound, None, best.converged)


def relative_scores(graph: FactorGraph, unaries: Planes, states: list[Planes]) -> list[Array]:
    """Return the `relative_score` of several states, computed at once, so that it is compiled once."""
    every = relative_score(graph, tiled_unaries(unaries, len(states)), flat(jnp.stack(states, axis=-2)))
    return list(every.reshape(len(states), -1))


def is_proof(graph: FactorGraph, unaries: Planes, best: Answer) -> Bool[Array, " batch"]:
    """Return whether the score of the best states equals its bound up to rounding, also if both are -inf.

    The rounding is that of the scores which these states have. Scores of other states, such as large penalties, are no
    part of either value. The scores of a pairwise model are added in 64-bit precision, and so are the bounds of its
    solvers, so that no proof is claimed that 64-bit precision does not confirm.
    """
    assert best.bound is not None
    own = unary_terms(unaries, best.states)
    try:
        terms = jnp.concatenate([own, pair_terms(graph, unaries, best.states)])
    except ValueError:  # there are no pairs
        size = jnp.abs(own).sum(0) + sum(jnp.abs(planes.finite(f.score(best.states))) for f in graph.factors)
        return best.bound <= best.score + rounded(size, best.score)
    with in_float64():
        terms = terms.astype(jnp.float64)
        total = terms.sum(0)
        size = jnp.abs(jnp.where(jnp.isneginf(total), jnp.zeros_like(terms), terms)).sum(0)
        return best.bound.astype(jnp.float64) <= total + rounded(size, best.bound)


def rounded(size: Array, like: Array) -> Array:
    """Return by how much two sums of scores may differ that are equal, if the absolute scores have this sum."""
    return ROUNDING * float(jnp.finfo(like.dtype).eps) * size


def unary_terms(unaries: Planes, states: Planes) -> Float[Array, "n batch"]:
    """Return the score of each variable's state, as `planes.dot` counts it."""
    return jnp.sum(jnp.where(states > 0, planes.finite(unaries), 0.0), axis=0)


def pair_terms(graph: FactorGraph, unaries: Planes, states: Planes) -> Float[Array, "E batch"]:
    """Return the score of each pair. Raise ValueError if some factor is not pairwise."""
    model, at = pair_model(graph, unaries), planes.to_states(states)
    first, second = at[model.pairs[:, 0]], at[model.pairs[:, 1]]
    return model.tables[jnp.arange(len(model.pairs))[:, None], first, second]
