"""The contract of a solver: approximate MAP of a graph whose unaries may be perturbed and clamped."""

from abc import abstractmethod
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
from jaxtyping import Array, Bool, Float

from ..engine.planes import Planes
from ..engine.signatures import PyTree
from ..graph import FactorGraph


class Answer(NamedTuple):
    """What a solver found, for each copy."""

    states: Planes
    """The best configuration found, as planes of states."""
    score: Float[Array, "*batch"]
    """Its score under the unaries that were given."""
    bound: Float[Array, "*batch"] | None
    """An upper bound of the best score, where the solver has one."""
    marginals: Float[Array, "states n *batch"] | None
    """Marginals or a fractional solution of every state, where the solver has them."""
    converged: Bool[Array, "*batch"]
    """Whether the solver met its own criterion."""
    log_partition: Float[Array, "*batch"] | None = None
    """An estimate of the log-partition function, where the solver has one."""


class AbstractSolver(eqx.Module):
    """Hyper-parameters of a solver. `init`, then `sweep` until all copies are `done` or the sweeps are spent.

    All arrays end in one batch axis: independent copies that differ in their unaries. A solver that needs no sweeps
    (enumeration) does its work in `init` and is done at once.
    """

    parallel: ClassVar[bool] = False
    """Whether a sweep updates all messages at once, so that one large copy keeps a processor as busy as several."""
    on_host: ClassVar[bool] = False
    """Whether compiled code calls back to NumPy. Two such programs at once can wait for each other for ever."""

    def check(self, graph: FactorGraph) -> None:
        """Raise ValueError if the solver does not fit the graph. Called once, on values."""

    @abstractmethod
    def init(self, graph: FactorGraph, unaries: Planes) -> PyTree:
        """The state before the first sweep."""

    @abstractmethod
    def sweep(self, graph: FactorGraph, unaries: Planes, state: Any) -> PyTree:
        """Every message updated once."""

    @abstractmethod
    def done(self, state: Any) -> Bool[Array, " batch"]:
        """Which copies have met their criterion: their answer no longer changes."""

    def progress(self, state: Any) -> tuple[Float[Array, " batch"] | None, Float[Array, " batch"] | None]:
        """The score that the answer will have at least, and an upper bound of the best score; None for what is unknown.

        A `Portfolio` compares them after every sweep, so they are read from the state and not computed.
        """
        return None, None

    @abstractmethod
    def answer(self, graph: FactorGraph, unaries: Planes, state: Any) -> Answer:
        """The answer if the sweeps ended here."""
