"""Where variables and factors stand: boards as they are, everything else by a force layout.

The force layout is that of Kamada and Kawai (1989): the distances on the page should be those in the graph. SciPy
finds the paths and the minimum. It comes with the library, gives the same picture every time, and lets a board stay
where it is, which networkx's layout of this kind does not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.optimize import linear_sum_assignment, minimize
from scipy.sparse import coo_array
from scipy.sparse.csgraph import shortest_path

import pmp_kit as pk

from ....engine import checks

PAIR, SPOKE = 1.0, 0.75
"""Lengths of an edge between two variables, and between a variable and the square of a factor."""
APART = 1.5  # between two boards
BESIDE = 9.0  # what a place on the line of its own members costs, in squared steps
STEPS = 300  # at most, of the force layout

Places = Float[np.ndarray, "k 2"]
Edges = Int[np.ndarray, "edges 2"]


def boards(variables: pk.Variables) -> Places:
    """Return places (n, 2) of blocks with two or more axes, side by side; NaN for all other variables.

    The first two axes are the rows and the columns. The variables of further axes share a place of the board, in a
    small grid: a Latin square of cells in one-hot form is a board of small boards.
    """
    places, left = np.full((variables.count, 2), np.nan), 0.0
    for name, block in variables.blocks:
        if sum(size > 1 for size in block.shape[:2]) < 2:
            continue
        row, column, *_ = np.indices(block.shape)
        inner = int(np.prod(block.shape[2:]))
        side = int(np.ceil(np.sqrt(inner)))
        down, right = np.divmod(np.arange(inner).reshape(block.shape[2:]), side)
        step = side if inner == 1 else side + 0.5
        places[variables[name].ravel()] = np.stack(
            [left + (step * column + right).ravel(), (step * row + down).ravel()], 1
        )
        left += step * block.shape[1] + APART - 1
    return places


def given(variables: pk.Variables, positions) -> Places:
    """Return the reader's places (n, 2), NaN where none are given.

    Args:
        variables: the blocks.
        positions: dict block name -> (*shape, 2), x to the right and y downwards; None for none.

    Raises:
        TypeError or ValueError: it names the argument.
    """
    places = np.full((variables.count, 2), np.nan)
    if positions is None:
        return places
    if not hasattr(positions, "items"):
        raise TypeError(f"positions: expected a dict of arrays by block name, got {checks.describe(positions)}")
    for name, value in positions.items():
        variables.check_name("positions", name)
        array, shape = np.asarray(value, float), (*variables[name].shape, 2)
        if array.shape != shape or not np.isfinite(array).all():
            raise ValueError(
                f"positions[{name!r}]: expected finite numbers of shape {shape}, x and y of each variable, got shape "
                f"{array.shape}"
            )
        places[variables[name].ravel()] = array.reshape(-1, 2)
    return places


def wrapped(variables: pk.Variables, pairs: Edges) -> Float[np.ndarray, "pairs 2"]:
    """Return for each pair how far the first variable is moved to stand beside the second one across the border.

    Only the pairs that close a periodic lattice are moved; the others get 0.
    """
    shift = np.zeros((len(pairs), 2))
    for name, block in variables.blocks:
        ids = variables[name]
        if len(block.shape) != 2:
            continue
        inside = np.isin(pairs, ids).all(1)
        first, second = (np.stack(np.divmod(pairs[inside, end] - ids.min(), block.shape[1]), 1) for end in (0, 1))
        far, size = second - first, np.array(block.shape)
        across = (np.abs(far) == size - 1) & (size > 2) & (far[:, ::-1] == 0)
        shift[inside] = (across * np.sign(far) * size)[:, ::-1]
    return shift


def arranged(fixed: Places, pairs: Edges, scopes: list[np.ndarray], board: bool) -> Places:
    """Return places of all n variables and of the squares of factors behind them.

    Args:
        fixed: places of the variables, NaN for those that the layout finds.
        pairs: variables that an edge joins.
        scopes: the variables of each square.
        board: whether some variables stand on a board; then squares stand between its places.
    """
    n = len(fixed)
    spokes = [(i, n + square) for square, ids in enumerate(scopes) for i in ids]
    places = np.concatenate([fixed, np.full((len(scopes), 2), np.nan)])
    if board:
        for square, ids in enumerate(scopes):
            places[n + square] = fixed[ids].mean(0)  # NaN if one of them has no place
    free = np.isnan(places[:, 0])
    if free.any():
        edges = np.concatenate([np.reshape(pairs, (-1, 2)), np.reshape(spokes, (-1, 2))]).astype(int)
        lengths = np.repeat([PAIR, SPOKE], [len(pairs), len(spokes)])
        places = forced(places, free, distances(len(places), edges, lengths))
    if board:
        moved = np.r_[np.isnan(fixed[:, 0]), np.ones(len(scopes), bool)]
        lines = [None] * int(np.isnan(fixed[:, 0]).sum()) + [line_of(places[ids]) for ids in scopes]
        places[moved] = between(places[moved], places[~moved], lines)
    return places


def line_of(places: Places) -> tuple[Places, Places] | None:
    """Return a point and the normal of the line on which three or more places lie, None if there is no such line."""
    centred = places - places.mean(0)
    _, spread, axes = np.linalg.svd(centred, full_matrices=False)
    return (places[0], axes[1]) if len(places) > 2 and spread[1] < 1e-6 else None


def distances(count: int, edges: Edges, lengths: Float[np.ndarray, " edges"]) -> Float[np.ndarray, "k k"]:
    """Return the lengths of the shortest paths; parts that are not joined are as far apart as most of the longest."""
    graph = coo_array((lengths, edges.T), shape=(count, count)).tocsr()
    graph.data[:] = np.minimum(graph.data, PAIR)  # an edge that occurs twice is as long as one
    paths = shortest_path(graph, directed=False)
    finite = np.isfinite(paths)
    return np.where(finite, paths, PAIR + 0.6 * paths[finite].max())


def forced(places: Places, free: Bool[np.ndarray, " k"], wanted: Float[np.ndarray, "k k"]) -> Places:
    """Return places that minimise the stress, the sum of ((distance - wanted) / wanted)^2; only `free` ones move."""
    weight = 1.0 / np.square(wanted + np.eye(len(wanted)))
    np.fill_diagonal(weight, 0.0)
    start = _start(places, free, wanted)

    def stress(flat):
        now = start.copy()
        now[free] = flat.reshape(-1, 2)
        apart = now[:, None] - now
        far = np.sqrt(np.square(apart).sum(-1) + 1e-12)
        gap = far - wanted
        slope = 4.0 * (weight * gap / far)[..., None] * apart
        return float((weight * gap**2).sum()), slope.sum(1)[free].ravel()

    found = minimize(stress, start[free].ravel(), jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    start[free] = found.x.reshape(-1, 2)
    return start if not free.all() else _lying(start)


def _start(places: Places, free: Bool[np.ndarray, " k"], wanted: Float[np.ndarray, "k k"]) -> Places:
    """Return first places: by classical scaling of the distances, or near the fixed ones that are closest."""
    noise = np.random.default_rng(0).normal(0, 0.05, places.shape)  # equal places would stay equal
    if free.all():
        centred = np.eye(len(wanted)) - 1 / len(wanted)
        values, vectors = np.linalg.eigh(-0.5 * centred @ wanted**2 @ centred)
        return noise + vectors[:, :-3:-1] * np.sqrt(np.maximum(values[:-3:-1], 1e-6))
    near = 1.0 / (wanted[:, ~free] + 0.1) ** 4
    return np.where(free[:, None], noise + near @ places[~free] / near.sum(1, keepdims=True), places)


def _lying(places: Places) -> Places:
    """Return the places turned so that their longer side is horizontal."""
    centred = places - places.mean(0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    return centred @ axes.T if len(places) > 1 else centred


def between(wishes: Places, taken: Places, lines: Sequence[tuple[Places, Places] | None]) -> Places:
    """Return a place of its own for each wish, all together as near as possible, on a grid of half steps.

    No place is one of those that are taken. One with a line stands beside it, because spokes along the line would
    hide each other.
    """
    if not len(wishes):
        return wishes
    for margin in (1, 2, 4, 8, 16, 32):
        low, high = np.floor(taken.min(0)) - margin, np.ceil(taken.max(0)) + margin
        axes = [np.arange(2 * start, 2 * end + 1) / 2 for start, end in zip(low, high, strict=True)]
        sites = np.stack(np.meshgrid(*axes), -1).reshape(-1, 2)
        sites = sites[np.abs(sites[:, None] - taken).max(-1).min(1) > 0.3]
        if len(sites) >= len(wishes):
            break
    far = np.square(wishes[:, None] - sites).sum(-1)
    for number, line in enumerate(lines):
        if line is not None:
            far[number] += BESIDE * (np.abs((sites - line[0]) @ line[1]) < 0.2)
    return sites[linear_sum_assignment(far)[1]]
