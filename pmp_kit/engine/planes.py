"""Planes: the layout of every array that holds numbers for the states of all variables.

Unaries, noise, beliefs and states are arrays (planes, n, *batch).

- A graph of binary variables has one plane. It holds the log-odds of state 1 against state 0 (in arrays of states: x
  itself, 0 or 1) and needs half the memory of two scores.
- Any other graph has one plane for each state. It holds the score of this state (in arrays of states: one-hot).

An excluded state has score -inf. On a single plane, +inf excludes state 0 and -inf excludes state 1. Most code outside
this file does not depend on the layout. The places that do compare the number of planes, `shape[0]`, with 1.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from .reductions import contract, index_of_largest, two_largest

FREE = -128
"""Evidence value of a variable whose state is unknown.

It is neither a valid state nor a spin value, and it fits into one byte.
"""

Planes = Float[Array, "planes n *batch"]
Rows = Float[Array, "planes width *batch"]  # planes of some of the variables
Ids = Int[Array | np.ndarray, "*k"]  # user-defined factors keep their wiring in NumPy arrays


def like(weight, messages):
    """Append axes of size 1 to `weight`, one for each batch axis of `messages`."""
    return weight.reshape(weight.shape + (1,) * (messages.ndim - weight.ndim))


def from_scores(scores: Float[Array, "n states *batch"]) -> Float[Array, "planes n *batch"]:
    """Return the planes of scores that are given for every state."""
    return (scores[:, 1] - scores[:, 0])[None] if scores.shape[1] == 2 else jnp.moveaxis(scores, 1, 0)


def log_odds(planes: Planes, at: Ids | None = None) -> Float[Array, "..."]:
    """Return the log-odds of state 1 against state 0 of the binary variables `at` (by default all)."""
    rows = planes if at is None else planes[:, at]
    return rows[0] if planes.shape[0] == 1 else rows[1] - rows[0]


def ones(states: Planes, at: Ids) -> Float[Array, "..."]:
    """Return 1 for each of the binary variables `at` that is in state 1, and 0 for the others."""
    return states[0, at] if states.shape[0] == 1 else states[1, at]


def add_log_odds(planes: Planes, at: Ids | slice, values: Float[Array, "..."]) -> Planes:
    """Add log-odds to the binary variables `at`.

    With two planes, infinite log-odds set the score of the excluded state to -inf, so no score is ever +inf.
    """
    if planes.shape[0] == 1:
        return planes.at[0, at].add(values)
    return planes.at[0, at].add(-jnp.maximum(values, 0.0)).at[1, at].add(jnp.minimum(values, 0.0))


def of_log_odds(values: Float[Array, "..."], num_planes: int) -> Planes:
    """Return the planes of binary variables with these log-odds."""
    return add_log_odds(jnp.zeros((num_planes, *values.shape), values.dtype), slice(None), values)


def scores(planes: Planes, at: Ids, states: int) -> Float[Array, "states ..."]:
    """Return the scores of every state of the variables `at`, up to a constant for each variable."""
    if planes.shape[0] == 1:
        odds = planes[0, at]
        return jnp.stack([-jnp.maximum(odds, 0.0), jnp.minimum(odds, 0.0)])
    return planes[:states, at]


def indicators(states: Planes, at: Ids, num_states: int) -> Float[Array, "states ..."]:
    """Return the one-hot states of the variables `at`."""
    if states.shape[0] == 1:
        return jnp.stack([1.0 - states[0, at], states[0, at]])
    return states[:num_states, at]


def add_scores(planes: Planes, at: Ids | slice, values: Float[Array, "states ..."]) -> Planes:
    """Add scores of every state to the variables `at`."""
    if planes.shape[0] == 1:
        return planes.at[0, at].add(values[1] - values[0])
    return planes.at[: values.shape[0], at].add(values)


def add_where_possible(fields: Rows, values: Rows) -> Rows:
    """Return fields + values. Scores of -inf stay: states that a variable does not have may have a NaN value."""
    total = fields + values
    return total if fields.shape[0] == 1 else jnp.where(fields == -jnp.inf, fields, total)


def with_each_state(states: Planes, variable) -> list[Planes]:
    """Return a list of configurations: `states` with one variable set to each of its possible states in turn."""
    if states.shape[0] == 1:
        return [states.at[0, variable].set(float(value)) for value in range(2)]
    one_hot = np.eye(states.shape[0])
    return [states.at[:, variable].set(like(jnp.asarray(row, states.dtype), states[:, 0])) for row in one_hot]


def without_contradictions(beliefs: Planes, unaries: Planes) -> Planes:
    """Return the beliefs, replaced by the unaries for variables whose infinite messages contradict each other.

    The decoded states then still agree with the evidence.
    """
    if beliefs.shape[0] == 1:
        return jnp.where(jnp.isnan(beliefs), unaries, beliefs)
    return jnp.where((beliefs == -jnp.inf).all(0), unaries, beliefs)


def decode(planes: Planes) -> Planes:
    """Return the best state of each variable separately, as planes of states.

    Ties are broken in favour of state 1 on a single plane, and of the lowest state otherwise.
    """
    if planes.shape[0] == 1:
        return (planes >= 0).astype(planes.dtype)
    return jax.nn.one_hot(index_of_largest(planes), planes.shape[0], axis=0, dtype=planes.dtype)


def decode_noisy(scores: Planes, noise: Planes) -> Planes:
    """Return `decode` of scores plus noise.

    On a single plane the two are compared: XLA may add the noise to one large part of a score, where rounding loses it.
    """
    if scores.shape[0] == 1:
        return (scores >= -noise).astype(scores.dtype)
    return decode(scores + noise)


def to_states(states: Planes) -> Int[Array, "n *batch"]:
    """Return the state numbers of planes of states."""
    return (states[0] > 0.5).astype(jnp.int32) if states.shape[0] == 1 else index_of_largest(states)


def from_states(states: Int[Array, "n *batch"], num_planes: int, dtype) -> Planes:
    """Return the planes of states for state numbers. Numbers of no state give the planes of state 0, or of none."""
    if num_planes == 1:
        return (states == 1)[None].astype(dtype)
    return jax.nn.one_hot(states, num_planes, axis=0, dtype=dtype)


def clamp(planes: Float[Array, "planes n"], evidence: Int[Array, "n batch"]) -> Float[Array, "planes n batch"]:
    """Exclude all states but the observed one of each variable that is not FREE (footnote 3 of the paper)."""
    planes = jnp.broadcast_to(planes[..., None], (*planes.shape, evidence.shape[1]))
    if planes.shape[0] == 1:
        fixed = jnp.where(evidence == 1, jnp.inf, -jnp.inf).astype(planes.dtype)
        return jnp.where(evidence == FREE, planes, fixed)
    state = like(jnp.arange(planes.shape[0], dtype=evidence.dtype)[:, None], planes)
    observed = jnp.where(planes == -jnp.inf, 0.0, planes)  # evidence is kept even if the model forbids it
    return jnp.where(evidence == FREE, planes, jnp.where(evidence == state, observed, -jnp.inf))


def is_clamped(planes: Planes):
    """Return which variables have only one allowed state, (1, n, *batch) bool."""
    if planes.shape[0] == 1:
        return jnp.isinf(planes)
    return (planes > -jnp.inf).sum(0, keepdims=True) == 1


def margins(planes: Planes) -> Float[Array, "n *batch"]:
    """Return how far the best state of each variable is above the second best; inf if it has only one."""
    if planes.shape[0] == 1:
        return jnp.abs(planes[0])
    best, second = two_largest(planes)
    return best - second


def log_probability(planes: Planes, states: Planes) -> Float[Array, "*batch"]:
    """Return the log-probability of `states` if each variable is drawn independently from the softmax of its scores."""
    if planes.shape[0] == 1:
        return -jnp.sum(jax.nn.softplus((1.0 - 2.0 * states) * planes), axis=(0, 1))
    chosen = jnp.sum(jnp.where(states > 0, planes, 0.0), axis=0)
    return jnp.sum(chosen - jax.nn.logsumexp(planes, axis=0), axis=0)


def gains(fields: Planes, states: Planes) -> Planes:
    """Return how much each change of a single variable adds to the score.

    Args:
        fields: log-conditionals of all variables, each given the other variables in `states`.

    Returns: (1, n, *batch) for flips of binary variables, else (C, n, *batch) with -inf for the present state.
    """
    if fields.shape[0] == 1:
        return (1.0 - 2.0 * states) * fields
    present = jnp.sum(jnp.where(states > 0, fields, 0.0), axis=0)
    return jnp.where(states > 0, -jnp.inf, fields - present)


def change(states: Planes, row: Int[Array, " batch"], variable: Int[Array, " batch"]) -> Planes:
    """Return `states` after the change (row, variable) of `gains` in each batch element.

    The change flips the variable if there is one plane, and otherwise sets it to state `row`.
    """
    element = jnp.arange(states.shape[-1], dtype=variable.dtype)
    if states.shape[0] == 1:
        return states.at[0, variable, element].set(1.0 - states[0, variable, element])
    return states.at[:, variable, element].set(jax.nn.one_hot(row, states.shape[0], axis=0, dtype=states.dtype))


def favouring(states: Planes, amount) -> Planes:
    """Return scores that favour each variable's state in `states` by `amount` nats."""
    return amount * (2.0 * states - 1.0 if states.shape[0] == 1 else states)


