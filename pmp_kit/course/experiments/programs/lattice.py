"""Exact log Z of a periodic lattice with equal couplings, by transfer matrix and translations (Section 5.2).

Let T be the 2^L x 2^L transfer matrix between a row of L spins and the next row. Then Z = trace T^M for M rows. T is
never stored. It is D^(1/2) V D^(1/2), where D is diagonal (the score within a row) and V is a Kronecker product of one
2 x 2 matrix for each column. The trace is a sum over orbits, because states that are translations or reflections of one
another have equal diagonal entries:

    Z = sum_orbits size(s) <T^a e_s, T^(M-a) e_s>,    a = M // 2.

All numbers are positive, so nothing cancels. Weights below the smallest float64 number count as 0. It is an error if
they could matter, which happens for strong couplings that no state can all satisfy. With side 15 there are 1,224
orbits, and the memory is 100 MB instead of the 8.6 GB of T.
"""

from typing import NamedTuple

import numpy as np

from ....engine.arrays import refuse_traced
from ....factors import Edges
from ....graph import FactorGraph, Model, as_graph
from ....models import lattice_pairs

MOST_COLUMNS = 18
BYTES_AT_ONCE = 2**20
"""The most bytes of vectors in one batch, so that they fit in the cache."""
SITES_AT_ONCE = 5
ROWS_AT_ONCE = 64
"""Rows of one matrix product: so few that NumPy uses one thread, which is faster on a busy machine."""
SMALLEST = float(np.log(np.finfo(float).tiny))
MARGIN = 40.0
"""Nats by which the result must exceed what may have been lost by underflow: 12 digits, and the number of products."""


def lattice_log_partition(model: Model) -> float:
    """Return the exact log Z of a periodic lattice of binary variables with equal couplings and unaries, in nats.

    Args:
        model: the result of `ising_lattice(side, coupling, bias)`, or a graph with one factor
            Edges(lattice_pairs(ids, periodic=True), weight) that has one weight along rows and one along columns.

    Returns: log Z of the {0, 1} scores, in float64. Cost for side L: about 32 * 2^(2 L) multiplications, some seconds
    for side 15.

    Raises: TypeError if `model` is not a model; ValueError for any other model, for more than 18 columns, and for
    couplings that are too strong for float64.
    """
    refuse_traced("lattice_log_partition", model)
    lattice = _spins(as_graph(model))
    if lattice.columns > MOST_COLUMNS:
        raise ValueError(
            f"model: expected a lattice with a side of at most {MOST_COLUMNS}, got {lattice.columns}; use the bounds "
            "of log Z or annealed_log_partition"
        )
    return lattice.offset + _log_trace(lattice)


class Spins(NamedTuple):
    """A lattice of spins with score(x) = J_along sum s s' + J_down sum s s' + h sum s + offset."""

    rows: int
    columns: int
    along: float
    down: float
    field: float
    offset: float


def _spins(graph: FactorGraph) -> Spins:
    """Return the graph as a lattice of spins, with the shorter side as columns."""
    like = "expected a lattice such as ising_lattice(5, coupling=0.1), periodic and with equal couplings"
    blocks, factors = graph.variables.blocks, graph.factors
    if len(blocks) != 1 or len(blocks[0][1].shape) != 2 or blocks[0][1].states != 2:
        raise ValueError(f"model: {like}, got blocks {', '.join(graph.variables.names)}; use one 2-D binary block")
    pairs = lattice_pairs(graph.variables[blocks[0][0]], periodic=True).T
    edges = factors[0] if len(factors) == 1 else None
    if not isinstance(edges, Edges) or not _same_pairs(edges.pairs, pairs):
        raise ValueError(f"model: {like}, got other factors")
    if graph.allowed is not None:
        raise ValueError(f"model: {like}, got unaries that forbid a state")
    unaries = np.asarray(graph.unaries, np.float64)
    rows, columns = blocks[0][1].shape
    weights = np.asarray(edges.weights, np.float64)
    number = rows * (columns if columns > 2 else columns - 1)  # pairs within rows are first
    parts = [weights[:number], weights[number:], unaries[:, 1] - unaries[:, 0]]
    for part in parts:
        if part.size and np.ptp(part) > 1e-6 * max(1.0, float(np.abs(part).max())):
            raise ValueError(f"model: {like}, got values between {part.min()} and {part.max()}")
    along, down, odds = [float(part.mean()) if part.size else 0.0 for part in parts]
    # with side 2, the trace counts each pair twice
    along, down = along / (1 + (columns == 2)), down / (1 + (rows == 2))
    field = odds / 2 + (along + down) / 2
    offset = unaries[:, 0].sum() + rows * columns * (field - (along + down) / 4)
    if columns > rows:
        rows, columns, along, down = columns, rows, down, along
    return Spins(rows, columns, along / 4, down / 4, field, float(offset))


