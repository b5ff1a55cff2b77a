"""The wiring of `Tables`: where the entries of tables of different shapes are in flat arrays.

A table of n places is a binary tree of nodes. The root has all places, and each node of two or more places has two
children, which have its first and its last places. A node has one number for each joint state of its places. Messages
need two passes. Upwards, the sum of a node is the cavity scores of its places, added: sum[a, b] = left[a] + right[b].
Downwards, starting with the table at the root, each child gets

    down_left[a] = max over b of (down[a, b] + right[b]),    down_right[b] = max over a of (down[a, b] + left[a]),

and what arrives at a single place is the message to it. So each message leaves out the cavity of its own variable, as
it has to, and all n messages together cost two passes over the table, not n.

The nodes of all tables at the same depth are computed together, by index arrays. Each number of a child is a maximum
over a row of entries. The rows are padded to a few lengths, which are powers of two (`few_lengths`), so there are few
operations to compile, whatever the shapes are.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import equinox as eqx
import numpy as np
from jaxtyping import Array, Int

from ..engine.arrays import on_device

COST = 2048
"""Entries that take as long to compute as another length takes in addition, on a CPU. (It also takes 0.1 s to compile.)
"""


class Rows(eqx.Module):
    """Rows of equal length K (padded), one for each of S numbers that are maxima over them."""

    entries: Int[Array, "K S"]
    """Places in the numbers of the parents; the place after the last one for padding."""
    others: Int[Array, "K S"]
    """Places of the sibling's sums, in the pool of sums."""


class Plan(eqx.Module):
    """All index arrays of the messages of tables."""

    sums: tuple[tuple[Int[Array, " _"], Int[Array, " _"]], ...]
    """For each depth, the deepest first, the two places in the pool whose sum is appended to it.

    The pool begins with the cavity scores, in the order of the messages.
    """
    levels: tuple[tuple[Rows, ...], ...]
    """For each depth, the rows of the children of its nodes. Their maxima one after the other are the next depth."""
    alone: Int[Array, " A"]
    """The entries of tables of one variable, which are messages as they are."""
    arriving: tuple[Int[Array, "_ _"], ...]
    """For each array of messages, the places of the messages in `alone` and all depths one after the other; the place
    after the last one for states that a variable does not have."""


class Ends(NamedTuple):
    """The ends of all tables: the pairs of a table and one of its places."""

    factor: np.ndarray
    """The table of each end, (ends,), in the order of the tables and of their places."""
    place: np.ndarray
    size: np.ndarray
    """The number of states of the end's variable."""
    group: np.ndarray
    """The array of messages in which the end is."""
    column: np.ndarray
    """The column of the end in this array."""
    groups: tuple[tuple[int, int], ...]
    """The shape (C, E) of each array of messages."""

    @property
    def start(self) -> np.ndarray:
        """The place of the first state of each end, if the arrays of messages are one after the other."""
        return np.cumsum([0, *(C * E for C, E in self.groups)])[self.group] + self.column

    @property
    def step(self) -> np.ndarray:
        """How far apart the messages to two neighbouring states are."""
        return np.array([0, *(E for _, E in self.groups)], int)[self.group + 1]


class _Node(NamedTuple):
    """One node of each of F tables of the same shape."""

    places: range
    down: np.ndarray
    """The place of the first number of each table in its depth, (F,)."""


def ends_of(shapes: Sequence[tuple[int, ...]]) -> Ends:
    """Return the ends of tables. Those with similar numbers of states share an array of messages."""
    arity = np.array([len(shape) for shape in shapes], int)
    factor = np.repeat(np.arange(len(shapes)), arity)
    place = np.arange(factor.size) - np.repeat(np.cumsum(arity) - arity, arity)
    size = np.array([states for shape in shapes for states in shape], int)
    lengths = few_lengths(size)
    group, column, groups = np.zeros(size.size, int), np.zeros(size.size, int), []
    for number, length in enumerate(np.unique(lengths)):
        members = np.flatnonzero(lengths == length)
        group[members], column[members] = number, np.arange(members.size)
        groups.append((int(size[members].max()), members.size))
    return Ends(factor, place, size, group, column, tuple(groups))


def few_lengths(lengths: np.ndarray) -> np.ndarray:
    """Return the length to which each row is padded: a power of two.

    Each length costs COST, so that of few rows is merged with the next one. The result has the lowest total cost.
    """
    powers, group, counts = np.unique([padded(length) for length in lengths], return_inverse=True, return_counts=True)
    best, begins = [0], []  # the lowest cost of the first lengths, and where their last group begins
    for end in range(1, len(powers) + 1):
        costs = [best[begin] + COST + powers[end - 1] * counts[begin:end].sum() for begin in range(end)]
        begins.append(int(np.argmin(costs)))
        best.append(min(costs))
    merged, end = np.array(powers, int), len(powers)
    while end:
        merged[begins[end - 1] : end] = powers[end - 1]
        end = begins[end - 1]
    return merged[group.reshape(-1)]


def padded(length: int) -> int:
    """Return the next power of two."""
    return 1 << (int(length) - 1).bit_length()


