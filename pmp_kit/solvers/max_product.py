"""Max-product: damped message passing (Algorithm 1 and Section 2.4), which can keep the best states found."""

from typing import Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from ..engine import planes, validate
from ..engine.forms import same_form
from ..engine.planes import Planes
from ..engine.signatures import Number, PyTree
from ..engine.sweeps import with_checks
from ..graph import FactorGraph
from .base import AbstractSolver, Answer, relative_score, top_score
from .schedules import AbstractSchedule, Flooding
from .starts import AbstractStart, Start, as_start, first_messages

CHECK_EVERY = 6
"""Sweeps between two checks of the decoded states. A check after each sweep would double the cost of sparse models.

It is even, because models of pairs make two sweeps in one iteration: after an odd number XLA copies all messages.
"""
ROOM = 100.0
"""On loops, finite messages of hard factors may exceed the limit of a tree by this many times the largest unary."""
DAMPING = 0.5
"""The default share of the old message."""
MOST_DAMPING = 0.999
"""The largest damping. At 1 the messages would never change."""


def paper_settings(**changes: Any) -> dict[str, Any]:
    """Return the paper's settings: `PMP(**paper_settings())` is Algorithm 1, and `MaxProduct(...)` its solver.

    Messages start at 0, each sweep moves all of them half of the way, m <- 0.5 old + 0.5 new, all sweeps run, and the
    decoded states of the last one count. The defaults of `PMP` and `MaxProduct` are other settings.

    Args:
        **changes: settings of `MaxProduct` with other values, such as start="neutral".

    Returns: all arguments of `MaxProduct` by name.
    """
    of_paper = {"damping": 0.5, "start": "zero", "keep_best": False, "tolerance": 0.0, "patience": 0}
    return of_paper | {"schedule": Flooding()} | changes


class MaxProductState(NamedTuple):
    """The messages, and for each batch element the best states found and whether it is finished."""

    messages: PyTree
    last: Planes
    """Decoded states at the last check."""
    best: Planes
    """Best decoded states of all checks; the last ones without `keep_best`."""
    best_score: Float[Array, " batch"]
    """The `relative_score` of `best`."""
    highest: Float[Array, " batch"]
    """The highest relative score of all checks."""
    top: Float[Array, " batch"]
    """The `top_score`, which the relative scores leave out."""
    found_at: Int[Array, " batch"]
    """The sweep at which the highest score was found."""
    sweeps: Int[Array, " batch"]
    """The number of sweeps until the batch element was finished."""
    finished: Bool[Array, " batch"]
    settled: Bool[Array, " batch"]
    """Whether it finished at a fixed point."""
    limit: Float[Array, " batch"]
    """The limit of finite messages of hard factors; on a tree, no message exceeds it."""


