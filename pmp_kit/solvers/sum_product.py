"""Sum-product (belief propagation) at any temperature: marginals and the Bethe log-partition function (Section 2.3)."""

from typing import Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from ..engine import checks, planes
from ..engine.chunks import Workload
from ..engine.planes import Planes
from ..engine.reductions import largest_change
from ..engine.signatures import Number, PyTree
from ..factors import Potts
from ..factors.binary_pairs import AbstractBinaryPairs
from ..factors.entries import AbstractEntries
from ..graph import FactorGraph, damped
from .base import AbstractSolver, Answer
from .max_product import DAMPING, MOST_DAMPING, message_limit
from .starts import AbstractStart, Start, as_start

LEAST_TEMPERATURE = 1e-4
"""The smallest temperature. At 0 the messages would be those of max-product."""


class SumProductState(NamedTuple):
    """The messages, and for each batch element their largest update in the last sweep."""

    messages: PyTree
    residual: Float[Array, " batch"]
    finished: Bool[Array, " batch"]
    limit: Float[Array, " batch"]
    """The limit of finite messages of hard factors."""


class SumProduct(AbstractSolver):
    """Damped, parallel belief propagation (sum-product) at temperature T (Section 2.3).

        m_{a->i} = T log sum over the other variables of exp([theta_a . phi_a + sum of m_{k->a}] / T)

    `solve` returns the marginals q_i, the states with the highest marginal of each variable, and in `log_partition` the
    Bethe approximation of T log sum_x exp(score / T) (Eq. 4), which is None unless all factors are weighted pairs or
    tables. All of these are exact on trees. On loops, fixed points may not be unique and may not be
    reached, and the Bethe approximation is neither an upper nor a lower bound. For T -> 0 this is max-product. Cost of
    a sweep: that of max-product, with exponentials; O(n^3) for each cardinality constraint or `CountPotential`.
    """

    workload: ClassVar[Workload] = "messages"
    temperature: Number
    damping: Number
    start: AbstractStart
    tolerance: Number

    def __init__(
        self, temperature: Number = 1.0, damping: Number = DAMPING, start: Start = "neutral", tolerance: Number = 1e-4
    ):
        """Args:
        temperature: T, at least 1e-4, in units of the score.
        damping: share of the OLD message that is kept, in [0, 0.999].
        start: "neutral", "zero", or RandomStart(key).
        tolerance: a batch element is done when its largest message update is below this, in nats; 0 never stops.

        Raises: TypeError or ValueError that names the argument.
        """
        self.temperature = checks.number("temperature", temperature, LEAST_TEMPERATURE)
        self.damping = checks.number("damping", damping, 0.0, MOST_DAMPING)
        self.start = as_start(start)
        self.tolerance = checks.number("tolerance", tolerance, 0.0)

    def init(self, graph, unaries):
        batch = unaries.shape[2:]
        messages = self.start.messages(graph, batch)
        configurations = float(np.log(graph.variables.cardinalities).sum())  # a sum of so many terms is in a message
        limit = message_limit(graph, unaries, messages) + self.temperature * configurations
        return SumProductState(messages, jnp.full(batch, jnp.inf, unaries.dtype), jnp.zeros(batch, bool), limit)

    def sweep(self, graph, unaries, state):
        beliefs = graph.beliefs(unaries, state.messages)
        new = tuple(
            factor.soft_update(beliefs, group, self.temperature)
            for factor, group in zip(graph.factors, state.messages, strict=True)
        )
        damping = jnp.where(state.finished, 1.0, self.damping)  # finished batch elements do not change
        groups = zip(graph.factors, state.messages, new, strict=True)
        messages = tuple(
            damped(factor, old, new, jax.tree.map(lambda message: damping, old), state.limit)
            for factor, old, new in groups
        )
        change = largest_change(new, state.messages, state.residual)
        residual = jnp.where(state.finished, state.residual, change)
        return state._replace(messages=messages, residual=residual, finished=residual < self.tolerance)

    def done(self, state):
        return state.finished

    def answer(self, graph, unaries, state):
        beliefs = graph.beliefs(unaries, state.messages)
        states = planes.decode(beliefs)
        score = graph.score_with(unaries, states)
        ids = jnp.arange(graph.variables.count)
        scores = planes.scores(beliefs, ids, graph.variables.num_states)
        marginals = jax.nn.softmax(scores / self.temperature, axis=0)
        return Answer(
            states, score, None, marginals, state.finished,
            self.bethe(graph, unaries, state.messages, beliefs, marginals),
        )  # fmt: skip

    def bethe(
        self, graph: FactorGraph, unaries: Planes, messages: tuple[PyTree, ...], beliefs: Planes, marginals: Array
    ) -> Array | None:
        """The Bethe free energy of the pseudo-marginals, Eq. (4); None if a factor type does not offer its part.

        Messages that exclude all states of a variable prove that no configuration is possible: then it is -inf.
        """
        parts: list[Any] = []
        for factor, group in zip(graph.factors, messages, strict=True):
            if not isinstance(factor, (AbstractBinaryPairs, AbstractEntries, Potts)):
                return None
            parts.append(factor.bethe(beliefs, group, self.temperature))
        scores = planes.counted(unaries, graph.variables.num_states)
        mean = jnp.sum(jnp.where(marginals > 0, scores * marginals, 0.0), axis=(0, 1))
        entropy = jnp.sum(jax.scipy.special.entr(marginals), axis=(0, 1))
        total = sum(parts, start=mean + self.temperature * entropy)
        return jnp.where(jnp.isnan(total), -jnp.inf, total)
