"""Square grids of binary variables with exact answers, row by row: the highest-scoring state (MAP) and samples.

A row of L variables has 2^L states and depends on the others only through its two neighbouring rows. So a grid is a
chain of L rows, and the algorithms for chains apply: Viterbi's algorithm, and sampling one row after the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

import pmp_kit as pk


class Grid(NamedTuple):
    """score(x) = sum_e w_e x_i x_j + sum_i u_i x_i, x in {0, 1}; edges in the order of `pk.lattice_pairs`."""

    side: int
    weight: Float[np.ndarray, " E"]
    log_odds: Float[np.ndarray, " n"]

    def graph(self) -> pk.FactorGraph:
        """Build the model, with block "x". Grids of the same side share compiled programs."""
        variables = pk.Variables(x=pk.Binary(self.side, self.side))
        unaries = self.log_odds.reshape(self.side, self.side).astype(np.float32)
        return pk.FactorGraph(variables, [pk.Edges(pairs(self.side), self.weight.astype(np.float32))], {"x": unaries})

    def score(self, states: Int[np.ndarray, "... n"]) -> Float[np.ndarray, ...]:
        """Return the scores of states, in nats."""
        first, second = pairs(self.side).T
        return (states[..., first] & states[..., second]) @ self.weight + states @ self.log_odds


def pairs(side: int) -> Int[np.ndarray, "E 2"]:
    """Return the pairs of neighbours on the grid."""
    return pk.lattice_pairs(np.arange(side * side).reshape(side, side))


def spins(side: int, coupling: Float[np.ndarray, " E"]) -> Grid:
    """Build the grid of spins s = 2 x - 1 with score sum_e J_e s_i s_j, up to a constant."""
    degree = np.zeros(side * side)
    for end in pairs(side).T:
        np.add.at(degree, end, coupling)
    return Grid(side, 4.0 * coupling, -2.0 * degree)


def snake(side: int) -> tuple[Int[np.ndarray, " n"], Bool[np.ndarray, " E"]]:
    """Lay a line of variables out on the grid, right, then left, then right: its order, and the edges it uses."""
    ids = np.arange(side * side).reshape(side, side)
    ids[1::2] = ids[1::2, ::-1]
    order = ids.reshape(-1)
    place = np.argsort(order)[pairs(side)]
    return order, np.abs(place[:, 0] - place[:, 1]) == 1


def random_signs(side: int, seed: int) -> Float[np.ndarray, " E"]:
    """Draw +1 or -1 for each edge: the frustrated couplings of a spin glass."""
    return np.random.default_rng(seed).choice([-1.0, 1.0], len(pairs(side)))


def best(grid: Grid) -> tuple[Int[np.ndarray, " n"], float]:
    """Return the state with the highest score, and that score in nats."""
    bits, rows, between = _tables(grid)
    ahead, followers = np.zeros(len(bits)), []
    for row, joint in zip(rows[:0:-1], between[::-1], strict=True):
        total = joint + row + ahead
        followers.append(total.argmax(1))
        ahead = total.max(1)
    first = rows[0] + ahead
    chosen = [int(first.argmax())]
    for follower in followers[::-1]:
        chosen.append(int(follower[chosen[-1]]))
    return bits[chosen].reshape(-1), float(first.max())


def samples(grid: Grid, number: int, seed: int) -> Int[np.ndarray, "number n"]:
    """Draw exact samples: the first row from its marginal distribution, each next row given the row before."""
    bits, rows, between = _tables(grid)
    ahead, draw = _ahead(rows, between), np.random.default_rng(seed)

    def pick(scores):
        summed = np.cumsum(np.exp(scores - scores.max(-1, keepdims=True)), -1)
        return (summed < draw.random((number, 1)) * summed[..., -1:]).sum(-1)

    chosen = [pick((rows[0] + ahead[0])[None])]
    for row, joint, later in zip(rows[1:], between, ahead[1:], strict=True):
        chosen.append(pick(joint[chosen[-1]] + row + later))
    return bits[np.stack(chosen, 1)].reshape(number, -1)


def _tables(grid: Grid):
    """All states of a row (2^L, L), the score of each in each row (L, 2^L), and of a row with the next (2^L, 2^L)."""
    side = grid.side
    bits = (np.arange(2**side)[:, None] >> np.arange(side)) & 1
    across = grid.weight[: side * (side - 1)].reshape(side, side - 1)
    down = grid.weight[side * (side - 1) :].reshape(side - 1, side)
    rows = grid.log_odds.reshape(side, side) @ bits.T + across @ (bits[:, :-1] & bits[:, 1:]).T
    return bits, rows, [(bits * weight) @ bits.T for weight in down]


def _ahead(rows, between) -> list[np.ndarray]:
    """Return for each row the log of the sum over all later rows, given this one: (2^L,)."""
    ahead = [np.zeros(rows.shape[1])]
    for row, joint in zip(rows[:0:-1], between[::-1], strict=True):
        ahead.append(np.logaddexp.reduce(joint + row + ahead[-1], axis=1))
    return ahead[::-1]
