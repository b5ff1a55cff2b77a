"""Exact elimination of variables (bucket elimination): the best configuration, log Z and marginals in 64-bit precision.

A variable is eliminated by adding all tables that contain it, and by reducing the sum over its states: by the maximum
for the best configuration, by the log of a sum for log Z. The axes of each table follow the order of elimination. So
the variable that is eliminated next is the first axis of all tables that contain it.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from ..engine.planes import FREE
from .order import SECONDS_OF_ENTRY, Near, Plan, best_plan, check_time, neighbours_of
from .tables import Table

MOST_ENTRIES = 2**25
"""The most entries of tables that are held at a time: 256 MB."""
MOST_CHOICES = 2**28
"""The most entries of all reduced tables, of which the best states take one byte: 256 MB."""
MOST_PLANNING = 2.0
"""The most seconds for the choice of an order."""
WHOLE = 2**12
"""The most entries of a joint table that is computed as a whole. Larger ones are reduced state by state."""
MOST_JOINT = 2**27
"""The most entries of a joint table, which is computed state by state."""
SECONDS_OF_VARIABLE = 1e-4
"""The time of an elimination on a slow core for each variable."""


class Problem(NamedTuple):
    """Tables of the variables that the evidence leaves free."""

    tables: list[Table]
    """One table for each set of variables."""
    constant: float
    """The score of the observed variables alone, in nats."""
    sizes: np.ndarray
    """The number of states of each variable, (n,)."""
    near: Near
    """The free variables and their neighbours."""


def reduced(tables: list[Table], sizes: np.ndarray, evidence: np.ndarray) -> Problem:
    """Return the tables given flat evidence (n,): those of the same variables are added."""
    free = np.flatnonzero(evidence == FREE).tolist()
    left, constant = condition(tables, dict(enumerate(np.where(evidence == FREE, -1, evidence).tolist())))
    merged: dict[tuple[int, ...], np.ndarray] = {}
    for ids, table in left:
        place = sorted(range(len(ids)), key=ids.__getitem__)
        scope, table = tuple(ids[k] for k in place), table.transpose(place)
        merged[scope] = merged[scope] + table if scope in merged else table
    return Problem(list(merged.items()), constant, sizes, neighbours_of(merged, free))


def condition(tables: Iterable[Table], known: dict[int, int]) -> tuple[list[Table], float]:
    """Return the tables given the states of some variables (-1 is no state), and the sum of those without others."""
    left, constant = [], 0.0
    for ids, table in tables:
        at = [known.get(i, -1) for i in ids]
        if max(at) < 0:
            left.append((ids, table))
            continue
        part = table[tuple([slice(None) if state < 0 else state for state in at])]
        if part.ndim:
            left.append((tuple([i for i, state in zip(ids, at, strict=True) if state < 0]), part))
        else:
            constant += float(part)
    return left, constant


def plan_within(problem: Problem, seconds: float, keep: bool = False) -> Plan | None:
    """Return an order whose memory and estimated time fit, or None. The search for it takes a quarter of the time.

    Args: keep: whether all reduced tables are kept, for marginals.
    """

    def fits(plan: Plan) -> bool:
        return (plan.stored if keep else plan.peak) <= MOST_ENTRIES and plan.stored <= MOST_CHOICES

    deadline = time.monotonic() + min(0.25 * seconds, MOST_PLANNING)
    plan = best_plan(problem.near, problem.sizes, MOST_JOINT, deadline, fits)
    slow = plan is None or SECONDS_OF_ENTRY * plan.work + SECONDS_OF_VARIABLE * len(plan.order) > seconds
    return None if slow else plan


class Buckets(NamedTuple):
    """What a pass over all variables leaves, for each of them in the order of elimination."""

    order: list[int]
    tables: list[list[Table]]
    """The tables that were added, whose first axis is the variable's; none if they are not kept."""
    sent: list[Table]
    """The reduced table; None in place of the scores if they are not kept."""
    choices: list[np.ndarray | None]
    """The best state of the variable for each entry of the reduced table; None for sums."""
    value: float
    """The reduction over all variables."""


def forward(
    tables: Iterable[Table], order: list[int], reduce: Callable[[list[np.ndarray]], Any], deadline: float,
    keep: bool = False,
) -> Buckets:  # fmt: skip
    """Eliminate all variables of the tables in this order; after the deadline raise OutOfTime.

    Args:
        reduce: `largest` or `log_sum`, which add aligned tables and reduce the first axis.
        keep: whether to keep the tables, for a second pass.
    """
    place = {i: k for k, i in enumerate(order)}
    buckets: list[list[Table]] = [[] for _ in order]
    for ids, table in tables:
        axes = sorted(range(len(ids)), key=lambda axis, ids=ids: place[ids[axis]])
        buckets[place[ids[axes[0]]]].append((tuple([ids[axis] for axis in axes]), table.transpose(axes)))
    value, sent, choices = 0.0, [], []
    for k, own in enumerate(buckets):
        check_time(deadline)
        scope = sorted({i for ids, _ in own for i in ids}, key=place.__getitem__)
        message, choice = reduce(aligned(own, scope))
        rest = tuple(scope[1:])
        if rest:
            buckets[place[rest[0]]].append((rest, message))
        else:
            value += float(message)
        sent.append((rest, message if keep else None))
        choices.append(choice)
        if not keep:
            buckets[k] = []
    return Buckets(order, buckets, sent, choices, value)


