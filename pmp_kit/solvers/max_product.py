"""Max-product: damped message passing (Algorithm 1 and Section 2.4), made anytime."""

from typing import ClassVar, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from ..engine import planes, validate
from ..engine.planes import Planes
from ..engine.signatures import Number, PyTree
from ..graph import FactorGraph
from .base import AbstractSolver, Answer
from .schedules import AbstractSchedule, Flooding
from .starts import AbstractStart, Start, as_start

CHECK_EVERY = 5
"""Sweeps between two looks at the decoded states: a look at each sweep would double the cost of sparse models."""
ROOM = 100.0
"""Largest unaries by which finite messages of hard factors may grow on loops beyond what a tree needs."""
MOST_DAMPING = 0.999
"""At 1 no message would ever move."""


class MaxProductState(NamedTuple):
    """Messages, and for each copy the best that was seen and whether it is finished."""

    messages: PyTree
    last: Planes
    """States at the last look."""
    best: Planes
    """Best states seen at a look."""
    best_score: Float[Array, " batch"]
    found_at: Int[Array, " batch"]
    """Sweep at which `best` was found."""
    sweeps: Int[Array, " batch"]
    """Sweeps done until the copy was finished."""
    finished: Bool[Array, " batch"]
    settled: Bool[Array, " batch"]
    """Whether it was finished at a fixed point."""
    limit: Float[Array, " batch"]
    """Of the finite messages of hard factors: what no message of a tree exceeds."""


