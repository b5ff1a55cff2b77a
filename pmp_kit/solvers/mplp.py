"""MPLP (max-product linear programming): coordinate descent on the dual of the linear-programming relaxation.

It updates one edge at a time (Globerson and Jaakkola 2007).
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Key

from ..engine import checks, planes
from ..engine.arrays import in_float64
from ..engine.planes import Planes
from ..engine.signatures import Number
from ..factors.hard import without
from ..graph import FactorGraph
from .base import AbstractSolver, Answer, relative_score, top_score
from .pairs import PairModel, pair_model, pair_tables


class MPLPState(NamedTuple):
    """The messages, and for each batch element the best primal states and the dual value."""

    pair_messages: Float[Array, "E 2 C batch"]
    """The scores that each edge adds to its two variables; -inf excludes a state.

    They have another layout than the messages of `graph.beliefs`, so `pk.observe` does not show them.
    """
    residual: Float[Array, " batch"]
    """The largest change of a message in the last sweep, in nats."""
    best: Planes
    best_score: Float[Array, " batch"]
    """The `relative_score` of `best`."""
    top: Float[Array, " batch"]
    """The `top_score`, which relative scores leave out."""
    dual: Float[Array, " batch"]
    """The lowest dual value so far, which is an upper bound of the best score."""
    sweeps: Int[Array, " batch"]
    finished: Bool[Array, " batch"]


class MPLP(AbstractSolver):
    """Max-product linear programming (MPLP): sequential dual coordinate descent over the edges (Section 5.2).

        m_{e->i} <- 1/2 (max_j [theta_e + l_j] - l_i),   m_{e->j} <- 1/2 (max_i [theta_e + l_i] - l_j)

    Here l_i is the belief of i without the message of edge e (the cavity). The dual value is an upper bound of the best
    score (`bound`), and no edge update raises it. At convergence, the decoded states can still be poor, as the paper
    shows. One sweep updates every edge once, one after another. It supports pairwise models with any number of states.
    Cost of a sweep: 2 C^2 E, sequential in E.
    """

    tolerance: Number
    keep_best: bool
    key: Key[Array, ""] | None

    def __init__(self, tolerance: Number = 1e-4, keep_best: bool = True, key: Array | None = None):
        """Args:
        tolerance: a batch element is done when the largest message update of a sweep is below this, in nats. The
            paper's value 1e-6 needs 64-bit precision.
        keep_best: whether to return the best states of all sweeps instead of the last ones.
        key: a JAX key for a new random order of the edges in every sweep; with None the order is that of the factors.

        Raises: TypeError or ValueError that names the argument.
        """
        self.tolerance = checks.number("tolerance", tolerance, 0.0)
        self.keep_best = checks.flag("keep_best", keep_best)
        self.key = None if key is None else checks.key(key)

    def check(self, graph):
        jax.eval_shape(pair_tables, graph)  # raises ValueError without computing anything

    def init(self, graph, unaries):
        batch, model = unaries.shape[2:], pair_model(graph, unaries)
        messages = jnp.zeros((len(model.pairs), 2, len(model.scores), *batch), unaries.dtype)
        start = planes.decode(unaries)
        return MPLPState(
            pair_messages=messages,
            residual=jnp.full(batch, jnp.inf, unaries.dtype),
            best=start,
            best_score=relative_score(graph, unaries, start),
            top=top_score(unaries),
            dual=dual_value(model, messages),
            sweeps=jnp.zeros(batch, jnp.int32),
            finished=jnp.zeros(batch, bool),
        )

    def sweep(self, graph, unaries, state):
        model = pair_model(graph, unaries)
        messages, change = self.renewed(graph, unaries, model, state)
        beliefs = beliefs_of(model, messages)
        present = decoded(model, unaries, beliefs)
        score = relative_score(graph, unaries, present)
        take = (score > state.best_score) | jnp.logical_not(self.keep_best)
        new = state._replace(
            pair_messages=messages,
            residual=change,
            best=jnp.where(take, present, state.best),
            best_score=jnp.where(take, score, state.best_score),
            dual=jnp.minimum(state.dual, dual_value(model, messages)),
            sweeps=state.sweeps + 1,
            finished=change < self.tolerance,
        )
        return jax.tree.map(lambda old, now: jnp.where(state.finished, old, now), state, new)

    def renewed(
        self, graph: FactorGraph, unaries: Planes, model: PairModel, state: MPLPState
    ) -> tuple[Float[Array, "E 2 C batch"], Float[Array, " batch"]]:
        """Return all messages after one sweep, and the largest change of a message for each batch element."""
        if len(model.pairs) == 0:
            return state.pair_messages, jnp.zeros_like(state.residual)
        scores = jnp.moveaxis(beliefs_of(model, state.pair_messages), 1, 0)  # (n, C, batch)
        order = self.order(len(model.pairs), jnp.max(state.sweeps, initial=0))

        def renew(step, carry):
            scores, messages, change = carry
            edge = order[step]
            at, old = model.pairs[edge], state.pair_messages[edge]
            # Without the barriers, XLA reads the scores again after writing them and copies all of them at every edge.
            first, second = jax.lax.optimization_barrier((scores[at[0]], scores[at[1]]))
            first, second = without(first, old[0]), without(second, old[1])
            new = edge_messages(model.tables[edge], first, second, old)
            change = jnp.maximum(change, jnp.max(jnp.abs(difference(new, old)), axis=(0, 1)))
            first, second = jax.lax.optimization_barrier((first + new[0], second + new[1]))
            return replaced(replaced(scores, first, at[0]), second, at[1]), replaced(messages, new, edge), change

        start = scores, jnp.zeros_like(state.pair_messages), jnp.zeros_like(state.residual)
        return jax.lax.fori_loop(0, len(model.pairs), renew, start)[1:]

    def order(self, num_edges: int, sweep: Array) -> Array:
        """Return the order of the edges in this sweep."""
        if self.key is None:
            return jnp.arange(num_edges)
        return jax.random.permutation(jax.random.fold_in(self.key, sweep), num_edges)

    def done(self, state):
        return state.finished

    def answer(self, graph, unaries, state):
        score = state.best_score + state.top
        return Answer(
            state.best, score, jnp.maximum(state.dual, score), None, state.finished
        )  # they differ by rounding


def replaced(rows, row, place):
    """Return the rows with one row replaced. In a compiled loop this works in place, unlike x.at[place].set."""
    return jax.lax.dynamic_update_index_in_dim(rows, row, place, axis=0)


def difference(new, old):
    """Return the change of messages; 0 if both are -inf."""
    return jnp.where(new == old, 0.0, new - old)


def edge_messages(table, first, second, old):
    """Return the new messages of edges to their two variables, (2, C, ..., batch).

    Messages to excluded states keep their old value.

    Args:
        table: theta (C, C, ...).
        first, second: cavity scores of the two variables, (C, ..., batch).
        old: the old messages, (2, C, ..., batch).
    """
    table = table.reshape(table.shape + (1,) * (first.ndim + 1 - table.ndim))
    to_first, to_second = jnp.max(table + second[None], axis=1), jnp.max(table + first[:, None], axis=0)
    new = [
        jnp.where(jnp.isneginf(own), message, 0.5 * (best - own))
        for own, best, message in zip((first, second), (to_first, to_second), old, strict=True)
    ]
    return jnp.stack(new)


def decoded(model: PairModel, unaries: Planes, beliefs: Float[Array, "C n batch"]) -> Planes:
    """Return the best state of each variable. If all its states are excluded, its unaries decide."""
    possible = jnp.max(beliefs, axis=0) > -jnp.inf
    scores = jnp.where(possible, beliefs, model.scores)
    return planes.decode(planes.add_scores(jnp.zeros_like(unaries), slice(None), scores))


def beliefs_of(model: PairModel, messages: Float[Array, "E 2 C batch"]) -> Float[Array, "C n batch"]:
    """Return the beliefs (unaries plus messages) as scores of every state."""
    scores = model.scores
    for side in (0, 1):
        scores = scores.at[:, model.pairs[:, side]].add(jnp.moveaxis(messages[:, side], 1, 0))
    return scores


def dual_value(model: PairModel, messages: Float[Array, "E 2 C batch"]) -> Float[Array, " batch"]:
    """Return the dual value sum_i max [u_i + messages] + sum_e max [theta_e - messages], rounded upwards.

    It is an upper bound of the best score for any messages. The two sums may cancel, so they are computed in 64-bit
    precision: in 32 bits the value could be below the best score.
    """
    kind = messages.dtype
    with in_float64():
        model = model._replace(tables=model.tables.astype(jnp.float64), scores=model.scores.astype(jnp.float64))
        messages = messages.astype(jnp.float64)
        beliefs = beliefs_of(model, messages)
        excluded = jnp.moveaxis(jnp.isneginf(beliefs), 1, 0)  # (n, C, batch)
        never = jnp.full_like(messages[:, 0], -jnp.inf)  # JAX 0.7 lowers a Python scalar here as 32 bits
        first, second = (jnp.where(excluded[model.pairs[:, side]], never, -messages[:, side]) for side in (0, 1))
        edges = jnp.max(model.tables[..., None] + first[:, :, None] + second[:, None], axis=(1, 2))
        value = jnp.sum(jnp.max(beliefs, axis=0), axis=0) + jnp.sum(edges, axis=0)
        nearest = value.astype(kind)
        above = jnp.nextafter(nearest, jnp.full_like(nearest, jnp.inf))
        return jnp.where(nearest.astype(jnp.float64) < value, above, nearest)
