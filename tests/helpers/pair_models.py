"""Small pairwise models for the tests of solvers, as graphs and as plain tables."""

from typing import NamedTuple

import numpy as np
from symmetric import symmetric

import pmp_kit as pk
from pmp_kit.course.experiments.programs.log_partition import glass as glass


class PairModel(NamedTuple):
    """A graph, and the equivalent score vectors and tables (ids, scores) for `oracle`."""

    graph: pk.FactorGraph
    unaries: list
    tables: list


def table_model(variables, pairs, rng, scale) -> PairModel:
    """Random tables on the given pairs of variables of any numbers of states.

    Pairs with tables of the same shape form one group of factors. A repeated pair goes to another group.
    """
    sizes = variables.cardinalities
    unaries = [rng.normal(size=c) for c in sizes]
    tables = [((i, j), rng.normal(size=(sizes[i], sizes[j]), scale=scale)) for i, j in pairs]
    padded = np.zeros((variables.count, variables.num_states))
    for row, scores in zip(padded, unaries, strict=True):
        row[: len(scores)] = scores
    groups: dict = {}
    for number, (pair, table) in enumerate(tables):
        before = sum({*pair} == {*other} for other in pairs[:number])
        groups.setdefault((table.shape, before), []).append((pair, table))
    factors = [pk.EdgeTables([pair for pair, _ in g], np.stack([table for _, table in g])) for g in groups.values()]
    return PairModel(pk.FactorGraph(variables, factors, padded), unaries, tables)


def tree(seed, states, size=8) -> PairModel:
    """A random tree of variables with the given number of states, in one factor.

    Its largest degree is always three, so that a program compiled for one tree can be used for the next.
    """
    rng = np.random.default_rng(seed)
    pairs = np.zeros((1, 2), int)
    while np.bincount(pairs.reshape(-1)).max() != 3:
        pairs = np.array([(int(rng.integers(i)), i) for i in range(1, size)])
    pairs = rng.permutation(size)[pairs]
    unaries = [rng.normal(size=states) for _ in range(size)]
    tables = [(tuple(pair), rng.normal(size=(states, states), scale=2)) for pair in pairs]
    factor = pk.EdgeTables(pairs, np.stack([table for _, table in tables]))
    graph = pk.FactorGraph(pk.Variables(x=pk.Categorical(size, states=states)), [factor], np.stack(unaries))
    return PairModel(graph, unaries, tables)


def mixed(seed, scale=1.0) -> PairModel:
    """A model with loops, variables of two and three states, repeated pairs, and pairs in both directions."""
    variables = pk.Variables(x=pk.Categorical(3, states=3), y=pk.Binary(3))
    pairs = [(0, 1), (1, 2), (2, 0), (3, 1), (2, 4), (4, 3), (3, 4), (5, 0), (4, 5)]
    return table_model(variables, pairs, np.random.default_rng(seed), scale)


def dense(seed, size=8, scale=2.0) -> pk.Ising:
    """A model in which all pairs are coupled, with weights of both signs."""
    rng = np.random.default_rng(seed)
    weight = rng.uniform(-scale, scale, size=(size, size))
    return pk.Ising(symmetric(weight), rng.normal(size=size))


def attractive(seed, size=8) -> pk.Ising:
    """A model in which all pairs are coupled with weights >= 0, and the biases have the opposite effect."""
    rng = np.random.default_rng(seed)
    weight = rng.uniform(0, 1, size=(size, size)) * rng.integers(0, 2, size=(size, size))
    weight = symmetric(weight)
    return pk.Ising(weight, rng.normal(size=size, scale=2) - 0.5 * weight.sum(1))


def frustrated(size=6) -> pk.Ising:
    """A model with the weight -4 for all pairs. The solution of the relaxation is 1/2 everywhere."""
    return pk.Ising(-4.0 * (1 - np.eye(size)), np.full(size, 2.0))


def some_evidence(variables, copies, seed=0):
    """Random evidence, (copies, *shape) by block name. Half of it is free, and all of it in the first batch element."""
    rng = np.random.default_rng(seed)
    flat = rng.integers(0, variables.cardinalities, size=(copies, variables.count))
    flat[rng.random(flat.shape) < 0.6] = pk.FREE
    flat[0] = pk.FREE
    return variables.unflatten(flat)


def exact_best(graph, evidence) -> np.ndarray:
    """The highest score of each batch element, by enumeration."""
    copies = len(next(iter(evidence.values())))
    return np.array(
        [pk.exact.log_weights(graph, {name: x[c] for name, x in evidence.items()}).max() for c in range(copies)]
    )
