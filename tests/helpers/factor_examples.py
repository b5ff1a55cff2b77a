"""Examples of all factor types. Every factor test runs on every example, so a new factor needs one row here."""

import itertools
from functools import cache
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
import pytest
from slow_parameters import some
from symmetric import symmetric

import pmp_kit as pk


class Example(NamedTuple):
    """A factor and the equivalent plain tables (ids, scores)."""

    name: str
    variables: pk.Variables
    factor: object
    tables: list


def graph_of(example, unaries):
    """A graph of the example with a list of scores for each variable."""
    table = np.zeros((example.variables.count, example.variables.num_states))
    for row, scores in zip(table, unaries, strict=True):
        row[: len(scores)] = scores
    return pk.FactorGraph(example.variables, [example.factor], table)


def pair_table(weight):
    return np.array([[0.0, 0.0], [0.0, weight]])


def hard_table(arity, rule):
    """A table that is 0 if the rule holds for the states of `arity` binary variables and -inf otherwise."""
    states = itertools.product((0, 1), repeat=arity)
    return np.array([0.0 if rule(*x) else -np.inf for x in states]).reshape((2,) * arity)


def dense(rng):
    variables = pk.Variables(x=pk.Binary(5))
    at = np.array([3, 0, 4, 1])
    weight = rng.normal(size=(4, 4), scale=2)
    weight = symmetric(weight)
    tables = [((at[i], at[j]), pair_table(weight[i, j])) for i in range(4) for j in range(i)]
    return Example("DensePairwise", variables, pk.DensePairwise(at, weight), tables)


def dense_groups(rng):
    """Three groups that share a variable."""
    variables = pk.Variables(x=pk.Binary(8))
    at = np.array([[3, 0, 4], [1, 3, 5], [2, 7, 6]])
    weight = rng.normal(size=(3, 3, 3), scale=2)
    weight = symmetric(weight)
    tables = [
        ((a[i], a[j]), pair_table(w[i, j])) for a, w in zip(at, weight, strict=True) for i in range(3) for j in range(i)
    ]
    return Example("DensePairwise, groups", variables, pk.DensePairwise(at, weight), tables)


def edges(rng):
    variables = pk.Variables(x=pk.Binary(5))
    pairs = np.array([[0, 1], [2, 1], [3, 2], [0, 3], [0, 1]])
    weight = rng.normal(size=5, scale=2)
    tables = [(tuple(pair), pair_table(w)) for pair, w in zip(pairs, weight, strict=True)]
    return Example("Edges", variables, pk.Edges(pairs, weight), tables)


def bipartite(rng):
    variables = pk.Variables(v=pk.Binary(3), h=pk.Binary(2))
    weight = rng.normal(size=(3, 2), scale=2)
    tables = [((i, 3 + j), pair_table(weight[i, j])) for i in range(3) for j in range(2)]
    return Example("Bipartite", variables, pk.Bipartite(variables["v"], variables["h"], weight), tables)


def edge_tables(rng):
    variables = pk.Variables(x=pk.Categorical(4, states=3))
    pairs = np.array([[0, 1], [2, 1], [3, 2], [0, 3]])
    table = rng.normal(size=(4, 3, 3), scale=2)
    tables = [(tuple(pair), t) for pair, t in zip(pairs, table, strict=True)]
    return Example("EdgeTables", variables, pk.EdgeTables(pairs, table), tables)


def mixed_edge_tables(rng):
    variables = pk.Variables(x=pk.Categorical(2, states=4), y=pk.Binary(2))
    pairs = np.array([[0, 2], [1, 2], [0, 3]])
    table = rng.normal(size=(4, 2), scale=2)
    return Example("EdgeTables, mixed", variables, pk.EdgeTables(pairs, table), [(tuple(p), table) for p in pairs])


def binary_edge_tables(rng):
    variables = pk.Variables(x=pk.Binary(4))
    pairs = np.array([[0, 1], [1, 2], [2, 0], [3, 2]])
    table = rng.normal(size=(4, 2, 2), scale=2)
    tables = [(tuple(pair), t) for pair, t in zip(pairs, table, strict=True)]
    return Example("EdgeTables, binary", variables, pk.EdgeTables(pairs, table), tables)


