"""All factors of a graph as tables of scores in 64-bit precision, for elimination on the host."""

import math

import equinox as eqx
import jax
import numpy as np

from ..engine import identity_cache, planes
from ..engine.arrays import on_device
from ..factors import AbstractFactor, Tables
from ..factors.entries import AbstractEntries
from ..graph import FactorGraph

Table = tuple[tuple[int, ...], np.ndarray]
"""The ids of some variables and the scores of their joint states, (C_1, ..., C_m) float64, -inf for forbidden ones."""
MOST_FACTORS = 2**18
"""The most factors. Dense models with more pairs gain nothing from elimination."""
MOST_ENTRIES = 2**25
"""The most entries of the tables of a group of factors."""
MOST_IN_ONE_GROUP = 2**21
"""The most entries of groups of tables that become one group, which needs about 55 bytes for each."""
MOST_JOINT = 2**16
"""The most joint states of a group that is tabulated as one factor."""
MOST_AT_ONCE = 2**26
"""The most numbers in the joint states of such a group, because they hold all variables of the graph."""


@identity_cache.by_identity
def tables_of(graph: FactorGraph) -> list[Table] | None:
    """Return the unaries and the factors as tables; None if some factor does not have tables of a usable size."""
    if sum(len(ids) for factor in graph.factors for ids in factor.scopes) > MOST_FACTORS:
        return None
    sizes, unaries = graph.variables.cardinalities, np.asarray(graph.with_forbidden(), np.float64)
    found: list[Table] = [((i,), row[:size]) for i, (row, size) in enumerate(zip(unaries, sizes, strict=True))]
    for factor in graph.factors:
        groups = _groups(factor, graph)
        if groups is None:
            return None
        for ids, tables in groups:
            found += zip(map(tuple, np.asarray(ids).tolist()), np.asarray(tables, np.float64), strict=True)
    return found


@identity_cache.by_identity
def in_one_group(graph: FactorGraph) -> FactorGraph:
    """Return the model with all groups of tables as one, because each group of its own would compile for seconds."""
    groups = [factor for factor in graph.factors if isinstance(factor, AbstractEntries)]
    entries = sum(jax.eval_shape(lambda factor: factor.tables(), group).size for group in groups)
    if len(groups) < 2 or entries > MOST_IN_ONE_GROUP:
        return graph
    parts = [part for group in groups for part in group.as_tables()]
    scopes = [row for ids, _ in parts for row in np.asarray(ids)]
    tables = [table for _, several in parts for table in np.asarray(several)]
    others = [factor for factor in graph.factors if not isinstance(factor, AbstractEntries)]
    return eqx.tree_at(lambda one: one.factors, graph, (*others, Tables(scopes, tables)))


def _groups(factor: AbstractFactor, graph: FactorGraph):
    """Return the tables of a group of factors, as `AbstractFactor.as_tables`; None if they are too large."""
    if isinstance(factor, Tables):
        return factor.as_tables() if factor.table.size <= MOST_ENTRIES else None
    shapes = jax.eval_shape(_as_tables, factor)
    if shapes is None:
        return _joint(factor, graph)
    entries = sum(math.prod(table.shape) for _, table in shapes)
    return _as_tables(factor) if entries <= MOST_ENTRIES else None


_as_tables = jax.jit(lambda factor: factor.as_tables())
_score = jax.jit(lambda factor, states: factor.score(states))


def _joint(factor: AbstractFactor, graph: FactorGraph) -> list[tuple[np.ndarray, np.ndarray]] | None:
    """Return a group as one table of all its variables, from `score`; None if it has too many joint states."""
    variables = graph.variables
    members = np.unique(np.concatenate([np.zeros(0, int), *(ids.reshape(-1) for ids in factor.scopes)]))
    sizes = tuple(variables.cardinalities[members].tolist())
    joint = math.prod(sizes)
    if joint > MOST_JOINT or joint * variables.count * variables.num_planes > MOST_AT_ONCE:
        return None
    states = np.zeros((variables.count, joint), np.int32)
    states[members] = np.indices(sizes).reshape(len(sizes), joint)
    scores = _score(factor, planes.from_states(on_device(states), variables.num_planes, graph.unaries.dtype))
    return [(members[None], np.asarray(scores).reshape(1, *sizes))]


def score_of(tables: list[Table], states: np.ndarray) -> tuple[float, float]:
    """Return the score of states (n,) in nats, and the sum of the sizes of its finite terms; both in 64 bits."""
    at = states.tolist()
    terms = np.array([table[tuple([at[i] for i in ids])] for ids, table in tables])
    return float(terms.sum()), float(np.abs(terms[np.isfinite(terms)]).sum())
