"""Random factor graphs of mixed factor types, as graphs of the library and as plain tables for `oracle`.

The tables of a group are drawn first and its wiring second. In graphs with loops, the wiring is drawn again until a
planted state satisfies every hard constraint, so each graph has an allowed state. A recipe fixes all shapes, so a
program that a test compiles for one graph of a recipe can be used for the next.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from factor_examples import count_table, hard_table, pair_table
from oracle import joint_states
from symmetric import symmetric

import pmp_kit as pk


class Group(NamedTuple):
    """Factors of one kind without their wiring."""

    slots: tuple
    """Number of states at each place of a factor."""
    tables: list
    """Scores of each factor."""
    build: Callable
    """From ids (F, m) to the library's factor."""


def edges(rng, number):
    weight = rng.normal(size=number, scale=2)
    return Group((2, 2), [pair_table(w) for w in weight], lambda ids: pk.Edges(ids, weight))


def edge_tables(*slots):
    def make(rng, number):
        table = rng.normal(size=(number, *slots), scale=2)
        return Group(slots, list(table), lambda ids: pk.EdgeTables(ids, table))

    return make


def potts(states):
    def make(rng, number):
        weight = rng.normal(size=number, scale=2)
        tables = [w * np.eye(states) for w in weight]
        return Group((states, states), tables, lambda ids: pk.Potts(ids, weight, states=states))

    return make


def dense(rng, _):
    weight = rng.normal(size=(5, 5))
    weight = symmetric(weight)
    table = quadratic(np.triu(weight, 1))
    return Group((2,) * 5, [table], lambda ids: pk.DensePairwise(ids[0], weight))


def bipartite(rng, _):
    weight = rng.normal(size=(3, 2), scale=2)
    full = np.zeros((5, 5))
    full[:3, 3:] = weight
    return Group((2,) * 5, [quadratic(full)], lambda ids: pk.Bipartite(ids[0, :3], ids[0, 3:], weight))


def quadratic(matrix):
    """x'Ax of all binary states. Each axis is one variable."""
    x = joint_states([2] * len(matrix))
    return np.einsum("si,ij,sj->s", x, matrix, x).reshape((2,) * len(matrix))


def with_last(kind, rule):
    """Gates and pools of three members and a child variable."""

    def make(rng, number):
        tables = [hard_table(4, lambda *x: rule(x[:-1], x[-1]))] * number
        return Group((2,) * 4, tables, lambda ids: kind(ids[:, :-1], ids[:, -1]))

    return make


def cardinality(kind, rule):
    def make(rng, number):
        k = rng.integers(1, 4, size=number)
        tables = [hard_table(4, lambda *x, k=k: rule(sum(x), k)) for k in k]
        return Group((2,) * 4, tables, lambda ids: kind(ids, k))

    return make


def parity(rng, number):
    odd = rng.integers(2, size=number) == 1
    tables = [hard_table(3, lambda *x, odd=odd: sum(x) % 2 == odd) for odd in odd]
    return Group((2,) * 3, tables, lambda ids: pk.Parity(ids, odd))


def counts(rng, number):
    scores = rng.normal(size=(number, 5), scale=2)
    return Group((2,) * 4, [count_table(4, f) for f in scores], lambda ids: pk.CountPotential(ids, scores))


def n_wise(*slots):
    def make(rng, number):
        table = rng.normal(size=(number, *slots), scale=2)
        return Group(slots, list(table), lambda ids: pk.NWise(ids, table))

    return make


either = with_last(pk.Or, lambda parents, child: max(parents) == child)
both = with_last(pk.And, lambda parents, child: min(parents) == child)
pool = with_last(pk.Pool, lambda choices, indicator: sum(choices) == indicator)
exactly = cardinality(pk.ExactlyK, lambda count, k: count == k)
at_most = cardinality(pk.AtMostK, lambda count, k: count <= k)
at_least = cardinality(pk.AtLeastK, lambda count, k: count >= k)

BINARY, MIXED = (2,) * 12, (2,) * 7 + (3,) * 3


class Recipe(NamedTuple):
    """Numbers of states of the variables, in increasing order, and the kinds of factors between them."""

    sizes: tuple
    kinds: tuple


WITH_LOOPS = (
    Recipe(BINARY, (edges, either, exactly, pool)),
    Recipe(BINARY, (dense, parity, at_most, potts(2))),
    Recipe(BINARY, (bipartite, both, at_least, n_wise(2, 2, 2))),
    Recipe(MIXED, (potts(3), edge_tables(2, 3), counts, n_wise(3, 2, 3))),
    Recipe(MIXED, (edges, edge_tables(3, 2), parity, either)),
)
FORESTS = (
    Recipe(BINARY, (edges, either, parity, counts)),
    Recipe(BINARY, (exactly, pool, counts)),
    Recipe(BINARY, (potts(2), both, at_least, n_wise(2, 2, 2))),
    Recipe((2,) * 5 + (3,) * 3 + (4,), (edge_tables(2, 3), at_most, n_wise(4, 2, 3))),
)


