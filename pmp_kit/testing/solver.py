"""The check of a solver class: the form of its state, and its answers against enumeration."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .. import exact, run
from ..engine import checks, planes
from ..graph import FactorGraph, Model, as_graph
from ..solvers import AbstractSolver, Answer, MaxProduct
from ..variables import FREE
from .report import ROUNDING, expect, expect_form

MOST_STATES = 2**12
"""The most joint states of the model of a check."""
SCALES = (1e-3, 1.0, 1e3, 1e6)
BATCH = 6


def check_solver(solver: AbstractSolver, model: Model, *, num_sweeps: int = 60, seed: int = 0) -> None:
    """Try a solver on perturbed problems of a small model. It returns nothing if all is right.

    Checked are: the state keeps its form from sweep to sweep; problems that are done do not change; the answers are
    possible states that keep the evidence, and do not depend on the other problems that are solved with them; the score
    is that of the states; no score is above the best one of an enumeration, and no bound below it; nothing is NaN. The
    unaries of the problems are 0.001, 1, 1,000 and 1,000,000 nats large, and some variables are observed. Of
    `MaxProduct`, every message changes in these sweeps that `Flooding` would change, whatever the schedule.

    Args:
        solver: a solver with some settings.
        model: a FactorGraph or anything with .graph(), with at most 4,096 joint states.
        num_sweeps: the number of sweeps for each problem. Schedules that update few messages in a sweep need more.
        seed: of the random numbers.

    Raises: AssertionError that names the method, what was expected, and what came. TypeError or ValueError if an
    argument cannot be used, or if the solver does not support the model.

    Cost: a few compilations and enumerations.
    """
    checks.instance("solver", solver, AbstractSolver, "MaxProduct()")
    graph = as_graph(model)
    check_size(graph)
    solver.check(graph)
    name, numbers = type(solver).__name__, np.random.default_rng(seed)
    for scale in SCALES:
        unaries = perturbed(graph, scale, numbers)
        _check_form(name, solver, graph, unaries)
        answer, state = solved(graph, solver, unaries, num_sweeps)
        _check_answer(name, graph, unaries, answer, scale)
        _check_done(name, solver, graph, unaries, state, answer)
        if isinstance(solver, MaxProduct) and scale == 1.0:
            _check_messages(name, solver, graph, unaries, state)
        alone, _ = solved(graph, solver, unaries[..., -1:], num_sweeps)
        expect(
            np.array_equal(answer.states[..., -1:], alone.states), f"{name}.sweep",
            "the same answer whatever else is solved with a problem", "other states of the last problem alone",
            "reduce over the variables, and not over the last axis",
        )  # fmt: skip


def check_size(graph: FactorGraph) -> None:
    """Raise ValueError unless the joint states of a model can be enumerated for many problems."""
    number = exact.num_configurations(graph.variables)
    if number > MOST_STATES:
        raise ValueError(f"model: expected at most {MOST_STATES} joint states, got {number}; use a smaller model")


def perturbed(graph: FactorGraph, scale: float, numbers: np.random.Generator) -> jax.Array:
    """Return unaries plus noise of this size (planes, n, BATCH), in which some problems have observed variables."""
    known = np.full((graph.variables.count, BATCH), FREE, np.int32)
    best = graph.variables.flatten_all(exact.map_state(graph))
    known[::2, BATCH // 2 :] = best[::2, None]
    clamped = planes.clamp(graph.planes(), jnp.asarray(known))
    return clamped + jnp.asarray(scale * numbers.normal(size=clamped.shape), clamped.dtype)


@jax.jit
def solved(graph: FactorGraph, solver: AbstractSolver, unaries: jax.Array, num_sweeps: Any) -> tuple[Answer, Any]:
    """Return the answer of a solver and its last state."""
    state, _ = run.solver_sweeps(solver, graph, unaries, solver.init(graph, unaries), 0, num_sweeps)
    return solver.answer(graph, unaries, state), state


def _check_form(name: str, solver: AbstractSolver, graph: FactorGraph, unaries: jax.Array) -> None:
    """Check the shapes and types of the state, of `done` and of the answer, without computing them."""
    batch = unaries.shape[2:]
    state = jax.eval_shape(solver.init, graph, unaries)
    expect_form(f"{name}.sweep", jax.eval_shape(solver.sweep, graph, unaries, state), state)
    if solver.inspect is not None:
        expect_form(f"{name}.inspect", jax.eval_shape(solver.inspect, graph, unaries, state), state)
    truth = jax.ShapeDtypeStruct(batch, bool)
    expect_form(f"{name}.done", jax.eval_shape(solver.done, state), truth)
    answer = jax.eval_shape(solver.answer, graph, unaries, state)
    expect(isinstance(answer, Answer), f"{name}.answer", "Answer(...)", type(answer).__name__)
    number = jax.ShapeDtypeStruct(batch, unaries.dtype)
    marginals = jax.ShapeDtypeStruct((max(2, len(unaries)), *unaries.shape[1:]), unaries.dtype)
    forms: tuple[Any, ...] = unaries, number, number, marginals, truth, number
    for part, form in zip(Answer._fields, forms, strict=True):
        given = getattr(answer, part)
        if given is not None or part in ("states", "score", "converged"):
            expect_form(f"{part} in the answer of {name}", given, form)


def _check_answer(name: str, graph: FactorGraph, unaries: jax.Array, answer: Answer, scale: float) -> None:
    """Compare the answer with an enumeration."""
    kept = np.asarray(planes.from_states(planes.to_states(answer.states), len(unaries), unaries.dtype))
    expect(
        np.array_equal(kept, answer.states), f"{name}.answer", "planes of states", "other numbers",
        "pmp_kit.engine.planes.decode makes states of scores",
    )  # fmt: skip
    fixed = np.asarray(planes.excluded(unaries, answer.states))
    expect(
        not fixed.any(), f"{name}.answer", "states that agree with the evidence", "excluded states",
        "decode beliefs, which contain the unaries",
    )  # fmt: skip
    every = exact.all_states(graph.variables, unaries.dtype)
    scores = np.asarray(_scores(graph, unaries, every), np.float64)
    found = np.asarray(graph.score_with(unaries, answer.states), np.float64)
    size = ROUNDING * float(np.finfo(unaries.dtype).eps) * (np.abs(scores[np.isfinite(scores)]).max() + scale)
    best = scores.max(0)
    for part in ("score", "bound"):
        value = getattr(answer, part)
        if value is not None:
            expect(not np.isnan(value).any(), f"{part} in the answer of {name}", "numbers", "NaN")
    possible = found > -np.inf
    near = np.abs(np.asarray(answer.score, np.float64)[possible] - found[possible]) <= size
    expect(
        bool(near.all()), f"score in the answer of {name}", f"{found}, the scores of the states", f"{answer.score}",
        "graph.score_with(unaries, states) computes it",
    )  # fmt: skip
    expect(bool((found <= best + size).all()), f"{name}.answer", f"at most the best scores {best}", f"{found}")
    if answer.bound is not None:
        above = np.asarray(answer.bound, np.float64) >= best - size
        expect(
            bool(above.all()), f"bound in the answer of {name}", f"at least the best scores {best}", f"{answer.bound}"
        )


def _check_done(
    name: str, solver: AbstractSolver, graph: FactorGraph, unaries: jax.Array, state: Any, answer: Answer
) -> None:
    """Check that one more sweep does not change the answers of problems that are done."""
    done = np.asarray(solver.done(state))
    after = solver.answer(graph, unaries, solver.sweep(graph, unaries, state))
    changed = (np.asarray(after.states) != np.asarray(answer.states)).any((0, 1)) & done
    expect(
        not changed.any(), f"{name}.sweep", "the same state of problems that are done", "other states",
        "use jnp.where(self.done(state), old, new)",
    )  # fmt: skip


def _check_messages(name: str, solver: MaxProduct, graph: FactorGraph, unaries: jax.Array, state: Any) -> None:
    """Check that the schedule leaves no message as it was."""
    schedule, start = type(solver.schedule).__name__, solver.init(graph, unaries).messages
    flooded = graph.update(graph.beliefs(unaries, start), start)
    for place, groups in enumerate(zip(start, flooded, state.messages, strict=True)):
        for before, once, after in zip(*map(jax.tree.leaves, groups), strict=True):
            left = (np.abs(once - before) > 1e-3).any(-1) & (after == before).all(-1)
            expect(
                not left.any(), f"{name}.schedule", f"changes of all messages of group {place}",
                f"{int(left.sum())} of {left.size} as in the beginning from {schedule}",
                f"correct {schedule}.order or {schedule}.kept, or use more sweeps",
            )  # fmt: skip


@jax.jit
def _scores(graph: FactorGraph, unaries: jax.Array, every: jax.Array) -> jax.Array:
    """Return the scores (M, batch) of all joint states with these unaries; excluded states get -inf."""

    def of_problem(unaries):
        unaries = jnp.broadcast_to(unaries[..., None], every.shape)
        score = graph.score_with(unaries, every)
        return jnp.where(planes.excluded(unaries, every).any((0, 1)), -jnp.inf, score)

    return jax.lax.map(of_problem, jnp.moveaxis(unaries, -1, 0)).T