def edges_among_categorical(rng):
    variables = pk.Variables(x=pk.Binary(3), y=pk.Categorical(1, states=3))
    pairs = np.array([[0, 1], [1, 2], [2, 0]])
    weight = rng.normal(size=3, scale=2)
    tables = [(tuple(pair), pair_table(w)) for pair, w in zip(pairs, weight, strict=True)]
    return Example("Edges beside categorical", variables, pk.Edges(pairs, weight), tables)


def shared_edges(rng):
    variables = pk.Variables(x=pk.Binary(4))
    pairs, weight = np.array([[0, 1], [2, 1], [3, 2]]), rng.normal(scale=2)
    tables = [(tuple(pair), pair_table(weight)) for pair in pairs]
    return Example("Edges, shared", variables, pk.Edges(pairs, weight), tables)


def hard_edge_tables(rng):
    variables = pk.Variables(x=pk.Categorical(4, states=3))
    pairs = np.array([[0, 1], [2, 1], [3, 2], [0, 3]])
    table = rng.normal(size=(4, 3, 3), scale=2)
    table[0, 1, 2] = table[0, 1, 0] = table[2, 0] = -np.inf
    tables = [(tuple(pair), t) for pair, t in zip(pairs, table, strict=True)]
    return Example("EdgeTables, hard", variables, pk.EdgeTables(pairs, table), tables)


def shared_hard_edge_tables(rng):
    variables = pk.Variables(x=pk.Binary(4), y=pk.Categorical(1, states=3))
    table = rng.normal(size=(2, 2), scale=2)
    table[0, 1] = -np.inf
    pairs = np.array([[0, 1], [1, 2], [3, 1]])
    return Example("EdgeTables, shared", variables, pk.EdgeTables(pairs, table), [(tuple(p), table) for p in pairs])


def gate(kind, rule, parents):
    """Two gates that share parents."""

    def make(rng):
        variables = pk.Variables(x=pk.Binary(parents + 2), y=pk.Binary(2, auxiliary=True))
        ids = np.stack([np.arange(parents), np.arange(parents) + 1])
        child = [parents + 2, parents + 3]
        table = hard_table(parents + 1, lambda *x: x[-1] == rule(x[:-1]))
        tables = [((*row, last), table) for row, last in zip(ids, child, strict=True)]
        return Example(f"{kind.__name__} of {parents}", variables, kind(ids, child), tables)

    return make


def parity(rng):
    variables = pk.Variables(x=pk.Binary(5))
    ids = np.array([[0, 1, 2, 3], [4, 2, 0, 1]])
    tables = [
        (tuple(row), hard_table(4, lambda *x, odd=odd: sum(x) % 2 == odd)) for row, odd in zip(ids, (0, 1), strict=True)
    ]
    return Example("Parity", variables, pk.Parity(ids, odd=np.array([False, True])), tables)


def pool(rng):
    variables = pk.Variables(choice=pk.Binary(2, 3), on=pk.Binary(2))
    ids = np.array([[0, 1, 2], [4, 3, 2]])
    table = hard_table(4, lambda *x: sum(x[:-1]) == x[-1])
    tables = [((*row, on), table) for row, on in zip(ids, (6, 7), strict=True)]
    return Example("Pool", variables, pk.Pool(ids, variables["on"]), tables)


def cardinality(kind, rule):
    """Three factors of four variables. Each factor has its own k."""

    def make(rng):
        variables = pk.Variables(x=pk.Binary(6))
        ids, k = np.array([[0, 1, 2, 3], [2, 3, 4, 5], [5, 0, 2, 1]]), np.array([1, 3, 2])
        tables = [(tuple(row), hard_table(4, lambda *x, k=k: rule(sum(x), k))) for row, k in zip(ids, k, strict=True)]
        return Example(kind.__name__, variables, kind(ids, k), tables)

    return make


def all_or_none(rng):
    variables = pk.Variables(x=pk.Binary(3))
    tables = [((0, 1, 2), hard_table(3, lambda *x: sum(x) == 0)), ((2, 1, 0), np.zeros((2, 2, 2)))]
    return Example("AtMostK, none and any", variables, pk.AtMostK([[0, 1, 2], [2, 1, 0]], np.array([0, 3])), tables)


