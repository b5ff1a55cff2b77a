"""A model of tables of any shapes, also of one or no variable, and of several tables on the same variables."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..factors import AbstractFactor, NWise, Tables
from ..graph import FactorGraph
from .model import ConvertedModel, blocks_of

Group = tuple[NDArray[np.int_], NDArray[np.floating]]
"""Ids (F, k) and scores (F, C_1, ..., C_k) of tables that have the same shape."""


def tables_model(
    cardinalities: NDArray[np.int_],
    scopes: Sequence[NDArray[np.int_]],
    tables: Sequence[NDArray[np.floating]],
    names: Sequence[Hashable],
    observed: Mapping[Any, int] | None = None,
    state_names: Sequence[Sequence[Hashable]] | None = None,
) -> ConvertedModel:
    """Return the model whose score is the sum of tables.

    The variables of each table are put in the order of their ids, and tables on the same variables are added. So each
    shape occurs in one order, and no two factors on the same variables are a loop. Tables of one variable become
    unaries, and those of none the constant.

    Args:
        cardinalities: the number of states of each variable, (n,).
        scopes: places (F, k) of variables, one array for each group of tables with the same shape.
        tables: scores in nats, -inf for forbidden entries, (F, C_1, ..., C_k) for each group.
        names: the labels of the variables.
        observed, state_names: see `ConvertedModel`.
    """
    variables, ids = blocks_of(cardinalities)
    by_shape: dict[tuple[int, ...], list[Group]] = defaultdict(list)
    for scope, table in zip(scopes, tables, strict=True):
        for members, scores in _in_order_of_ids(ids[scope], table):
            by_shape[scores.shape[1:]].append((members, scores))
    constant = float(sum(scores.sum() for _, scores in by_shape.pop((), [])))
    if constant == -np.inf:
        raise ValueError("tables: expected a model that allows some configuration, got a function that is 0 everywhere")
    unaries, found = {name: np.zeros((b.size, b.states)) for name, b in variables.blocks}, []
    for shape, groups in by_shape.items():
        members, scores = _added(*map(np.concatenate, zip(*groups, strict=True)))
        if len(shape) == 1:
            block = f"x{shape[0]}"
            unaries[block][members[:, 0] - variables[block][0]] = scores
        else:
            found.append((members, scores))
    graph = FactorGraph(variables, _factors(found), unaries)
    return ConvertedModel(graph, ids, names, constant, observed=observed, state_names=state_names)


def logarithms(values: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return scores of potentials or probabilities in nats; those of 0, which forbids a configuration, are -inf."""
    with np.errstate(divide="ignore"):
        return np.log(values)


def _factors(groups: list[Group]) -> list[AbstractFactor]:
    """Return tables of one shape as `NWise`, and of several as `Tables`, which compiles one program for all shapes."""
    if len(groups) < 2:
        return [NWise(members, scores) for members, scores in groups]
    return [Tables([ids for members, _ in groups for ids in members], [table for _, of in groups for table in of])]


def _in_order_of_ids(ids: NDArray[np.int_], table: NDArray[np.floating]) -> Iterator[Group]:
    """Yield tables of one shape without their variables with one state (id -1), axes in the order of the ids."""
    several = np.flatnonzero(np.array(table.shape[1:]) > 1)
    table = table.reshape(len(table), *(table.shape[1 + axis] for axis in several))
    ids = ids[:, several]
    orders, kind = np.unique(np.argsort(ids, axis=1), axis=0, return_inverse=True)
    for number, order in enumerate(orders):
        rows = kind.reshape(-1) == number
        yield ids[rows][:, order], table[rows].transpose(0, *(1 + order))


def _added(ids: NDArray[np.int_], tables: NDArray[np.floating]) -> Group:
    """Return tables with the same ids as one, the sum of their scores."""
    order = np.lexsort(ids.T[::-1])
    ids, tables = ids[order], tables[order]
    first = np.flatnonzero(np.append(True, (ids[1:] != ids[:-1]).any(1)))
    return ids[first], np.add.reduceat(tables, first, axis=0)
