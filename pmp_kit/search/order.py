"""The order in which variables are eliminated, and what it costs."""

import heapq
import math
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

Near = dict[int, set[int]]
"""The neighbours of each variable: those that it shares a table with."""
TRIES = 24
"""The most orders of each greedy rule that are compared. They differ in how ties are broken."""
MANY = 1000
"""Variables above which a greedy rule that failed once is not tried again."""
SECONDS_OF_ENTRY = 3e-8
"""The time of an elimination on a slow core for each entry of a joint table."""


class OutOfTime(Exception):
    """The deadline passed before an elimination was finished."""


class Plan(NamedTuple):
    """An order of elimination and its costs, in entries of tables."""

    order: list[int]
    work: float
    """All entries of the joint tables, each of a variable and its neighbours at its elimination."""
    stored: float
    """All entries of the reduced tables."""
    peak: float
    """The most entries that are held at a time: reduced tables that wait, and two that are being made."""


def neighbours_of(scopes: Iterable[tuple[int, ...]], variables: Iterable[int]) -> Near:
    """Return the neighbours of all variables."""
    near: Near = {i: set() for i in variables}
    for scope in scopes:
        for i in scope:
            near[i].update(scope)
    for i, others in near.items():
        others.discard(i)
    return near


def check_time(deadline: float) -> None:
    """Raise OutOfTime after a time of `time.monotonic`."""
    if time.monotonic() > deadline:
        raise OutOfTime


def best_plan(near: Near, sizes: np.ndarray, most: float, deadline: float, fits: Callable[[Plan], bool]) -> Plan | None:
    """Return the order of least work that fits; None if none is found until the deadline.

    It compares the greedy rules with ties broken at random, and an order by distance (reverse Cuthill-McKee), which is
    best for long strips. It stops when the search has taken as long as the elimination would.

    Args:
        most: the limit of `greedy_order`.
        deadline: a time of `time.monotonic`.
        fits: whether a plan needs little enough memory.
    """
    rng, best, begin, too_slow = np.random.default_rng(0), None, time.monotonic(), set()
    for rule in ("size", "distance", *(("fill", "size") * TRIES)):
        now = time.monotonic()
        if best is not None and SECONDS_OF_ENTRY * best.work < now - begin:
            break
        if rule in too_slow or now > deadline:
            continue
        try:
            if rule == "distance":
                deadline += seconds_of_import()
                order = distance_order(near)
            else:
                order = greedy_order(near, sizes, most, deadline, rule, rng)[0]
            plan = None if order is None else costs(near, sizes, order, most, deadline)
        except OutOfTime:
            too_slow.add(rule)
            continue
        if plan is None:
            too_slow.add(rule) if order is None and len(near) > MANY else None
        elif fits(plan) and (best is None or plan.work < best.work):
            best = plan
    return best


def seconds_of_import() -> float:
    """Import what `distance_order` needs; return the seconds, which are no part of a search, of the first import."""
    begin = time.monotonic()
    import scipy.sparse.csgraph  # noqa: F401

    return time.monotonic() - begin


def distance_order(near: Near) -> list[int]:
    """Return the variables in an order in which neighbours are close to each other."""
    from scipy import sparse
    from scipy.sparse import csgraph

    ids = list(near)
    if not ids:
        return ids
    place = {i: k for k, i in enumerate(ids)}
    rows = np.repeat(np.arange(len(ids)), [len(near[i]) for i in ids])
    columns = np.array([place[j] for i in ids for j in near[i]], np.int32)
    matrix = sparse.csr_array((np.ones(len(rows), np.int8), (rows.astype(np.int32), columns)), (len(ids), len(ids)))
    return [ids[k] for k in csgraph.reverse_cuthill_mckee(sparse.csr_matrix(matrix), symmetric_mode=True)]


def greedy_order(
    near: Near, sizes: np.ndarray, most: float, deadline: float, rule: str, rng: np.random.Generator,
    condition: bool = False,
) -> tuple[list[int] | None, list[int]]:  # fmt: skip
    """Return an order in which no joint table has more than `most` entries, and the variables that it leaves out.

    Args:
        near: the neighbours; not changed.
        sizes: the numbers of states, by id.
        most: the limit.
        deadline: a time of `time.monotonic`, after which OutOfTime is raised.
        rule: "size" for the variable with the smallest joint table, "fill" for the one that joins the fewest others.
        rng: breaks ties.
        condition: whether to leave out a variable with many neighbours where the limit is met; otherwise the order is
            None.
    """
    near, logs, limit = {i: set(others) for i, others in near.items()}, np.log2(sizes).tolist(), math.log2(most) + 1e-9
    luck = dict(zip(near, rng.random(len(near)).tolist(), strict=True))

    def size(i):
        return logs[i] + sum([logs[j] for j in near[i]])

    def fill(i):
        others = near[i]
        return sum([len(others) - 1 - len(others & near[j]) for j in others])

    key = size if rule == "size" else fill
    keys = {i: key(i) for i in near}
    heap = [(own, luck[i], i) for i, own in keys.items()]
    heapq.heapify(heap)
    order: list[int] = []
    fixed: list[int] = []
    while heap:
        own, _, i = heapq.heappop(heap)
        if i not in near or own != keys[i]:
            continue  # an older entry
        check_time(deadline)
        keep = size(i) > limit
        if keep and not condition:
            return None, [i]
        if keep:
            i = max([i, *near[i]], key=lambda j: len(near[j]) + 2.0 * luck[j])
        others = near.pop(i)
        for j in others:
            near[j].discard(i)
            if not keep:
                near[j] |= others
                near[j].discard(j)
        for j in others:
            keys[j] = key(j)
            heapq.heappush(heap, (keys[j], luck[j], j))
        (fixed if keep else order).append(i)
    return order, fixed


def costs(near: Near, sizes: np.ndarray, order: list[int], most: float, deadline: float) -> Plan | None:
    """Return the costs of an order; None if a joint table has more than `most` entries."""
    near, states = {i: set(others) for i, others in near.items()}, sizes.tolist()
    waiting: dict[int, float] = {}  # the entries of the reduced tables that go to a variable
    place = {i: k for k, i in enumerate(order)}
    work = stored = live = peak = 0.0
    for i in order:
        check_time(deadline)
        others = near.pop(i)
        sent = math.prod([float(states[j]) for j in others])
        joint = sent * states[i]
        if joint > most:
            return None
        for j in others:
            near[j].discard(i)
            near[j] |= others
            near[j].discard(j)
        peak = max(peak, live + 2.0 * sent)
        live += sent - waiting.pop(i, 0.0)
        if others:
            first = min(others, key=place.__getitem__)
            waiting[first] = waiting.get(first, 0.0) + sent
        work, stored = work + joint, stored + sent
    return Plan(order, work, stored, peak)