class Model(NamedTuple):
    """A random model: unary scores of each variable, and groups with the ids of each."""

    unaries: list
    groups: list
    ids: list

    def tables(self) -> list:
        """(ids, scores) of every factor."""
        return [
            (tuple(row), table)
            for group, ids in zip(self.groups, self.ids, strict=True)
            for row, table in zip(ids, group.tables, strict=True)
        ]

    def variables(self) -> pk.Variables:
        """A block for each number of states."""
        sizes = [len(u) for u in self.unaries]
        return pk.Variables(**{f"x{c}": pk.Categorical(sizes.count(c), states=c) for c in sorted(set(sizes))})

    def graph(self) -> pk.FactorGraph:
        variables = self.variables()
        padded = np.zeros((variables.count, variables.num_states))
        for row, scores in zip(padded, self.unaries, strict=True):
            row[: len(scores)] = scores
        factors = [group.build(ids) for group, ids in zip(self.groups, self.ids, strict=True)]
        return pk.FactorGraph(variables, factors, padded)

    def renamed(self, new_ids) -> "Model":
        """Variable i becomes new_ids[i], which must have as many states."""
        unaries = [self.unaries[i] for i in np.argsort(new_ids)]
        return Model(unaries, self.groups, [new_ids[ids] for ids in self.ids])


def with_loops(recipe: Recipe, rng) -> tuple[Model, np.ndarray]:
    """A model and a state that it allows. Each factor of a group shares one variable with the factor before it."""
    wired = None
    while wired is None:  # some choices for the first factors leave no variables for the others
        wired = wired_around_a_state(recipe, rng)
    return wired


def wired_around_a_state(recipe: Recipe, rng) -> tuple[Model, np.ndarray] | None:
    """A model and a state that it allows, or None if no variables fit the last factors."""
    sizes = np.array(recipe.sizes)
    blocks = [np.arange((sizes == c).sum()) % c for c in np.unique(sizes)]
    planted = np.concatenate([rng.permuted(block) for block in blocks])  # about as many of each state
    groups, ids = [kind(rng, 2) for kind in recipe.kinds], []
    for group in groups:
        rows = []
        for table in group.tables:
            row = allowed_row(group.slots, table, sizes, planted, rows[-1:], rng)
            if row is None:
                return None
            rows.append(row)
        ids.append(np.array(rows))
    return Model(random_unaries(sizes, rng), groups, ids), planted


def allowed_row(slots, table, sizes, planted, before, rng) -> list | None:
    """Variables of the right sizes whose planted states the table allows, with one from each row in `before`.

    The result is None if a thousand draws give no such variables.
    """
    for _ in range(1_000):
        row = take(rng.permutation(sizes.size).tolist(), slots, sizes)
        if table[tuple(planted[row])] > -np.inf and all(len({*row} & {*other}) == 1 for other in before):
            return row
    return None


def take(available, slots, sizes) -> list:
    """Return the first available variable for each slot and remove it from the list."""
    row = []
    for states in slots:
        found = next(i for i in available if sizes[i] == states)
        available.remove(found)
        row.append(found)
    return row


def grown(recipe: Recipe, rng) -> Model:
    """A forest, in which each factor shares at most one variable with all factors before it.

    Every kind of factor allows each state of a single variable, so every forest has an allowed state.
    """
    sizes = np.array(recipe.sizes)
    groups, ids = [kind(rng, 1) for kind in recipe.kinds], []
    used, fresh = [], rng.permutation(sizes.size).tolist()
    for group in groups:
        ids.append(np.array([attached_row(group.slots, used, fresh, sizes, rng) for _ in group.tables]))
    return Model(random_unaries(sizes, rng), groups, ids)


def attached_row(slots, used, fresh, sizes, rng):
    """Choose new variables, and an old one for one slot if an old one fits."""
    places = [s for s in range(len(slots)) if any(sizes[i] == slots[s] for i in used)]
    place = int(rng.choice(places)) if places else None
    row = take(fresh, [c for s, c in enumerate(slots) if s != place], sizes)
    new = list(row)
    if place is not None:
        row.insert(place, int(rng.choice([i for i in used if sizes[i] == slots[place]])))
    used.extend(new)
    return row


def random_unaries(sizes, rng) -> list:
    return [rng.normal(size=c) for c in sizes]