def aligned(tables: list[Table], scope: list[int]) -> list[np.ndarray]:
    """Return the tables, smallest first, with an axis for each variable of the scope."""
    result = []
    for ids, table in sorted(tables, key=lambda one: one[1].size):
        shape = dict(zip(ids, table.shape, strict=True))
        result.append(table.reshape([shape.get(i, 1) for i in scope]))
    return result


def total(tables: list[np.ndarray], state: Any = slice(None)) -> np.ndarray:
    """Return the sum of aligned tables in one state of the first variable, or in all."""
    value = tables[0][state]
    for table in tables[1:]:
        value = value + table[state]  # the smallest ones are first, so that few sums are large
    return value


def largest(tables: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the maximum of the sum over the states of the first variable, and the state that has it."""
    if joint_size(tables) <= WHOLE:
        joint = total(tables)
        return joint.max(axis=0), joint.argmax(axis=0).astype(np.uint16)
    best = total(tables, 0)
    choice = np.zeros(best.shape, np.uint8 if tables[0].shape[0] <= 256 else np.uint16)
    for state in range(1, tables[0].shape[0]):
        value = total(tables, state)
        np.putmask(choice, value > best, state)
        best = np.maximum(best, value)
    return best, choice


def log_sum(tables: list[np.ndarray]) -> tuple[np.ndarray, None]:
    """Return the log of the sum of exponentials of the sum over the states of the first variable."""
    if joint_size(tables) <= WHOLE:
        return log_sum_over(total(tables), (0,)), None
    parts = total(tables, 0)
    for state in range(1, tables[0].shape[0]):
        parts = np.logaddexp(parts, total(tables, state))
    return parts, None


def log_sum_over(values: np.ndarray, axes: tuple[int, ...]) -> np.ndarray:
    """Return the log of the sum of exponentials over axes, -inf where all are -inf."""
    top = values.max(axis=axes, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    with np.errstate(divide="ignore"):
        return (np.log(np.exp(values - top).sum(axis=axes, keepdims=True)) + top).squeeze(axes)


def joint_size(tables: list[np.ndarray]) -> int:
    """Return the number of entries of the sum of aligned tables."""
    return int(np.prod(np.max([table.shape for table in tables], axis=0)))


def best_states(
    tables: Iterable[Table], order: list[int], states: np.ndarray, deadline: float
) -> tuple[np.ndarray, float]:
    """Return the best configuration (n,) of the variables in the order, and its score in nats.

    The other variables keep their states. If no configuration is possible, the score is -inf.
    """
    buckets, at = forward(tables, order, largest, deadline), states.tolist()
    for i, (rest, _), choice in zip(order[::-1], buckets.sent[::-1], buckets.choices[::-1], strict=True):
        assert choice is not None
        at[i] = int(choice[tuple([at[j] for j in rest])])
    return np.array(at, np.int32), buckets.value


def log_partition(problem: Problem, plan: Plan) -> float:
    """Return log Z of the free variables, in nats."""
    return forward(problem.tables, plan.order, log_sum, np.inf).value + problem.constant


def marginals(problem: Problem, plan: Plan) -> dict[int, np.ndarray]:
    """Return p(x_i = c) of each free variable, by id; NaN if no configuration is possible.

    A second pass sends tables back in the reverse order.
    """
    order, buckets = plan.order, forward(problem.tables, plan.order, log_sum, np.inf, keep=True)
    place, found, back = {i: k for k, i in enumerate(order)}, {}, {}
    senders: list[list[int]] = [[] for _ in order]
    for k, (rest, _) in enumerate(buckets.sent):
        if rest:
            senders[place[rest[0]]].append(k)
    for k in reversed(range(len(order))):
        scope = [order[k], *buckets.sent[k][0]]
        parts = aligned(buckets.tables[k], scope)
        joint = total([*parts, back.pop(k)[None]] if k in back else parts)
        found[order[k]] = log_sum_over(joint, tuple(range(1, joint.ndim)))
        for sender in senders[k]:
            ids, sent = buckets.sent[sender]
            outside = tuple(axis for axis, i in enumerate(scope) if i not in ids)
            message = log_sum_over(joint, outside) if outside else joint
            impossible = np.isneginf(sent)
            back[sender] = np.where(impossible, -np.inf, message - np.where(impossible, 0.0, sent))
    if np.isneginf(buckets.value + problem.constant):
        return {i: np.full(logs.shape, np.nan) for i, logs in found.items()}
    return {i: np.exp(logs - log_sum_over(logs, (0,))) for i, logs in found.items()}


def samples(problem: Problem, plan: Plan, states: np.ndarray, draw: np.random.Generator) -> np.ndarray | None:
    """Return independent samples of the free variables, (N, n) int32; None if no configuration is possible.

    The last variable is drawn from its marginal, and each other one given the states of those after it. `states`
    (N, n) has those of the observed variables.
    """
    buckets = forward(problem.tables, plan.order, log_sum, np.inf, keep=True)
    if np.isneginf(buckets.value + problem.constant):
        return None
    drawn = np.array(states, np.int32)
    for i, tables in zip(plan.order[::-1], buckets.tables[::-1], strict=True):
        logits = np.zeros((problem.sizes[i], len(drawn)))
        for ids, table in tables:  # the first axis of each is that of variable i
            logits = logits + table[(slice(None), *(drawn[:, j] for j in ids[1:]))].reshape(len(logits), -1)
        drawn[:, i] = (logits + draw.gumbel(size=logits.shape)).argmax(0)
    return drawn
