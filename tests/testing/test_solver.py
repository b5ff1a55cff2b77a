"""`check_solver` accepts the solvers of the kit, and names the method of a wrong one."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from own_solver import Decoded
from slow_parameters import some

import pmp_kit as pk
from pmp_kit.engine.planes import decode
from pmp_kit.solvers import AbstractSolver

PAIRS = np.array([[0, 1], [1, 2], [2, 0], [2, 3]])
BINARY = pk.FactorGraph(
    pk.Variables(x=pk.Binary(4)), [pk.Edges(PAIRS, [0.5, 1.0, 0.7, 1.2])], {"x": [0.3, -0.2, 0.1, 0]}
)
SOLVERS = {
    "max-product": pk.MaxProduct(),
    "alternating": pk.MaxProduct(schedule=pk.Alternating(), patience=6),
    "sum-product": pk.SumProduct(),
    "MPLP": pk.MPLP(),
    "linear program": pk.LinearProgram(),
    "minimum cut": pk.MaxFlow(),
    "exhaustive": pk.Exhaustive(),
    "coordinate ascent": pk.CoordinateAscent(),
    "polished": pk.Polished(pk.MaxProduct()),
    "portfolio": pk.Portfolio(pk.MaxProduct(), pk.MPLP()),
}


@pytest.mark.parametrize("name", some(SOLVERS, {"max-product", "MPLP", "exhaustive"}))
def test_the_solvers_of_the_kit(name):
    pk.testing.check_solver(SOLVERS[name], BINARY)


@pytest.mark.slow
def test_variables_with_more_states():
    rng = np.random.default_rng(0)
    tables = pk.EdgeTables(PAIRS, rng.normal(size=(4, 3, 3)))
    pk.testing.check_solver(pk.MaxProduct(), pk.FactorGraph(pk.Variables(x=pk.Categorical(4, states=3)), [tables]))


def wrong(**methods):
    """The solver with other methods."""
    return type("Wrong", (Decoded,), methods)()


def answer(**parts):
    """The solver with other parts in its answer, as functions of the right answer."""

    def changed(self, graph, unaries, state):
        right = Decoded.answer(self, graph, unaries, state)
        return right._replace(**{name: make(right) for name, make in parts.items()})

    return wrong(answer=changed)


@pytest.mark.parametrize(
    ("solver", "message"),
    [
        (wrong(sweep=lambda self, graph, unaries, state: state[0]), r"Wrong.sweep: expected float32\[1, 4, 6\], got"),
        (wrong(done=lambda self, state: jnp.ones(2, bool)), r"Wrong.done: expected bool\[6\], got bool\[2\]"),
        (wrong(answer=lambda self, graph, unaries, state: state), r"Wrong.answer: expected Answer"),
        (answer(score=lambda right: right.score.sum()), r"score in the answer of Wrong: expected float32\[6\]"),
        (answer(converged=lambda right: right.score), r"converged in the answer of Wrong: expected bool\[6\]"),
        (answer(score=lambda right: right.score + 1.0), r"score in the answer of Wrong: .* the scores of the states"),
        (answer(score=lambda right: right.score * jnp.nan), r"score in the answer of Wrong: expected numbers, got NaN"),
        (answer(bound=lambda right: right.score - 10.0), r"bound in the answer of Wrong: expected at least the best"),
        (answer(states=lambda right: 0.5 + 0.0 * right.states), r"Wrong.answer: expected planes of states"),
        (
            answer(states=lambda right: 1.0 - right.states),
            r"Wrong.answer: expected states that agree with the evidence",
        ),
        (
            wrong(sweep=lambda self, graph, unaries, state: 1.0 - state),
            r"Wrong.sweep: expected the same state of problems that are done",
        ),
        (
            wrong(
                init=lambda self, graph, unaries: decode(
                    unaries - unaries.mean(-1, keepdims=True, where=jnp.isfinite(unaries))
                )
            ),
            r"Wrong.sweep: expected the same answer whatever else is solved",
        ),
    ],
    ids=lambda value: "" if isinstance(value, AbstractSolver) else value[:40],
)
def test_faults(solver, message):
    with pytest.raises(AssertionError, match=message):
        pk.testing.check_solver(solver, BINARY)


class Some(pk.solvers.AbstractSchedule):
    """A schedule of these updates."""

    places: tuple = eqx.field(static=True)

    def order(self, graph):
        return tuple((pk.solvers.Update(place, None),) for place in self.places)


def test_schedules_that_leave_out_messages_are_refused():
    """The messages kept their first values, and the states were wrong without a word."""
    two = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Edges([[0, 1]], 1.0), pk.Edges([[1, 2]], 1.0)])
    pk.testing.check_solver(pk.MaxProduct(schedule=Some((1, 0))), two)
    with pytest.raises(ValueError, match=r"got none of some of group 0 \(Edges\) from Some.order"):
        pk.solve(two, pk.MaxProduct(schedule=Some((1,))))
    with pytest.raises(ValueError, match="schedule: expected updates of the groups 0 to 1, got"):
        pk.solve(two, pk.MaxProduct(schedule=Some((0, 1, 2))))


class Kept(pk.solvers.Flooding):
    """Flooding that changes only the messages of the first factors."""

    first: int = eqx.field(static=True)

    def kept(self, damping, messages, number):
        def share(message):
            factors = jnp.arange(message.shape[0])[:, None]
            return jnp.where(factors < self.first, damping, 1.0)

        return jax.tree.map(share, messages)


@pytest.mark.parametrize("first", [0, 3])
def test_schedules_that_never_change_a_message(first):
    pk.testing.check_solver(pk.MaxProduct(schedule=Kept(4)), BINARY)
    with pytest.raises(AssertionError, match=f"changes of all messages of group 0, got {4 - first} of 4"):
        pk.testing.check_solver(pk.MaxProduct(schedule=Kept(first)), BINARY)


def test_wrong_arguments():
    with pytest.raises(TypeError, match="solver: expected Solver"):
        pk.testing.check_solver(pk.Gibbs(), BINARY)
    with pytest.raises(ValueError, match="at most 4096 joint states, got 8192"):
        pk.testing.check_solver(pk.MaxProduct(), pk.FactorGraph(pk.Variables(x=pk.Binary(13))))