def plan_of(shapes: Sequence[tuple[int, ...]], ends: Ends) -> Plan:
    """Return the index arrays of tables of these shapes. Cost: linear in the number of their entries."""
    first_end = np.searchsorted(ends.factor, np.arange(len(shapes)))
    start, step = ends.start, ends.step

    def cavities(factors: np.ndarray, place: int, states: int) -> np.ndarray:
        end = first_end[factors] + place
        return start[end][:, None] + step[end][:, None] * np.arange(states)

    alike: dict[tuple[int, ...], list[int]] = {}
    for number, shape in enumerate(shapes):
        alike.setdefault(shape, []).append(number)
    trees = [(shape, np.array(members)) for shape, members in alike.items()]
    pool, sums = _sums(trees, cavities, sum(C * E for C, E in ends.groups))
    levels, arrived, alone = _levels(trees, pool, shapes)
    nothing = len(alone) + sum(rows.shape[1] for level in levels for rows, _ in level)
    arriving = [np.full(group, nothing) for group in ends.groups]
    for (number, place), where in arrived.items():
        shape, members = trees[number]
        end = first_end[members] + place
        arriving[ends.group[end[0]]][: shape[place], ends.column[end]] = where.T
    index = lambda array: on_device(array.astype(np.int32))  # noqa: E731
    return Plan(
        sums=tuple((index(left), index(right)) for left, right in sums),
        levels=tuple(tuple(Rows(index(entries), index(others)) for entries, others in level) for level in levels),
        alone=index(alone),
        arriving=tuple(map(index, arriving)),
    )


def halves(places: range, shape: tuple[int, ...]) -> tuple[range, range]:
    """Return the first and the last places, cut where the numbers of joint states of the two parts are closest."""
    sizes = np.array([shape[place] for place in places], float)
    larger = [max(sizes[:cut].prod(), sizes[cut:].prod()) for cut in range(1, len(places))]
    cut = places.start + 1 + int(np.argmin(larger))
    return range(places.start, cut), range(cut, places.stop)


def joint_states(places: Iterable[int], shape: tuple[int, ...]) -> int:
    """Return the number of joint states of some places of a table."""
    return int(np.prod([shape[place] for place in places], dtype=int))


def _sums(trees, cavities, size: int):
    """Return the places (F, states) of the sums of all nodes but the roots, and the index arrays of these sums."""
    pool: dict[tuple[int, range], np.ndarray] = {}
    by_depth: dict[int, list[tuple[int, range]]] = {}

    def visit(number: int, places: range, depth: int) -> None:
        shape, members = trees[number]
        if len(places) == 1:
            pool[number, places] = cavities(members, places.start, shape[places.start])
            return
        if depth:
            by_depth.setdefault(depth, []).append((number, places))
        for part in halves(places, shape):
            visit(number, part, depth + 1)

    for number, (shape, _) in enumerate(trees):
        visit(number, range(len(shape)), 0)
    sums = []
    for depth in sorted(by_depth, reverse=True):
        lefts, rights = [], []
        for number, places in by_depth[depth]:
            left, right = (pool[number, part] for part in halves(places, trees[number][0]))
            grid = np.broadcast_arrays(left[:, :, None], right[:, None])
            lefts.append(grid[0].reshape(-1))
            rights.append(grid[1].reshape(-1))
            pool[number, places] = size + np.arange(grid[0].size).reshape(len(left), -1)
            size += grid[0].size
        sums.append((np.concatenate(lefts), np.concatenate(rights)))
    return pool, sums


def _levels(trees, pool, shapes):
    """Return the rows (entries, others) of each depth, where the message to each place arrives, and `Plan.alone`."""
    sizes = np.array([int(np.prod(shape)) for shape in shapes], int)
    first = np.cumsum(sizes) - sizes
    nodes, arrived, alone = [], {}, [np.zeros(0, int)]
    for number, (shape, members) in enumerate(trees):
        if len(shape) == 1:
            at = first[members][:, None] + np.arange(shape[0])
            arrived[number, 0] = sum(map(len, alone)) + np.arange(at.size).reshape(at.shape)
            alone.append(at.reshape(-1))
        else:
            nodes.append((number, _Node(range(len(shape)), first[members])))
    levels, length, offset = [], int(sizes.sum()), sum(map(len, alone))
    while nodes:
        level, children = _level(trees, pool, nodes, length)
        levels.append(level)
        nodes = []
        for number, child in children:
            if len(child.places) == 1:
                place = child.places.start
                arrived[number, place] = offset + child.down[:, None] + np.arange(trees[number][0][place])
            else:
                nodes.append((number, child))
        length = sum(entries.shape[1] for entries, _ in level)
        offset += length
    return levels, arrived, np.concatenate(alone)


def _level(trees, pool, nodes, length: int):
    """Return the rows of the children of nodes at one depth, whose numbers are an array of this length."""
    children = []
    for number, node in nodes:
        shape = trees[number][0]
        left, right = halves(node.places, shape)
        table = np.arange(joint_states(node.places, shape)).reshape(joint_states(left, shape), -1)
        for part, other, order in ((left, right, table.T), (right, left, table)):  # order: (others' states, own states)
            children.append((number, part, other, order, node.down))
    lengths = np.repeat([len(order) for *_, order, _ in children], [len(d) * o.shape[1] for *_, o, d in children])
    first = np.cumsum([0, *(len(down) * order.shape[1] for *_, order, down in children)])[:-1]
    widths = few_lengths(lengths)[first]
    level, done, start = [], [], 0
    for width in np.unique(widths):
        entries, others = [], []
        for number, part, other, order, down in (children[child] for child in np.flatnonzero(widths == width)):
            extra = (0, 0), (0, width - len(order)), (0, 0)
            of_table = np.pad(down[:, None, None] + order, extra, constant_values=length)
            of_sibling = pool[number, other][:, :, None]
            of_sibling = np.pad(np.broadcast_to(of_sibling, (len(down), *order.shape)), extra)
            entries.append(of_table.transpose(1, 0, 2).reshape(width, -1))
            others.append(of_sibling.transpose(1, 0, 2).reshape(width, -1))
            done.append((number, _Node(part, start + np.arange(len(down)) * order.shape[1])))
            start += len(down) * order.shape[1]
        level.append((np.concatenate(entries, 1), np.concatenate(others, 1)))
    return level, done
