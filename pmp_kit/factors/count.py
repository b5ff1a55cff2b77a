"""Count potential: an arbitrary score of the number of ones among n variables."""

from itertools import accumulate

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine.arrays import is_traced, on_device
from ..engine.planes import contract, like
from ..engine.signatures import ArrayLike
from .forbidden import check_possible, finite_part
from .group import AbstractGroup, member_ids, wired
from .hard import below_best


class CountPotential(AbstractGroup):
    """Score f(x_1 + ... + x_n) for any function f of the number of ones (Section 3; Tarlow et al. 2010).

    The message to one variable is max_c [f(c + 1) + Q_c] - max_c [f(c) + Q_c], where Q_c is the largest sum of c of
    the other variables' log-odds. Cost of a sweep: O(n log n) for each factor, by one sort.

    A score of -inf forbids a count. Which counts are forbidden is part of the structure, so learning does not change
    it.
    """

    scores: Float[Array, "*F counts"]
    """f, with 0 for forbidden counts; `with_forbidden` has -inf there."""
    distance: Int[Array, "*F counts"] | None  # from each count to the nearest allowed one; None if all are allowed

    def __init__(self, ids: ArrayLike, scores: ArrayLike):
        """Args:
        ids: (F, n), one factor per row; (n,) is one factor.
        scores: f(0) .. f(n), in nats, -inf for forbidden counts: (F, n + 1), or (n + 1,) for one potential that all
            factors share.

        Raises: TypeError or ValueError that names the argument.
        """
        members = member_ids("ids", ids)
        self.ids, self.incidence = wired(members)
        shape = (members.shape[0], members.shape[1] + 1)
        value, allowed = finite_part("scores", scores)
        if value.shape not in (shape, shape[1:]):
            raise ValueError(f"scores: expected shape ({shape[1]},) or {shape}, got {value.shape}")
        check_possible("scores", allowed, 1)
        self.scores, self.distance = value, None if allowed is None else on_device(_to_allowed(allowed))

    @property
    def hard(self) -> bool:
        return self.distance is not None

    def with_forbidden(self, value: float = -jnp.inf) -> Float[Array, "*F counts"]:
        """Return f with a value for forbidden counts: (n + 1,) if all factors share it, else (F, n + 1)."""
        return self.scores if self.distance is None else jnp.where(self.distance > 0, value, self.scores)

    def _with_forbidden_of_each(self) -> Float[Array, "F counts"]:
        return self._of_each(self.with_forbidden())

    def bounds(self):
        scores = self._of_each(self.scores)
        return jnp.sum(scores.max(1) - scores.min(1)), jnp.abs(scores).sum()

    def _of_each(self, values):
        """Return the values of each factor, (F, n + 1)."""
        return jnp.broadcast_to(values, (self.ids.shape[0], values.shape[-1]))

    def potential(self, x, which):
        return self._of_count(self.with_forbidden(0.0), x, which)

    def violation(self, x, which):
        distance = jnp.zeros_like(self.scores) if self.distance is None else self.distance
        return self._of_count(distance, x, which).astype(x.dtype)

    def _of_count(self, values, x, which):
        count = jnp.round(x.sum(1)).astype(jnp.int32)
        return self._of_each(values)[like(which, count), count]

    def neutral_messages(self, batch: tuple[int, ...]) -> Array:
        """Return the mean of f(c + 1) - f(c) over all states of the others; 0 if some count is forbidden."""
        share = jnp.asarray(_shares_of_counts(self.ids.shape[1] - 1), self.scores.dtype)
        mean = contract(self.scores[..., 1:] - self.scores[..., :-1], share)
        mean = mean if self.distance is None else jnp.where((self.distance > 0).any(-1), 0.0, mean)
        mean = jnp.broadcast_to(mean, self.ids.shape[:1])
        return jnp.broadcast_to(mean.reshape(-1, 1, *(1 for _ in batch)), (*self.ids.shape, *batch))

    def respond(self, incoming):
        return count_messages(incoming, below_best(self._with_forbidden_of_each()))

    def soft_respond(self, incoming, temperature):
        return soft_count_messages(incoming, below_best(self._with_forbidden_of_each()) / temperature)


