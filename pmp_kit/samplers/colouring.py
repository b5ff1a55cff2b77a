"""Blocks: independent sets of variables, which no factor joins, so that a block can be updated at once."""

import heapq
from collections.abc import Sequence

import equinox as eqx
import numpy as np
from numpy.typing import NDArray

from ..engine import checks
from ..engine.arrays import refuse_traced
from ..engine.signatures import ArrayLike
from ..graph import FactorGraph, Model, as_graph
from ..variables import Variables

MOST_TABLES = 8
"""The most tables of blocks that a sweep updates one after the other."""
NO_PAIRS = np.zeros((0, 2), np.int32)
Blocks = tuple[str | tuple[int, ...], ...]
BlocksLike = Sequence[str | ArrayLike]


def normalise(blocks: BlocksLike | None) -> Blocks | None:
    """Return blocks as a hashable tuple of names or ids; None (one variable at a time) stays None."""
    if blocks is None:
        return None
    blocks = (blocks,) if isinstance(blocks, str) else blocks
    if not isinstance(blocks, (tuple, list)):
        raise TypeError(
            f"blocks: expected names such as ('h', 'v'), or pmp_kit.colours(model), got {checks.describe(blocks)}"
        )
    return tuple(b if isinstance(b, str) else tuple(checks.ids("blocks", b).tolist()) for b in blocks)


def members(block: str | tuple[int, ...], variables: Variables) -> np.ndarray:
    """Return the ids of the variables of one block, (size,)."""
    return variables[block].reshape(-1) if isinstance(block, str) else np.asarray(block, np.int32)


def check(blocks: Blocks | None, graph: FactorGraph) -> None:
    """Raise ValueError unless the blocks contain each variable once and no factor joins two variables of a block."""
    if blocks is None:
        return
    variables = graph.variables
    ids = [members(block, variables) for block in blocks if not isinstance(block, str) or block in variables.names]
    if not ids or len(ids) < len(blocks) or sorted(np.concatenate(ids).tolist()) != list(range(variables.count)):
        shown = blocks if all(isinstance(block, str) for block in blocks) else f"{len(blocks)} lists of ids"
        raise ValueError(
            f"blocks: expected each of {variables.names} once, got {shown}; use names of blocks, or lists of ids that "
            "contain every variable once"
        )
    for number, inside in enumerate(ids):
        marked = np.zeros(variables.count, bool)
        marked[inside] = True
        if any(factor.couples(marked) for factor in graph.factors):
            name = blocks[number] if isinstance(blocks[number], str) else number
            raise ValueError(
                f"blocks: expected blocks without factors inside, got {name!r}, of which two variables share a "
                "factor and cannot be updated at once; use blocks=None or blocks=pmp_kit.colours(model) instead"
            )


def tables(blocks: Blocks | None, variables: Variables) -> list[np.ndarray]:
    """Return the ids of the blocks in the order of the updates, as tables (blocks, width) padded with n.

    Each table compiles by itself. So there are few, but a table has at most twice the places of its variables, or a
    multiple of this if there would be more than MOST_TABLES.
    """
    if blocks is None:
        return [np.arange(variables.count, dtype=np.int32)[:, None]]
    ids, places = [members(block, variables) for block in blocks], 2
    while len(groups := _groups(ids, places)) > MOST_TABLES:
        places *= 2
    return [_padded(group, variables.count) for group in groups]


def _groups(ids: list[np.ndarray], places: int) -> list[list[np.ndarray]]:
    """Return the blocks in groups of successive ones that need at most `places` padded places for each variable."""
    groups, width, total = [], 0, 0
    for block in ids:
        width, total = max(width, block.size), total + block.size
        if groups and width * (len(groups[-1]) + 1) <= places * total:
            groups[-1].append(block)
        else:
            groups.append([block])
            width = total = block.size
    return groups


def _padded(group: list[np.ndarray], filler: int) -> np.ndarray:
    """Return blocks as the rows of one table."""
    table = np.full((len(group), max(block.size for block in group)), filler, np.int32)
    for row, block in zip(table, group, strict=True):
        row[: block.size] = block
    return table


def colours(model: Model) -> tuple[NDArray[np.int32], ...]:
    """Colour the variables so that no factor joins two variables of the same colour, for `Gibbs(blocks=...)`.

    The algorithm is greedy and colours the most constrained variable first (DSATUR, degree of saturation; Brelaz 1979).
    It is exact for bipartite graphs: lattices with even or open sides, trees and RBMs (restricted Boltzmann machines)
    get two colours. A periodic lattice with an odd side needs more.

    Args:
        model: a FactorGraph or anything with .graph().

    Returns: one int32 array of ids for each colour.

    Cost: (n + E) log n for pairwise factors. Each other factor is checked n times the number of colours times.

    Raises: TypeError if `model` is not a model.
    """
    graph = as_graph(model)
    refuse_traced("colours", eqx.filter(graph.factors, eqx.is_inexact_array, inverse=True))
    neighbours, others = _neighbours(graph.factors, graph.variables.count)
    colour = np.full(graph.variables.count, -1)
    taken: list[set] = [set() for _ in neighbours]
    heap = [(0, -len(near), variable) for variable, near in enumerate(neighbours)]
    heapq.heapify(heap)
    while heap:
        saturation, _, variable = heapq.heappop(heap)
        if colour[variable] >= 0 or -saturation != len(taken[variable]):
            continue
        colour[variable] = _first_free(variable, colour, taken[variable], others)
        for near in neighbours[variable]:
            if colour[near] < 0 and colour[variable] not in taken[near]:
                taken[near].add(int(colour[variable]))
                heapq.heappush(heap, (-len(taken[near]), -len(neighbours[near]), near))
    return tuple(np.flatnonzero(colour == number).astype(np.int32) for number in range(colour.max() + 1))


def _first_free(variable: int, colour: np.ndarray, taken: set, others: list) -> int:
    """Return the first colour that no neighbour has."""
    number = 0
    while number in taken or _meets(variable, colour == number, others):
        number += 1
    return number


def _meets(variable: int, marked: np.ndarray, factors: list) -> bool:
    """Return whether a factor joins `variable` to a marked variable."""
    marked[variable] = True
    return any(factor.couples(marked) for factor in factors)


def _neighbours(factors: tuple, count: int) -> tuple[list[set], list]:
    """Return the neighbours of each variable by pairwise factors, and the factors of more than two variables."""
    neighbours: list[set] = [set() for _ in range(count)]
    others = []
    for factor in factors:
        if any(ids.shape[1] > 2 for ids in factor.scopes):
            others.append(factor)
            continue
        for first, second in np.concatenate([ids for ids in factor.scopes if ids.shape[1] == 2] or [NO_PAIRS]).tolist():
            neighbours[first].add(second)
            neighbours[second].add(first)
    return neighbours, others
