"""Max-flow: the exact MAP of attractive binary models as a minimum cut (Greig, Porteous and Seheult 1989)."""

from typing import ClassVar

import numpy as np

from ._parts.host import AbstractHostSolver
from ._parts.normal_form import normal_form

MOST_FLOW = 2**30 - 1
"""Limit of the flow in one round: SciPy's flows are 32-bit integers, and an arc may carry the flow back as well."""
MANTISSA = 53
"""Bits of a 64-bit float."""


class MaxFlow(AbstractHostSolver):
    """The best x of sum_i u_i x_i + sum_e w_e x_i x_j with all w >= 0, as the minimum cut of a network.

    w x_i x_j = w/2 (x_i + x_j) - w/2 |x_i - x_j|. At the maximum flow, the variables that the source still reaches
    are 1. The capacities are used to their last bit, so the result is exact at any mixture of scales. The flow is
    refined in rounds, from the leading bits of the capacities to the last ones. Cost: a few integer flows for each
    batch element, one after the other, nearly linear in practice.
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
        if (weights < 0).any():
            worst = int(weights.argmin())
            raise ValueError(
                f"model: expected an attractive model for MaxFlow (all weights >= 0), got {weights[worst]:.4g} between "
                f"variables {form.pairs[worst].tolist()}; use MaxProduct(), or Exhaustive() if it is small"
            )
        return form

    def search(self, problem, scores):
        half = 0.5 * problem.tables[:, 1, 1]
        pull = np.zeros(scores.shape[1])
        np.add.at(pull, problem.pairs.reshape(-1), np.repeat(half, 2))
        field = scores[1] - scores[0] + (problem.unaries[1] - problem.unaries[0] + pull)[:, None]
        ones = np.stack([best_cut(problem.pairs, half, one) for one in field.T], axis=1)
        return np.stack([1.0 - ones, ones]), np.full(scores.shape[2], np.inf), np.ones(scores.shape[2], bool)


def best_cut(pairs: np.ndarray, capacity: np.ndarray, field: np.ndarray) -> np.ndarray:
    """The x that maximises field'x - sum_e capacity_e |x_i - x_j|; an infinite field fixes its variable."""
    size = len(field)
    reach = np.zeros(size)  # a field beyond all capacities of a variable decides it alone
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
    """Which of `size` nodes, the last two of them source and sink, the source reaches at the maximum flow.

    Bit scaling: let `left` be what is left of the leading bits of the capacities at their maximum flow. It cuts the
    source from the sink: across the cut nothing is left. The next k bits make 2^k left + bits. The flow that can be
    added is below 2^k times the number of arcs across the cut, so it fits into SciPy's 32-bit integers.
    """
    from scipy import sparse
    from scipy.sparse import csgraph

    def matrix(numbers):
        return sparse.csr_array((numbers, ends), (size, size))

    ends = tails.astype(np.int32), heads.astype(np.int32)  # SciPy 1.14 takes no other indices
    source, sink = size - 2, size - 1
    mantissa, last, highest = whole_numbers(capacity)
    left, reached = matrix(np.zeros(len(tails), np.int64)), np.arange(size) == source
    lowest = int(last.min(initial=highest))
    while highest > lowest:
        across = max(1, int((reached[tails] & ~reached[heads]).sum()))
        step = min(highest - lowest, (MOST_FLOW // across).bit_length() - 1)
        highest -= step
        room = across << step  # more than this never flows through an arc, in this round and all later ones
        left = (left * (1 << step) + matrix(bits_of(mantissa, last, highest, step))).minimum(room)
        left = left - csgraph.maximum_flow(left.astype(np.int32), source, sink).flow
        left.eliminate_zeros()
        reached = np.zeros(size, bool)
        reached[csgraph.breadth_first_order(left, source, return_predecessors=False)] = True
    return reached


def whole_numbers(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Positive floats as odd mantissas times 2^last, (m,) int64 each, and the first power of two above all of them."""
    fraction, exponent = np.frexp(numbers)
    mantissa = np.ldexp(fraction, MANTISSA).astype(np.int64)
    zeros = np.frexp((mantissa & -mantissa).astype(np.float64))[1] - 1
    return mantissa >> zeros, exponent.astype(np.int64) - MANTISSA + zeros, int(exponent.max(initial=0))


def bits_of(mantissa: np.ndarray, last: np.ndarray, position: int, count: int) -> np.ndarray:
    """The `count` bits of mantissa 2^last from that worth 2^position upwards, as whole numbers."""
    down, up = np.clip(position - last, 0, 63), np.clip(last - position, 0, count)
    return ((mantissa >> down) & ((1 << (count - up)) - 1)) << up
