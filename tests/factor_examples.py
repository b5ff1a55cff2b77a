"""One row for each factor type: every factor test runs on every row. A new factor is one file and one row."""

from typing import NamedTuple

import numpy as np

import pmp_kit as pk


class Example(NamedTuple):
    """A factor, and the same thing as plain tables (ids, scores)."""

    name: str
    variables: pk.Variables
    factor: object
    tables: list


def pair_table(weight):
    return np.array([[0.0, 0.0], [0.0, weight]])


def dense(rng):
    variables = pk.Variables(x=pk.Binary(5))
    at = np.array([3, 0, 4, 1])
    weight = rng.normal(size=(4, 4), scale=2)
    weight = weight + weight.T
    tables = [((at[i], at[j]), pair_table(weight[i, j])) for i in range(4) for j in range(i)]
    return Example("DensePairwise", variables, pk.DensePairwise(at, weight), tables)


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


def examples(seed=0):
    makers = (dense, edges, bipartite, edge_tables, mixed_edge_tables, binary_edge_tables, edges_among_categorical)
    return [make(np.random.default_rng(seed + number)) for number, make in enumerate(makers)]
