"""Max-product: damped message passing (Algorithm 1 and Section 2.4), which can keep the best states found."""

from typing import Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

from ..engine import checks, planes
from ..engine.chunks import Workload
from ..engine.planes import Planes
from ..engine.signatures import Number, PyTree
from ..graph import FactorGraph, damped
from .base import AbstractSolver, Answer, relative_score, top_score
from .schedules import AbstractSchedule, Flooding, check_order
from .starts import AbstractStart, Start, as_start

CHECK_EVERY = 6
"""Sweeps between two checks of the decoded states. A check after each sweep would double the cost of sparse models.

It is even, because models of pairs make two sweeps in one iteration: after an odd number XLA copies all messages.
"""
ROOM = 100.0
"""On loops, finite messages of hard factors may be larger than on a tree, by this multiple of the largest unary."""
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


class Found(NamedTuple):
    """What the checks of a batch element's decoded states have found so far."""

    last: Planes
    """Decoded states at the last check; before the first one, those of the unaries alone."""
    best: Planes
    """Best decoded states of all checks; the last ones without `keep_best`."""
    score: Float[Array, " batch"]
    """The `relative_score` of `best`."""
    highest: Float[Array, " batch"]
    """The highest relative score of all checks."""
    at: Int[Array, " batch"]
    """The sweep at which the highest score was found."""


class MaxProductState(NamedTuple):
    """The messages, and for each batch element its sweeps, what its checks have found, and whether it is finished."""

    messages: PyTree
    sweeps: Int[Array, " batch"]
    """The number of sweeps until the batch element was finished."""
    limit: Float[Array, " batch"]
    """The limit of finite messages of hard factors; on a tree, no message exceeds it."""
    found: Found
    converged: Bool[Array, " batch"]
    """Whether it finished at a fixed point."""
    finished: Bool[Array, " batch"]
    """Whether it no longer changes: it has converged, or its best score has not risen for `patience` sweeps."""