class MaxProduct(AbstractSolver):
    """Damped max-product; by default flooding, all messages from the same beliefs (Algorithm 1).

    m(a->i) <- damping * old + (1 - damping) * max over the others of [theta_a . phi_a + sum of m(k->a)].
    With start="zero", keep_best=False, tolerance=0 and patience=0 this is Algorithm 1 to the letter. Every
    hyper-parameter is a traced value: changing one never recompiles. Cost of a sweep: each factor's `update`; a look
    every 5 sweeps costs one score.
    """

    parallel: ClassVar[bool] = True
    damping: Number
    start: AbstractStart
    keep_best: bool
    tolerance: Number
    patience: int
    schedule: AbstractSchedule

    def __init__(
        self, damping: Number = 0.5, start: Start = "neutral", keep_best: bool = True, tolerance: Number = 1e-4,
        patience: int = 0, schedule: AbstractSchedule | None = None,
    ):  # fmt: skip
        """Args:
        damping: share of the OLD message that is kept, in [0, 0.999]: 0 is undamped, 0.5 the paper's.
        start: "neutral", each message the mean of its potential, "zero", as the authors' code, or RandomStart(key).
        keep_best: return the best states seen (looked at every 5 sweeps and at the end), not the last.
        tolerance: a copy has converged when its states are those of the look before and no message would change by
            more than this, in nats, or by more than rounding; 0 never stops.
        patience: a copy is done when its best score has not risen for this many sweeps; 0 never stops.
        schedule: by default Flooding(); Alternating() or RandomMask(key) instead.

        Raises: TypeError or ValueError that names the argument.
        """
        self.damping = validate.number("damping", damping, 0.0, MOST_DAMPING)
        self.start = as_start(start)
        self.keep_best = validate.flag("keep_best", keep_best)
        self.tolerance = validate.number("tolerance", tolerance, 0.0)
        self.patience = validate.count("patience", patience, minimum=0)
        self.schedule = validate.instance(
            "schedule", Flooding() if schedule is None else schedule, AbstractSchedule, "Flooding()"
        )

    def init(self, graph, unaries):
        batch = unaries.shape[2:]
        states = planes.decode(unaries)  # till the first look
        messages = self.start.messages(graph, batch)
        return MaxProductState(
            messages=messages,
            last=states,
            best=states,
            best_score=jnp.full(batch, -jnp.inf, unaries.dtype),
            found_at=jnp.zeros(batch, jnp.int32),
            sweeps=jnp.zeros(batch, jnp.int32),
            finished=jnp.zeros(batch, bool),
            settled=jnp.zeros(batch, bool),
            limit=message_limit(graph, unaries, messages),
        )

    def check(self, graph):
        self.schedule.check(graph)

    def sweep(self, graph, unaries, state):
        number = jnp.max(state.sweeps)
        watching = jnp.logical_or(self.keep_best, jnp.logical_or(self.tolerance > 0, self.patience > 0))
        due = watching & (number % CHECK_EVERY == 0) & (number > 0)
        once = lambda carry: (jnp.bool_(False), self.look(graph, unaries, carry[1]))  # noqa: E731
        # A loop of one round or none leaves the state where it is; `cond` would copy it in every sweep.
        state = jax.lax.while_loop(lambda carry: carry[0], once, (due, state))[1]
        damping = jnp.where(state.finished, 1.0, self.damping)  # a finished copy rests
        messages = self.schedule.sweep(graph, unaries, state.messages, damping, state.limit, number)
        sweeps = jnp.where(state.finished, state.sweeps, state.sweeps + 1)
        return state._replace(messages=messages, sweeps=sweeps)

    def look(self, graph: FactorGraph, unaries: Planes, state: MaxProductState) -> MaxProductState:
        """Decode, keep the better states, and finish the copies that meet a criterion."""
        beliefs = graph.beliefs(unaries, state.messages)
        present = planes.decode(beliefs)
        best, score, risen = self.better(graph, unaries, state, present)
        found_at = jnp.where(risen & ~state.finished, state.sweeps, state.found_at)
        steady = ~state.finished & (self.tolerance > 0) & jnp.all(present == state.last, axis=(0, 1))
        residual = jax.lax.cond(  # costs as much as a sweep, and while states still change nothing has settled
            jnp.any(steady),
            lambda: graph.residual(beliefs, state.messages),
            lambda: jnp.full(steady.shape, jnp.inf, unaries.dtype),
        )
        settled = steady & (residual < self.tolerance)
        stale = (self.patience > 0) & (state.sweeps - found_at >= self.patience)
        return state._replace(
            last=present,
            best=best,
            best_score=score,
            found_at=found_at,
            finished=state.finished | settled | stale,
            settled=state.settled | settled,
        )

    def better(
        self, graph: FactorGraph, unaries: Planes, state: MaxProductState, present: Planes
    ) -> tuple[Planes, Array, Array]:
        """The kept or the present states of each copy, whichever its rules say; their score; whether it has risen."""
        score = graph.factor_score(present) + planes.dot(unaries, present)
        risen = (score > state.best_score) | jnp.isneginf(state.best_score)  # till one is possible, the last will do
        take = ~state.finished & (risen | jnp.logical_not(self.keep_best))
        return jnp.where(take, present, state.best), jnp.where(take, score, state.best_score), risen

    def done(self, state):
        return state.finished

    def progress(self, state):
        return jnp.where(self.keep_best, state.best_score, -jnp.inf), None

    def answer(self, graph, unaries, state):
        present = planes.decode(graph.beliefs(unaries, state.messages))
        best, score, _ = self.better(graph, unaries, state, present)
        return Answer(best, score, None, None, state.settled)


def message_limit(graph: FactorGraph, unaries: Planes, messages: tuple[PyTree, ...]) -> Float[Array, " batch"]:
    """What no finite message of a tree exceeds, with room for growth on loops (see `damped`).

    0 without hard factors, which need no limit.
    """
    largest = jnp.zeros(unaries.shape[2:], unaries.dtype)
    if not graph.hard:
        return largest
    for leaf in jax.tree.leaves(messages):
        largest = jnp.maximum(largest, jnp.max(jnp.abs(leaf), axis=tuple(range(leaf.ndim - 1)), initial=0.0))
    single = jnp.max(jnp.where(jnp.isfinite(unaries), jnp.abs(unaries), 0.0), axis=(0, 1), initial=0.0)
    return 2.0 * graph.spread(unaries) + largest + ROOM * single
