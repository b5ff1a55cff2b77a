"""The interface of a solver, which searches for the highest-scoring configuration (MAP, maximum a posteriori).

The unaries of the graph may be perturbed and clamped.
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
from jaxtyping import Array, Bool, Float

from ..engine import planes
from ..engine.chunks import Workload
from ..engine.planes import Planes
from ..engine.signatures import PyTree
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

    `init` is followed by sweeps until all batch elements are `done` or the limit of sweeps is reached. All arrays end
    in one batch axis. Batch elements are independent and differ in their unaries. A solver without sweeps (such as
    enumeration) computes its result in `init` and is done immediately. `pk.testing.check_solver` tries a new solver.
    """

    workload: ClassVar[Workload] = "variables"
    """What a sweep computes; see `AbstractSampler.workload`."""
    inspect: ClassVar[Callable[..., Any] | None] = None
    """A check (graph, unaries, state) -> state before every 6 sweeps, after which alone elements can be finished."""

    def check(self, graph: FactorGraph) -> None:
        """Raise ValueError if the solver does not support the graph. It is never called on traced arrays."""

    @abstractmethod
    def init(self, graph: FactorGraph, unaries: Planes) -> PyTree:
        """Return the solver's state before the first sweep."""

    @abstractmethod
    def sweep(self, graph: FactorGraph, unaries: Planes, state: Any) -> PyTree:
        """Return the state after one sweep, which updates all messages. Finished elements do not change."""

    @abstractmethod
    def done(self, state: Any) -> Bool[Array, " batch"]:
        """Return which batch elements are finished."""

    @abstractmethod
    def answer(self, graph: FactorGraph, unaries: Planes, state: Any) -> Answer:
        """Return the answer for the present state."""


def relative_score(graph: FactorGraph, unaries: Planes, states: Planes) -> Float[Array, "*batch"]:
    """Return the score of states minus `top_score`, in nats: what solvers compare.

    In the score itself, large unaries absorb small differences, also those of variables in their best state.
    """
    return graph.factor_score(states) - planes.shortfall(unaries, states)


def top_score(unaries: Planes) -> Float[Array, "*batch"]:
    """Return the score of the unaries if each variable is in its best state, in nats; infinite ones count as 0."""
    return planes.dot(unaries, planes.decode(unaries))
