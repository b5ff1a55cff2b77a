"""Count potential: any score of the number of ones among n variables."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine.arrays import on_device
from ..engine.planes import like
from ..engine.signatures import ArrayLike
from ._parts.group import AbstractGroup, member_ids, wired
from ._parts.hard import check_possible, finite_part


class CountPotential(AbstractGroup):
    """Score f(x_1 + ... + x_n), any f; -inf forbids a count (Section 3; Tarlow et al. 2010).

    m(i) = max_m [f(m + 1) + Q_m] - max_m [f(m) + Q_m], Q_m the best sum of m of the others: O(n log n) by one sort.

    A forbidden count is wiring, no parameter: learning leaves it alone.
    """

    scores: Float[Array, "*F counts"]
    distance: Int[Array, "*F counts"]  # to the nearest count that is not forbidden

    def __init__(self, ids: ArrayLike, scores: ArrayLike):
        """Args:
        ids: (F, n), one factor a row; (n,) is one factor.
        scores: f(0) .. f(n), in nats, -inf where forbidden: (F, n + 1), or (n + 1,), which is then one potential that
            all factors share and learn together.

        Raises: TypeError or ValueError that names the argument.
        """
        members = member_ids("ids", ids)
        self.ids, self.incidence = wired(members)
        shape = (members.shape[0], members.shape[1] + 1)
        value, allowed = finite_part("scores", scores)
        if value.shape not in (shape, shape[1:]):
            raise ValueError(f"scores: expected shape ({shape[1]},) or {shape}, got {value.shape}")
        check_possible("scores", allowed, 1)
        self.scores = value
        counts = np.arange(shape[1])
        gap = np.abs(counts[:, None] - counts)
        open_counts = np.ones(value.shape, bool) if allowed is None else allowed
        self.distance = on_device(np.where(open_counts[..., None, :], gap, shape[1]).min(-1).astype(np.int32))

    def with_forbidden(self) -> Float[Array, "F counts"]:
        """The scores f of each factor, -inf where forbidden."""
        return self._of_each(jnp.where(self.distance > 0, -jnp.inf, self.scores))

    def spread(self):
        scores = self._of_each(self.scores)
        return jnp.sum(scores.max(1) - scores.min(1))

    def _of_each(self, values):
        """Numbers of each factor, (F, n + 1)."""
        return jnp.broadcast_to(values, (self.ids.shape[0], values.shape[-1]))

    @property
    def forbids(self):
        return bool((np.asarray(self.distance) > 0).any())

    def free_parameters(self):
        free = super().free_parameters()
        return eqx.tree_at(lambda factor: factor.scores, free, np.asarray(self.distance) == 0)

    def potential(self, x, which):
        return self._of_count(jnp.where(self.distance > 0, 0.0, self.scores), x, which)

    def violation(self, x, which):
        return self._of_count(self.distance, x, which).astype(x.dtype)

    def _of_count(self, values, x, which):
        count = jnp.round(x.sum(1)).astype(jnp.int32)
        return self._of_each(values)[like(which, count), count]

    def neutral_messages(self, batch: tuple[int, ...]) -> Array:
        """The mean of f(m + 1) - f(m) over all states of the others; 0 where some count is forbidden."""
        n = self.ids.shape[1]
        share = np.array([math.comb(n - 1, m) for m in range(n)], float) / 2.0 ** (n - 1)
        mean = (self.scores[..., 1:] - self.scores[..., :-1]) @ jnp.asarray(share, self.scores.dtype)
        mean = jnp.broadcast_to(jnp.where((self.distance > 0).any(-1), 0.0, mean), self.ids.shape[:1])
        return jnp.broadcast_to(mean.reshape(-1, 1, *(1 for _ in batch)), (*self.ids.shape, *batch))

    def respond(self, incoming):
        return count_messages(incoming, self.with_forbidden())

    def soft_respond(self, incoming, temperature):
        return soft_count_messages(incoming, self.with_forbidden() / temperature)


def count_messages(incoming, scores):
    """max_m [f(m + 1) + Q_m] - max_m [f(m) + Q_m], Q_m the best sum of m of the others' log-odds.

    With all log-odds in decreasing order, the best m of the others of r are the first m places if m <= r, else the
    first m + 1 without r. Q is counted as what is given up against taking every positive one and no negative one:
    no large numbers cancel, and a member's own log-odds are nowhere subtracted.

    Args:
        incoming: t, (F, n, *batch).
        scores: f, (F, n + 1).
    """
    order = jnp.argsort(-incoming, axis=1)
    t = jnp.moveaxis(jnp.take_along_axis(incoming, order, axis=1), 1, 0)  # (n, F, *batch)
    f = like(scores.T, t)
    without, with_member = (_best_of_others(t, f[shift : shift + t.shape[0]]) for shift in (0, 1))
    messages = jnp.moveaxis(with_member - without, 0, 1)
    return jnp.take_along_axis(messages, jnp.argsort(order, axis=1), axis=1)


def _best_of_others(t, f):
    """max_m [f_m + Q_m] for each place r of the sorted log-odds t (n, F, *batch); f (n, F, ...)."""
    taken, left = jnp.minimum(t, 0.0), jnp.maximum(t, 0.0)  # what taking, and what leaving, a place adds
    zero = jnp.zeros_like(t[:1])
    taken_before = jnp.concatenate([zero, jnp.cumsum(taken, 0)[:-1]])
    left_after = jnp.concatenate([jnp.cumsum(left[::-1], 0)[::-1][1:], zero])
    nothing = jnp.full_like(t[0], -jnp.inf)

    def fewer(best, place):  # the best m <= r, without what is left after r
        here, left = place
        best = jnp.maximum(best, here)
        return best - left, best

    def more(best, place):  # the best m > r, without what is taken before r
        here, taken = place
        return taken + jnp.maximum(best, here), best

    _, first = jax.lax.scan(fewer, nothing, (f + taken_before, left))
    _, second = jax.lax.scan(more, nothing, (f - left_after, taken), reverse=True)
    return jnp.maximum(first - left_after, second + taken_before)


def soft_count_messages(incoming, scores):
    """`count_messages` at temperature 1: for each member, the weights of all counts of the others, O(n^3)."""
    t = jnp.moveaxis(incoming, 1, 0)  # (n, F, *batch)
    n = t.shape[0]
    member = jnp.arange(n)
    start = jnp.full((n, n, *t.shape[1:]), -jnp.inf, t.dtype).at[0].set(0.0)  # (count, member, F, *batch)

    def add(weights, number):
        one_more = jnp.concatenate([jnp.full_like(weights[:1], -jnp.inf), weights[:-1]])
        left, taken = weights - jnp.maximum(t[number], 0.0), one_more + jnp.minimum(t[number], 0.0)
        own = (member == number).reshape(-1, *(1 for _ in t.shape[1:]))
        return jnp.where(own, weights, jnp.logaddexp(left, taken)), None

    weights, _ = jax.lax.scan(add, start, member)
    f = like(scores.T, t)[:, None]  # (counts, 1, F, ...)
    without, with_member = (jax.nn.logsumexp(weights + f[shift : shift + n], axis=0) for shift in (0, 1))
    return jnp.moveaxis(with_member - without, 0, 1)