def one_hot(rng):
    variables = pk.Variables(x=pk.Binary(5), y=pk.Categorical(1, states=3))
    tables = [((0, 1, 2), hard_table(3, lambda *x: sum(x) == 1)), ((4, 3, 2), hard_table(3, lambda *x: sum(x) == 1))]
    return Example("ExactlyOne beside categorical", variables, pk.ExactlyOne([[0, 1, 2], [4, 3, 2]]), tables)


def counts(rng):
    variables = pk.Variables(x=pk.Binary(6))
    ids, f = np.array([[0, 1, 2, 3, 4], [5, 4, 3, 1, 0]]), rng.normal(size=(2, 6), scale=2)
    tables = [(tuple(row), count_table(5, s)) for row, s in zip(ids, f, strict=True)]
    return Example("CountPotential", variables, pk.CountPotential(ids, f), tables)


def hard_counts(rng):
    variables = pk.Variables(x=pk.Binary(6))
    ids, f = np.array([[0, 1, 2, 3, 4], [5, 4, 3, 1, 0]]), rng.normal(size=(2, 6), scale=2)
    f[0, [0, 3]] = f[1, [1, 4, 5]] = -np.inf
    tables = [(tuple(row), count_table(5, s)) for row, s in zip(ids, f, strict=True)]
    return Example("CountPotential, hard", variables, pk.CountPotential(ids, f), tables)


def count_table(arity, scores):
    return scores[np.indices((2,) * arity).sum(0)]


def n_wise(rng):
    variables = pk.Variables(x=pk.Categorical(2, states=3), y=pk.Binary(2), z=pk.Categorical(1, states=4))
    ids, table = np.array([[0, 2, 4], [1, 3, 4], [1, 2, 4]]), rng.normal(size=(3, 3, 2, 4), scale=2)
    return Example(
        "NWise", variables, pk.NWise(ids, table), [(tuple(row), t) for row, t in zip(ids, table, strict=True)]
    )


def hard_n_wise(rng):
    variables = pk.Variables(x=pk.Binary(6))
    ids, table = np.array([[0, 1, 2, 3, 4], [5, 3, 1, 0, 2]]), rng.normal(size=(2,) * 5, scale=2)
    table[rng.uniform(size=table.shape) < 0.3] = -np.inf
    return Example("NWise, hard", variables, pk.NWise(ids, table), [(tuple(row), table) for row in ids])


def tables(rng):
    """Tables of one to four variables with two to five states, in one group."""
    variables = pk.Variables(x=pk.Categorical(2, states=3), y=pk.Binary(3), z=pk.Categorical(1, states=5))
    scopes = [(5, 0), (3, 5, 2), (4,), (1, 2, 0, 4), (1, 0), (0,), (2, 5)]
    scores = [rng.normal(size=[variables.cardinalities[i] for i in ids], scale=2) for ids in scopes]
    return Example("Tables", variables, pk.Tables(scopes, scores), list(zip(scopes, scores, strict=True)))


def hard_tables(rng):
    variables = pk.Variables(x=pk.Binary(7))
    scopes = [(0, 1, 2, 3, 4), (5, 3), (2,), (5, 4, 0), (1, 5, 2)]
    scores = [rng.normal(size=(2,) * len(ids), scale=2) for ids in scopes]
    for table in (scores[0], scores[3]):
        table[rng.uniform(size=table.shape) < 0.3] = -np.inf
    scores[2][1] = -np.inf
    return Example("Tables, hard", variables, pk.Tables(scopes, scores), list(zip(scopes, scores, strict=True)))


def pairs_of_tables(rng):
    variables = pk.Variables(x=pk.Categorical(2, states=3), y=pk.Binary(2))
    scopes = [(0, 2), (3, 1), (1, 0)]
    scores = [rng.normal(size=[variables.cardinalities[i] for i in ids], scale=2) for ids in scopes]
    return Example("Tables, pairs", variables, pk.Tables(scopes, scores), list(zip(scopes, scores, strict=True)))