def _same_pairs(one, other) -> bool:
    """Return whether two lists of pairs (2, E) are equal up to the order within pairs."""
    return np.array_equal(np.sort(one, axis=0), np.sort(other, axis=0))


def _log_trace(lattice: Spins) -> float:
    """Return log trace T^rows of the transfer matrix T."""
    columns, codes = lattice.columns, np.arange(2**lattice.columns)
    spins = 2 * ((codes[:, None] >> np.arange(columns)) & 1) - 1
    own = lattice.along * (spins * np.roll(spins, -1, 1)).sum(1) + lattice.field * spins.sum(1)
    half = np.exp(0.5 * (own - own.max()))  # D^(1/2), largest entry 1
    aligned = lattice.down * np.array([[1.0, -1.0], [-1.0, 1.0]])
    kernels = _kernels(np.exp(aligned - aligned.max()), columns)
    level = own.max() + columns * aligned.max()  # log of the constant factor that is left out of T
    representatives, sizes = _orbits(codes, columns)
    parts = []
    batch = max(1, BYTES_AT_ONCE // (8 * codes.size))
    for start in range(0, representatives.size, batch):
        chosen, size = representatives[start : start + batch], sizes[start : start + batch]
        vectors = np.zeros((chosen.size, codes.size))
        vectors[np.arange(chosen.size), chosen] = 1.0
        parts.append(np.log(size) + _log_diagonal(vectors, lattice.rows, half, kernels))
    total = float(np.logaddexp.reduce(np.concatenate(parts)))
    span = np.ptp(own) + columns * np.ptp(aligned)
    # What a row loses grows in each later row by at most the largest row sum of T.
    growth = np.log(max(1.0, (_apply(half[None], kernels) * half).max()))
    lost = SMALLEST + 2 * columns * np.log(2) + lattice.rows * growth
    if span > -SMALLEST - MARGIN and total < lost + MARGIN:
        raise ValueError(
            "model: expected couplings and unaries whose weights float64 can hold, got a transfer matrix with entries "
            f"between 1 and e^-{span:.0f}; use weaker couplings, exact.log_partition for at most 20 variables, or the "
            "bounds of log Z"
        )
    return lattice.rows * level + total


def _log_diagonal(vectors: np.ndarray, power: int, half: np.ndarray, kernels: list) -> np.ndarray:
    """Return log <e_s| T^power |e_s> for each unit vector, (batch,); vectors are rescaled to a largest entry of 1."""
    logs = np.zeros(len(vectors))
    short, left = vectors, 0.0
    for step in range(power - power // 2):
        vectors = _apply(vectors * half, kernels) * half
        top = np.maximum(vectors.max(1), np.finfo(float).tiny)  # states whose weight underflows contribute nothing
        vectors /= top[:, None]
        logs = logs + np.log(top)
        if step + 1 == power // 2:
            short, left = vectors, logs
    product = np.einsum("bs,bs->b", short, vectors)
    with np.errstate(divide="ignore"):
        return np.log(product) + logs + left


def _kernels(site: np.ndarray, columns: int) -> list[np.ndarray]:
    """Return Kronecker powers of one site's matrix, for groups of a few sites that together cover all columns."""
    kernels = []
    for start in range(0, columns, SITES_AT_ONCE):
        kernel = np.ones((1, 1))
        for _ in range(min(SITES_AT_ONCE, columns - start)):
            kernel = np.kron(kernel, site)
        kernels.append(kernel)
    return kernels


def _apply(vectors: np.ndarray, kernels: list[np.ndarray]) -> np.ndarray:
    """Return V times each vector, (batch, 2^L), one group of sites after another; the axes rotate in each step."""
    shape = vectors.shape
    for kernel in kernels:
        rest = shape[1] // len(kernel)
        rows = vectors.reshape(-1, min(ROWS_AT_ONCE, rest), len(kernel)) @ kernel  # the matrices are symmetric
        vectors = rows.reshape(shape[0], rest, len(kernel)).swapaxes(1, 2).reshape(shape)
    return vectors


def _orbits(codes: np.ndarray, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest state of each orbit of translations and reflections, and the sizes of the orbits."""
    smallest = codes.copy()
    mirrored = np.zeros_like(codes)
    for bit in range(columns):
        mirrored |= ((codes >> bit) & 1) << (columns - 1 - bit)
    for turn in range(columns):
        for image in (codes, mirrored):
            turned = ((image << turn) | (image >> (columns - turn))) & (2**columns - 1)
            np.minimum(smallest, turned, out=smallest)
    return np.unique(smallest, return_counts=True)