def _to_allowed(allowed):
    """Return the distance from each count to the nearest allowed one, for a mask (..., n + 1)."""
    xp = jnp if is_traced(allowed) else np
    counts = np.arange(allowed.shape[-1])
    gap = np.abs(counts[:, None] - counts)
    return xp.where(allowed[..., None, :], gap, counts.size).min(-1).astype(np.int32)


def _shares_of_counts(n: int) -> np.ndarray:
    """Return the share of the joint states of n binary variables that have 0 .. n ones, (n + 1,).

    Their numbers stay whole numbers until the division, because 2^n is too large for a float from n = 1024 on.
    """
    numbers = accumulate(range(n), lambda number, ones: number * (n - ones) // (ones + 1), initial=1)
    return np.array([number / 2**n for number in numbers])


def count_messages(incoming, scores):
    """Return the messages max_c [f(c + 1) + Q_c] - max_c [f(c) + Q_c].

    Q_c is the largest sum of c of the other variables' log-odds. Let all log-odds be sorted in decreasing order and
    let the member be at place r. The largest c of the others are then the first c places if c <= r, and otherwise the
    first c + 1 places without r. Q_c is computed relative to the sum of all positive log-odds. So large numbers do not
    cancel, and the member's own log-odds are never subtracted.

    Args:
        incoming: cavity log-odds t, (F, n, *batch).
        scores: f, (F, n + 1).
    """
    order = jnp.argsort(-incoming, axis=1)
    t = jnp.moveaxis(jnp.take_along_axis(incoming, order, axis=1), 1, 0)  # (n, F, *batch)
    f = like(scores.T, t)
    without, with_member = (_best_of_others(t, f[shift : shift + t.shape[0]]) for shift in (0, 1))
    messages = jnp.moveaxis(with_member - without, 0, 1)
    return jnp.take_along_axis(messages, jnp.argsort(order, axis=1), axis=1)


def _best_of_others(t, f):
    """Return max_c [f_c + Q_c] for each place r of the sorted log-odds t (n, F, *batch); f is (n, F, ...)."""
    taken, left = jnp.minimum(t, 0.0), jnp.maximum(t, 0.0)  # the loss from including, and from omitting, a place
    zero = jnp.zeros_like(t[:1])
    taken_before = jnp.concatenate([zero, jnp.cumsum(taken, 0)[:-1]])
    left_after = jnp.concatenate([jnp.cumsum(left[::-1], 0)[::-1][1:], zero])
    nothing = jnp.full_like(t[0], -jnp.inf)

    def fewer(best, place):  # the best c <= r, without the loss from the places after r
        here, left = place
        best = jnp.maximum(best, here)
        return best - left, best

    def more(best, place):  # the best c > r, without the loss from the places before r
        here, taken = place
        return taken + jnp.maximum(best, here), best

    _, first = jax.lax.scan(fewer, nothing, (f + taken_before, left))
    _, second = jax.lax.scan(more, nothing, (f - left_after, taken), reverse=True)
    return jnp.maximum(first - left_after, second + taken_before)


def soft_count_messages(incoming, scores):
    """Return `count_messages` at temperature 1.

    The log-weights of all counts of the other members are computed for each member. Cost: O(n^3).
    """
    t = jnp.moveaxis(incoming, 1, 0)  # (n, F, *batch)
    n = t.shape[0]
    member = jnp.arange(n)
    start = jnp.full((n, n, *t.shape[1:]), -jnp.inf, t.dtype).at[0].set(0.0)  # (count, member, F, *batch)

    def add(weights, number):
        one_more = jnp.concatenate([jnp.full_like(weights[:1], -jnp.inf), weights[:-1]])
        left, taken = weights - jnp.maximum(t[number], 0.0), one_more + jnp.minimum(t[number], 0.0)
        itself = (member == number).reshape(-1, *(1 for _ in t.shape[1:]))
        return jnp.where(itself, weights, jnp.logaddexp(left, taken)), None

    weights, _ = jax.lax.scan(add, start, member)
    f = like(scores.T, t)[:, None]  # (counts, 1, F, ...)
    without, with_member = (jax.nn.logsumexp(weights + f[shift : shift + n], axis=0) for shift in (0, 1))
    return jnp.moveaxis(with_member - without, 0, 1)