def three_in_a_row(params, x):
    """The score of three states. Some differences are forbidden, and the others have a cost."""
    bend = jnp.abs(x[0] - 2 * x[1] + x[2])
    return jnp.where(bend > 2, -jnp.inf, -params["stiffness"] * jnp.sqrt(bend + params["offset"]))


def custom(rng):
    variables = pk.Variables(x=pk.Categorical(5, states=3))
    stiffness, ids = rng.normal(scale=2), np.array([[0, 1, 2], [3, 2, 4]])
    params = {"stiffness": stiffness, "offset": 0.3}
    bend = np.abs(np.einsum("p,pijk->ijk", [1, -2, 1], np.indices((3, 3, 3))))
    table = np.where(bend > 2, -np.inf, -stiffness * np.sqrt(bend + 0.3))
    tables = [(tuple(row), table) for row in ids]
    return Example("Custom", variables, pk.Custom(ids, three_in_a_row, params, states=3), tables)


def potts(rng):
    variables = pk.Variables(x=pk.Categorical(4, states=4))
    pairs, weight = np.array([[0, 1], [2, 1], [3, 2], [0, 3], [0, 2]]), rng.normal(size=5, scale=2)
    tables = [(tuple(pair), w * np.eye(4)) for pair, w in zip(pairs, weight, strict=True)]
    return Example("Potts", variables, pk.Potts(pairs, weight, states=4), tables)


def conv_or(features, size, places):
    """Features of some size at some places of one image, in a model with one variable outside the factor."""

    def make(rng):
        outer = tuple(size[d] + places[d] - 1 for d in (0, 1))
        variables = pk.Variables(
            x=pk.Binary(1, *outer),
            stranger=pk.Binary(1),
            s=pk.Binary(1, features, *places),
            w=pk.Binary(features, *size),
        )
        w, s, x = (variables[name] for name in "wsx")
        scopes = {pixel: [] for pixel in np.ndindex(outer)}
        for f, dy, dx, py, px in np.ndindex(features, *size, *places):
            scopes[dy + py, dx + px] += [w[f, dy, dx], s[0, f, py, px]]
        tables = [
            (
                (*ids, x[0, row, column]),
                hard_table(len(ids) + 1, lambda *v: v[-1] == any(map(min, v[:-1:2], v[1:-1:2]))),
            )
            for (row, column), ids in scopes.items()
        ]
        return Example(f"ConvOr of {features} {size} {places}", variables, pk.ConvOr(w, s, x), tables)

    return make


MAKERS = (
    dense,
    dense_groups,
    edges,
    bipartite,
    edge_tables,
    mixed_edge_tables,
    binary_edge_tables,
    edges_among_categorical,
    shared_edges,
    hard_edge_tables,
    shared_hard_edge_tables,
    gate(pk.Or, max, 4),
    gate(pk.And, min, 1),
    gate(pk.And, min, 3),
    parity,
    pool,
    cardinality(pk.ExactlyK, lambda count, k: count == k),
    cardinality(pk.AtMostK, lambda count, k: count <= k),
    cardinality(pk.AtLeastK, lambda count, k: count >= k),
    all_or_none,
    one_hot,
    counts,
    hard_counts,
    n_wise,
    hard_n_wise,
    tables,
    hard_tables,
    pairs_of_tables,
    custom,
    potts,
    conv_or(2, (2, 1), (1, 2)),
)


@cache
def examples():
    """Return all examples. They are made once for all test files."""
    return tuple(make(np.random.default_rng(number)) for number, make in enumerate(MAKERS))


def first_of_each_type():
    """Return the name of the first example of each type of factor."""
    return set({type(example.factor): example.name for example in reversed(examples())}.values())


FEW = ("DensePairwise", "Edges", "Parity", "NWise", "ConvOr of 2 (2, 1) (1, 2)")
"""Examples whose factors differ most: a matrix, pairs, a constraint, tables, and one that knows its own variables."""


def each_slowly(quick=None):
    """Parametrise a costly test over examples. All but `quick`, the first one of each type of factor, are slow."""
    quick = first_of_each_type() if quick is None else quick
    return pytest.mark.parametrize("example", some(examples(), quick, name=lambda one: one.name))
