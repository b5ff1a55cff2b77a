"""Maximum flow: the exact highest-scoring configuration of attractive binary models by a minimum cut.

Reference: Greig, Porteous and Seheult (1989).
"""

from typing import ClassVar

import numpy as np

from .host import AbstractHostSolver
from .pairs import normal_form

MOST_FLOW = 2**30 - 1
"""The largest flow in one round. SciPy uses 32-bit integers, and an arc may also carry the reverse flow."""
MANTISSA = 53
"""Bits in the mantissa of a 64-bit float."""
ROUNDINGS = 4.0
"""The weight of a table is the sum of four rounded scores. A negative one of at most so many roundings counts as 0."""


class MaxFlow(AbstractHostSolver):
    """The maximiser of sum_i u_i x_i + sum_e w_e x_i x_j with all w_e >= 0, by a minimum cut of a network.

    The network follows from w x_i x_j = w/2 (x_i + x_j) - w/2 |x_i - x_j|. At the maximum flow, the variables that are
    reachable from the source get state 1. All bits of the capacities are used, so the result is exact for any mixture
    of scales, up to the rounding of the sums that become capacities: 1e-16 of the largest score of the same variable.
    The flow is refined in rounds, from the leading bits of the capacities to the last bits. Other models raise
    ValueError. It needs no sweeps. Cost: a few integer flows for each batch element, one after the other, nearly linear
    in practice.
    """

    exact: ClassVar[bool] = True

    def problem(self, pairs, tables, size):
        if tables.shape[1] != 2:
            raise ValueError(
                f"model: expected binary variables for MaxFlow, got {tables.shape[1]} states; use MPLP() or "
                "LinearProgram()"
            )
        form = normal_form(pairs, tables, size)
        if form.forbidden.any():
            where = form.pairs[int(np.argmax(form.forbidden.any((1, 2))))].tolist()
            raise ValueError(
                f"model: expected finite tables for MaxFlow, got -inf between variables {where}; use TreePass() "
                "on a tree, LinearProgram(), or Exhaustive() if the model is small"
            )
        weights = form.tables[:, 1, 1]
        rounding = ROUNDINGS * np.finfo(tables.dtype).eps * form.largest
        if (weights < -rounding).any():
            worst = int(weights.argmin())
            raise ValueError(
                f"model: expected an attractive model for MaxFlow (all weights >= 0), got {weights[worst]:.4g} between "
                f"variables {form.pairs[worst].tolist()}; use MaxProduct(), or Exhaustive() if it is small"
            )
        return form

    def search(self, problem, scores):
        half = 0.5 * np.maximum(problem.tables[:, 1, 1], 0.0)
        pull = np.zeros(scores.shape[1])
        np.add.at(pull, problem.pairs.reshape(-1), np.repeat(half, 2))
        field = scores[1] - scores[0] + (problem.unaries[1] - problem.unaries[0] + pull)[:, None]
        ones = np.stack([best_cut(problem.pairs, half, one) for one in field.T], axis=1)
        return np.stack([1.0 - ones, ones]), np.full(scores.shape[2], np.inf), np.ones(scores.shape[2], bool)


def best_cut(pairs: np.ndarray, capacity: np.ndarray, field: np.ndarray) -> np.ndarray:
    """Return the x that maximises field'x - sum_e capacity_e |x_i - x_j|; an infinite field fixes its variable."""
    size = len(field)
    reach = np.zeros(size)  # a field above the sum of a variable's capacities fixes its state
    np.add.at(reach, pairs.reshape(-1), np.repeat(capacity, 2))
    field = np.clip(field, np.where(reach > 0, -2.0 * reach, -1.0), np.where(reach > 0, 2.0 * reach, 1.0))
    source, sink, every = size, size + 1, np.arange(size)
    tails = np.concatenate([pairs[:, 0], pairs[:, 1], np.full(size, source), every])
    heads = np.concatenate([pairs[:, 1], pairs[:, 0], every, np.full(size, sink)])
    amount = np.concatenate([capacity, capacity, np.maximum(field, 0.0), np.maximum(-field, 0.0)])
    used = amount > 0
    reached = source_side(tails[used], heads[used], amount[used], size + 2)
    return reached[:size].astype(np.float64)


def source_side(tails: np.ndarray, heads: np.ndarray, capacity: np.ndarray, size: int) -> np.ndarray:
    """Return which of `size` nodes are reachable from the source at the maximum flow. Source and sink are the last two.

    The flow is computed by bit scaling. Let `left` be the residual capacities at the maximum flow for the leading bits
    of the capacities. They define a cut without residual capacity. The next k bits change them to 2^k left + bits. The
    additional flow is below 2^k times the number of arcs across the cut, so it fits into SciPy's 32-bit integers.
    """
    from scipy import sparse
    from scipy.sparse import csgraph

    def matrix(numbers):
        return sparse.csr_array((numbers, ends), (size, size))

    ends = tails.astype(np.int32), heads.astype(np.int32)  # SciPy 1.14 accepts no other index type
    source, sink = size - 2, size - 1
    mantissa, last, highest = whole_numbers(capacity)
    left, reached = matrix(np.zeros(len(tails), np.int64)), np.arange(size) == source
    lowest = int(last.min(initial=highest))
    while highest > lowest:
        across = max(1, int((reached[tails] & ~reached[heads]).sum()))
        step = min(highest - lowest, (MOST_FLOW // across).bit_length() - 1)
        highest -= step
        room = across << step  # an upper bound of the flow through any arc in this round
        left = (left * (1 << step) + matrix(bits_of(mantissa, last, highest, step))).minimum(room)
        left = left - csgraph.maximum_flow(left.astype(np.int32), source, sink).flow
        left.eliminate_zeros()
        reached = np.zeros(size, bool)
        reached[csgraph.breadth_first_order(left, source, return_predecessors=False)] = True
    return reached


def whole_numbers(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Write positive floats as mantissa * 2^last with odd mantissas.

    Returns: mantissa and last, (m,) int64 each, and the exponent of the first power of two above all numbers.
    """
    fraction, exponent = np.frexp(numbers)
    mantissa = np.ldexp(fraction, MANTISSA).astype(np.int64)
    zeros = np.frexp((mantissa & -mantissa).astype(np.float64))[1] - 1
    return mantissa >> zeros, exponent.astype(np.int64) - MANTISSA + zeros, int(exponent.max(initial=0))


def bits_of(mantissa: np.ndarray, last: np.ndarray, position: int, count: int) -> np.ndarray:
    """Return the `count` bits of mantissa * 2^last from the bit of value 2^position upwards, as whole numbers."""
    down, up = np.clip(position - last, 0, 63), np.clip(last - position, 0, count)
    return ((mantissa >> down) & ((1 << (count - up)) - 1)) << up
