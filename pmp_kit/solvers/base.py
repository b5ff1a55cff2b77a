"""The interface of a solver, which searches for the highest-scoring configuration (MAP, maximum a posteriori).

The unaries of the graph may be perturbed and clamped.
"""

from abc import abstractmethod
from functools import partial
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax
from jaxtyping import Array, Bool, Float, Int

from ..engine import planes
from ..engine.forms import described, finished, parts_of_run, same_form, same_shape
from ..engine.planes import Planes
from ..engine.signatures import PyTree
from ..engine.sweeps import Span, until_done
from ..graph import FactorGraph


class Answer(NamedTuple):
    """The result of a solver for each batch element."""

    states: Planes
    """The best configuration found, as planes of states."""
    score: Float[Array, "*batch"]
    """Its score under the given unaries, in nats."""
    bound: Float[Array, "*batch"] | None
    """An upper bound of the best score in nats; None if the solver computes none."""
    marginals: Float[Array, "states n *batch"] | None
    """Marginals, or a fractional solution, of every state; None if the solver computes none."""
    converged: Bool[Array, "*batch"]
    """Whether the solver's convergence criterion is met."""
    log_partition: Float[Array, "*batch"] | None = None
    """An estimate of the log-partition function in nats; None if the solver computes none."""


class AbstractSolver(eqx.Module):
    """The hyperparameters of a solver, and the methods of its loop.

    `run` follows `init`. It calls `sweep` until all batch elements are `done` or the limit of sweeps is reached.
    All arrays end in one batch axis. Batch elements are independent and differ in their unaries. A solver without
    sweeps (such as enumeration) computes its result in `init` and is done immediately.
    """

    parallel: ClassVar[bool] = False
    """Whether a sweep updates all messages at once, so that a single large batch element keeps a processor busy."""
    sends: ClassVar[str] = ""
    """The method of a factor that computes the solver's messages; empty if it sends none."""
    on_host: ClassVar[bool] = False
    """Whether compiled code calls back to NumPy. Two such programs that run at the same time can deadlock."""

    def check(self, graph: FactorGraph) -> None:
        """Raise ValueError if the solver does not support the graph. It is never called on traced arrays."""

    @abstractmethod
    def init(self, graph: FactorGraph, unaries: Planes) -> PyTree:
        """Return the solver's state before the first sweep."""

    @abstractmethod
    def sweep(self, graph: FactorGraph, unaries: Planes, state: Any) -> PyTree:
        """Return the state after one sweep, which updates every message once."""

    def run(
        self, graph: FactorGraph, unaries: Planes, state: Any, span: Span
    ) -> tuple[Answer, PyTree, Int[Array, " batch"]]:
        """Make at most the sweeps of a span. Return the answer, the state, and the sweeps of each batch element."""
        sweep = lambda t, state: checked_sweep(self, graph, unaries, state)  # noqa: E731
        done = partial(finished, self, batch=unaries.shape[-1])
        state, used = until_done(sweep, done, state, span)
        return self.answer(graph, unaries, state), state, used

    @abstractmethod
    def done(self, state: Any) -> Bool[Array, " batch"]:
        """Return which batch elements are finished, so that their answer no longer changes."""

    def progress(self, state: Any) -> tuple[Float[Array, " batch"] | None, Float[Array, " batch"] | None]:
        """Return a lower bound of the answer's score and an upper bound of the best score; None if unknown.

        A `Portfolio` compares them after every sweep. So they must be stored in the state and cost nothing.
        """
        return None, None

    @abstractmethod
    def answer(self, graph: FactorGraph, unaries: Planes, state: Any) -> Answer:
        """Return the answer for the present state."""


def message_method(part: Any) -> str:
    """Return what a solver `sends`, or the solver that a sampler or a solver contains; empty without messages."""
    solvers = jax.tree.leaves(part, is_leaf=lambda node: getattr(node, "sends", "") != "")
    return next((one.sends for one in solvers if isinstance(one, AbstractSolver)), "")


def relative_score(graph: FactorGraph, unaries: Planes, states: Planes) -> Float[Array, "*batch"]:
    """Return the score of states minus `top_score`, in nats: what solvers compare.

    In the score itself, large unaries absorb small differences, also those of variables in their best state.
    """
    return graph.factor_score(states) - planes.shortfall(unaries, states)


def top_score(unaries: Planes) -> Float[Array, "*batch"]:
    """Return the score of the unaries if each variable is in its best state, in nats; infinite ones count as 0."""
    return planes.dot(unaries, planes.decode(unaries))


def checked_sweep(solver: AbstractSolver, graph: FactorGraph, unaries: Planes, state: Any) -> PyTree:
    """Return the state after one sweep. Raise ValueError unless it has the form of the state before."""
    return same_form(f"{type(solver).__name__}.sweep", solver.sweep(graph, unaries, state), state)


def checked_run(
    solver: AbstractSolver, graph: FactorGraph, unaries: Planes, state: Any, span: Span
) -> tuple[Answer, PyTree, Int[Array, " batch"]]:
    """Return the result of `run`. Raise ValueError unless its first part is an `Answer` with planes of states."""
    result, name = solver.run(graph, unaries, state, span), type(solver).__name__
    answer, state, used = parts_of_run(f"{name}.run", result, "Answer(...)", Answer, unaries.shape[-1])
    return checked_answer(name, answer, unaries), state, used


def checked_answer(name: str, answer: Answer, unaries: Planes) -> Answer:
    """Return the answer of a solver. Raise ValueError unless its numbers have one entry for each batch element."""
    if not isinstance(answer, Answer):
        raise ValueError(f"{name}.answer: expected Answer(...), got {described(answer)}")
    same_form(f"states in the answer of {name}", answer.states, unaries)
    batch = unaries.shape[2:]
    if answer.marginals is not None:
        same_shape(f"marginals in the answer of {name}", answer.marginals, (max(2, len(unaries)), *unaries.shape[1:]))
    for part in ("score", "bound", "log_partition"):
        if getattr(answer, part) is not None:
            same_shape(f"{part} in the answer of {name}", getattr(answer, part), batch)
    same_form(f"converged in the answer of {name}", answer.converged, jax.ShapeDtypeStruct(batch, bool))
    return answer