class MaxProduct(AbstractSolver):
    """Damped max-product message passing (Algorithm 1).

        m_{a->i} <- damping * old + (1 - damping) * max over the other variables of [theta_a . phi_a + sum of m_{k->a}]

    By default, one sweep computes all messages from the same beliefs (`Flooding`). `MaxProduct(**paper_settings())` is
    exactly Algorithm 1. Changing a numeric setting never triggers a recompilation. If states can be exchanged, as in a
    spin glass without fields, all beliefs are tied and the states are poor. Use random starts there. Cost of a sweep:
    each factor's `update`. Every 6 sweeps, the score of the decoded states is computed as well.
    """

    parallel: ClassVar[bool] = True
    sends: ClassVar[str] = "update"
    damping: Number
    start: AbstractStart
    keep_best: bool
    tolerance: Number
    patience: int
    schedule: AbstractSchedule

    def __init__(
        self, damping: Number = DAMPING, start: Start = "neutral", keep_best: bool = True, tolerance: Number = 1e-4,
        patience: int = 0, schedule: AbstractSchedule | None = None,
    ):  # fmt: skip
        """Args:
        damping: share of the OLD message that is kept, in [0, 0.999]: 0 is undamped, 0.5 is the paper's value.
        start: the first messages: "neutral" (each message is the mean of its potential), "zero" (as in the authors'
            code), or RandomStart(key).
        keep_best: whether to return the best decoded states of all checks (every 6 sweeps and at the end) instead of
            the last ones.
        tolerance: a batch element has converged when a check finds the decoded states of the check before (the first
            one, those of the unaries alone) and the largest message update is below this, in nats, or within rounding.
            With 0 this criterion never stops. It needs a sweep after the check, so at least 7 sweeps.
        patience: a batch element is done when a check finds that its best score has not risen for this many sweeps
            after a possible state was found. So 1 to 6 are the same. With 0 this criterion never stops.
        schedule: the order of the updates: Flooding() (default), Alternating() or RandomMask(key).

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
        states = planes.decode(unaries)  # until the first check
        messages = first_messages(self.start, graph, batch)
        return MaxProductState(
            messages=messages,
            last=states,
            best=states,
            best_score=jnp.full(batch, -jnp.inf, unaries.dtype),
            highest=jnp.full(batch, -jnp.inf, unaries.dtype),
            top=top_score(unaries),
            found_at=jnp.zeros(batch, jnp.int32),
            sweeps=jnp.zeros(batch, jnp.int32),
            finished=jnp.zeros(batch, bool),
            settled=jnp.zeros(batch, bool),
            limit=message_limit(graph, unaries, messages),
        )

    def check(self, graph):
        type(self.schedule).check(self.schedule, graph)

    def sweep(self, graph, unaries, state):
        number = jnp.max(state.sweeps, initial=0)
        due = self.watching() & (number % CHECK_EVERY == 0) & (number > 0)
        state = self.look_if(due, graph, unaries, state, True)
        return self.move(graph, unaries, state, number)

    def run(self, graph, unaries, state, span):
        if type(self).sweep is not MaxProduct.sweep:  # a subclass with other sweeps, which the loop below leaves out
            return super().run(graph, unaries, state, span)

        def check(t, state):
            more = t < span.total
            due = self.watching() & (t > 0) & (t % CHECK_EVERY == 0)
            return self.look_if(due | ~more, graph, unaries, state, more)

        move = lambda t, state: self.move(graph, unaries, state, t)  # noqa: E731
        in_pairs = graph.crosses and isinstance(self.schedule, Flooding)
        every, before = jnp.where(self.watching(), CHECK_EVERY, jnp.maximum(span.total, 1)), state.sweeps
        state = with_checks(move, check, self.done, state, span, every, in_pairs)
        answer = Answer(state.best, state.best_score + state.top, None, None, state.settled)
        return answer, state, state.sweeps - before

    def move(
        self, graph: FactorGraph, unaries: Planes, state: MaxProductState, number: Int[Array, ""]
    ) -> MaxProductState:
        """Return the state with new messages of the batch elements that are not finished, after `number` sweeps."""
        damping = jnp.where(state.finished, 1.0, self.damping)  # finished ones do not change
        messages = self.schedule.sweep(graph, unaries, state.messages, damping, state.limit, number)
        messages = same_form(f"{type(self.schedule).__name__}.sweep", messages, state.messages)
        sweeps = jnp.where(state.finished, state.sweeps, state.sweeps + 1)
        return state._replace(messages=messages, sweeps=sweeps)

    def watching(self) -> Bool[Array, ""]:
        """Return whether some setting needs checks between the sweeps."""
        return jnp.logical_or(self.keep_best, jnp.logical_or(self.tolerance > 0, self.patience > 0))

    def look_if(self, due: Array, graph: FactorGraph, unaries: Planes, state: MaxProductState, more: bool | Array):
        """Return the state after `look` if a check is due, and otherwise unchanged.

        A while_loop of at most one iteration works in place. `cond` would copy the state.
        """
        once = lambda carry: (jnp.bool_(False), self.look(graph, unaries, carry[1], more))  # noqa: E731
        return jax.lax.while_loop(lambda carry: carry[0], once, (due, state))[1]

    def look(self, graph: FactorGraph, unaries: Planes, state: MaxProductState, more: bool | Array) -> MaxProductState:
        """Check the decoded states: keep the better ones and finish the batch elements that meet a criterion.

        Args:
            more: whether sweeps follow. After the last one, convergence is not checked.
        """
        beliefs = graph.beliefs(unaries, state.messages)
        present = planes.decode(beliefs)
        best, score, risen = self.better(graph, unaries, state, present)
        found_at = jnp.where(risen & ~state.finished, state.sweeps, state.found_at)
        steady = more & ~state.finished & (self.tolerance > 0) & jnp.all(present == state.last, axis=(0, 1))
        residual = jax.lax.cond(  # as expensive as a sweep, and only needed for batch elements whose states are steady
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
            highest=jnp.maximum(state.highest, score),
            found_at=found_at,
            finished=state.finished | settled | stale,
            settled=state.settled | settled,
        )

    def better(
        self, graph: FactorGraph, unaries: Planes, state: MaxProductState, present: Planes
    ) -> tuple[Planes, Array, Array]:
        """Return the states to keep for each batch element, their relative score, and whether it is the highest yet."""
        score = relative_score(graph, unaries, present)
        none_possible = jnp.isneginf(state.highest)  # until possible states are found, keep the last ones
        risen = (score > state.highest) | none_possible
        take = ~state.finished & (risen | jnp.logical_not(self.keep_best))
        return jnp.where(take, present, state.best), jnp.where(take, score, state.best_score), risen

    def done(self, state):
        return state.finished

    def progress(self, state):
        return jnp.where(self.keep_best, state.best_score + state.top, -jnp.inf), None

    def answer(self, graph, unaries, state):
        present = planes.decode(graph.beliefs(unaries, state.messages))
        best, score, _ = self.better(graph, unaries, state, present)
        return Answer(best, score + state.top, None, None, state.settled)


def message_limit(graph: FactorGraph, unaries: Planes, messages: tuple[PyTree, ...]) -> Float[Array, " batch"]:
    """Return a limit (batch,) that no finite message of a tree exceeds, with a margin for loops (see `damped`).

    Graphs without hard factors need no limit and get 0.
    """
    largest = jnp.zeros(unaries.shape[2:], unaries.dtype)
    if not graph.hard:
        return largest
    for leaf in jax.tree.leaves(messages):
        sizes = jnp.abs(planes.finite(leaf))
        largest = jnp.maximum(largest, jnp.max(sizes, axis=tuple(range(leaf.ndim - 1)), initial=0.0))
    single = jnp.max(jnp.abs(planes.finite(unaries)), axis=(0, 1), initial=0.0)
    return 2.0 * graph.spread(unaries) + largest + ROOM * single