class MaxProduct(AbstractSolver):
    """Damped max-product message passing (Algorithm 1).

        m_{a->i} <- damping * old + (1 - damping) * max over the other variables of [theta_a . phi_a + sum of m_{k->a}]

    Here m_{k->a} = belief_k - m_{a->k} is the cavity. It is not stored (see `AbstractFactor`).
    By default, one sweep computes all messages from the same beliefs (`Flooding`). `MaxProduct(**paper_settings())` is
    exactly Algorithm 1. Changing a numeric setting never triggers a recompilation. If the model is symmetric under a
    permutation of states, like a spin glass without fields, all beliefs tie. `solve` breaks these ties in one way, and
    random starts in several ways. Cost of a sweep: each factor's `update`. Every 6 sweeps, the score of the decoded
    states is computed as well.
    """

    workload: ClassVar[Workload] = "messages"
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
        tolerance: a batch element has converged when its decoded states did not change since the last check, and its
            largest message update is below this number, in nats, or within rounding. (The first check compares with the
            states of the unaries alone.) Only calls of at least 7 sweeps can see it. With 0, it is never tested.
        patience: a batch element is done when its best score has not risen for this many sweeps after a possible state
            was found. This is tested every 6 sweeps, so the values 1 to 6 are the same. With 0, it is never tested.
        schedule: the order of the updates: Flooding() (default), Alternating() or RandomMask(key).

        Raises: TypeError or ValueError that names the argument.
        """
        self.damping = checks.number("damping", damping, 0.0, MOST_DAMPING)
        self.start = as_start(start)
        self.keep_best = checks.flag("keep_best", keep_best)
        self.tolerance = checks.number("tolerance", tolerance, 0.0)
        self.patience = checks.count("patience", patience, minimum=0)
        self.schedule = checks.instance(
            "schedule", Flooding() if schedule is None else schedule, AbstractSchedule, "Flooding()"
        )

    def check(self, graph):
        self.schedule.check(graph)
        check_order(self.schedule, graph)

    def init(self, graph, unaries):
        return self.begin(graph, unaries, self.start.messages(graph, unaries.shape[2:]))

    def begin(self, graph: FactorGraph, unaries: Planes, messages: tuple[PyTree, ...]) -> MaxProductState:
        """Return the state with these messages before the first sweep."""
        batch, states = unaries.shape[2:], planes.decode(unaries)
        never = jnp.full(batch, -jnp.inf, unaries.dtype)
        return MaxProductState(
            messages=messages,
            sweeps=jnp.zeros(batch, jnp.int32),
            limit=message_limit(graph, unaries, messages),
            found=Found(states, states, never, never, jnp.zeros(batch, jnp.int32)),
            converged=jnp.zeros(batch, bool),
            finished=jnp.zeros(batch, bool),
        )

    def sweep(self, graph, unaries, state):
        """Return the state after new messages m <- damping * old + (1 - damping) * update (Algorithm 1)."""
        damping = jnp.where(state.finished, 1.0, self.damping)  # finished batch elements do not change
        kept = self.schedule.kept(damping, state.messages, jnp.max(state.sweeps, initial=0))
        messages = list(state.messages)
        for together in self.schedule.order(graph):
            beliefs, old = graph.beliefs(unaries, tuple(messages)), tuple(messages)
            for place, side in together:
                factor, before = graph.factors[place], old[place]
                new = factor.update(beliefs, before) if side is None else factor.update_side(beliefs, before, side)
                messages[place] = damped(factor, before, new, kept[place], state.limit)
        sweeps = jnp.where(state.finished, state.sweeps, state.sweeps + 1)
        return state._replace(messages=tuple(messages), sweeps=sweeps)

    def inspect(self, graph: FactorGraph, unaries: Planes, state: MaxProductState) -> MaxProductState:
        """Return the state after a check of the decoded states, if some setting needs one at this sweep.

        `trace` stops at any sweep, and a state that begins has nothing to check, so the number of sweeps is tested here
        too. A while_loop of at most one iteration works in place. `cond` would copy the state.
        """
        number = jnp.max(state.sweeps, initial=0)
        watched = jnp.logical_or(self.keep_best, jnp.logical_or(self.tolerance > 0, self.patience > 0))
        due = jnp.any(watched) & (number % CHECK_EVERY == 0) & (number > 0)
        once = lambda carry: (jnp.bool_(False), self.after_check(graph, unaries, carry[1]))  # noqa: E731
        return jax.lax.while_loop(lambda carry: carry[0], once, (due, state))[1]

    def after_check(self, graph: FactorGraph, unaries: Planes, state: MaxProductState) -> MaxProductState:
        """Compare the decoded states with those found before, and finish batch elements that meet a criterion."""
        beliefs = graph.beliefs(unaries, state.messages)
        found = self.compared(graph, unaries, state, planes.decode(beliefs))
        unchanged = jnp.all(found.last == state.found.last, axis=(0, 1))
        steady = ~state.finished & (self.tolerance > 0) & unchanged
        residual = jax.lax.cond(  # as expensive as a sweep, and only needed for batch elements whose states are steady
            jnp.any(steady),
            lambda: graph.residual(beliefs, state.messages),
            lambda: jnp.full(steady.shape, jnp.inf, unaries.dtype),
        )
        converged = steady & (residual < self.tolerance)
        stale = (self.patience > 0) & (state.sweeps - found.at >= self.patience)
        return state._replace(
            found=found, converged=state.converged | converged, finished=state.finished | converged | stale
        )

    def compared(self, graph: FactorGraph, unaries: Planes, state: MaxProductState, present: Planes) -> Found:
        """Return what has been found, after the decoded states `present`. Without `keep_best`, they are the best."""
        score, found, unfinished = relative_score(graph, unaries, present), state.found, ~state.finished
        none_possible = jnp.isneginf(found.highest)  # until possible states are found, keep the last ones
        risen = (score > found.highest) | none_possible
        take = unfinished & (risen | jnp.logical_not(self.keep_best))
        return Found(
            last=present,
            best=jnp.where(take, present, found.best),
            score=jnp.where(take, score, found.score),
            highest=jnp.maximum(found.highest, score),
            at=jnp.where(unfinished & risen, state.sweeps, found.at),
        )

    def done(self, state):
        return state.finished

    def answer(self, graph, unaries, state):
        present = planes.decode(graph.beliefs(unaries, state.messages))
        found = self.compared(graph, unaries, state, present)
        return Answer(found.best, found.score + top_score(unaries), None, None, state.converged)


def message_limit(graph: FactorGraph, unaries: Planes, messages: tuple[PyTree, ...]) -> Float[Array, " batch"]:
    """Return a limit (batch,) that no finite message of a tree exceeds, with a margin for loops (see `damped`).

    Graphs without hard factors need no limit. They get 0, which `damped` does not read.
    """
    largest = jnp.zeros(unaries.shape[2:], unaries.dtype)
    if not graph.hard:
        return largest
    for leaf in jax.tree.leaves(messages):
        sizes = jnp.abs(planes.finite(leaf))
        largest = jnp.maximum(largest, jnp.max(sizes, axis=tuple(range(leaf.ndim - 1)), initial=0.0))
    single = jnp.max(jnp.abs(planes.finite(unaries)), axis=(0, 1), initial=0.0)
    return 2.0 * graph.score_range(unaries) + largest + ROOM * single