def means(planes: Planes) -> Planes:
    """Return the mean states if each variable is drawn independently from the softmax of its scores."""
    return jax.nn.sigmoid(planes) if planes.shape[0] == 1 else jax.nn.softmax(planes, axis=0)


def finite(numbers: Float[Array, "..."]) -> Float[Array, "..."]:
    """Return the numbers, with 0 in place of infinite ones."""
    return jnp.where(jnp.isfinite(numbers), numbers, 0.0)


def dot(unaries: Planes, states: Planes) -> Float[Array, "*batch"]:
    """Return the score of `states` under `unaries`; infinite ones count as 0."""
    return jnp.sum(finite(unaries) * states, axis=(0, 1))


def relative_dot(unaries: Float[Array, "planes n"], states: Float[Array, "planes n m"]) -> Float[Array, " m"]:
    """Return `dot` minus its value at the best states (the negative of `shortfall`), for many states."""
    relative = unaries if unaries.shape[0] == 1 else unaries - unaries.max(0)
    return contract(finite(relative), states - decode(relative)[..., None], ((0, 1), (0, 1)))


def shortfall(unaries: Planes, states: Planes) -> Float[Array, "*batch"]:
    """Return how far `dot` is below that of the best state of each variable, in nats; clamped variables count as zero.

    A large unary does not occur in the sum while its variable is in the best state. In `dot` it would absorb all small
    ones.
    """
    if unaries.shape[0] == 1:
        missing = jnp.where((states > 0) == (unaries > 0), 0.0, jnp.abs(unaries))
    else:
        missing = jnp.where(states > 0, unaries.max(0) - unaries, 0.0)
    return jnp.sum(finite(missing), axis=(0, 1))


def counted(planes: Planes, states: int) -> Float[Array, "states n *batch"]:
    """Return the scores of every state of all variables, consistent with `dot`; excluded states get -inf."""
    if planes.shape[0] > 1:
        return planes[:states]
    only_one, zero = planes == jnp.inf, jnp.zeros_like(planes)
    return jnp.concatenate([jnp.where(only_one, -jnp.inf, zero), jnp.where(only_one, zero, planes)])


def excluded(planes: Planes, states: Planes):
    """Return which variables are in an excluded state (score -inf), (1, n, *batch) bool."""
    if planes.shape[0] == 1:
        return jnp.where(states > 0, planes == -jnp.inf, planes == jnp.inf)
    return ((states > 0) & (planes == -jnp.inf)).any(0, keepdims=True)
