"""The small graphs of the message scope, all embedded in the same nine variables: one compiled program fits all."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

NODES = 9


class Topology(NamedTuple):
    """Which of the nine variables are used, where they are drawn, and how they are joined."""

    places: Float[np.ndarray, "used 2"]
    """x and y in 0..1, y downwards."""
    edges: Int[np.ndarray, "edges 2"]

    @property
    def adjacency(self) -> Float[np.ndarray, "n n"]:
        """1 where two of the nine variables are joined."""
        joined = np.zeros((NODES, NODES))
        joined[self.edges[:, 0], self.edges[:, 1]] = 1.0
        return joined + joined.T


def _circle(count: int) -> np.ndarray:
    turn = 2 * np.pi * np.arange(count) / count - np.pi / 2
    return 0.5 + 0.42 * np.stack([np.cos(turn), np.sin(turn)], 1)


def _ring(count: int) -> np.ndarray:
    return np.stack([np.arange(count), (np.arange(count) + 1) % count], 1)


def _grid(side: int) -> Topology:
    ids = np.arange(side * side).reshape(side, side)
    across = np.stack([ids[:, :-1].ravel(), ids[:, 1:].ravel()], 1)
    down = np.stack([ids[:-1].ravel(), ids[1:].ravel()], 1)
    row, column = np.divmod(ids.ravel(), side)
    places = 0.1 + 0.8 * np.stack([column, row], 1) / (side - 1)
    return Topology(places, np.concatenate([across, down]))


def _line() -> Topology:
    along = np.linspace(0.06, 0.94, 5)
    return Topology(np.stack([along, 0.5 + 0.12 * (-1.0) ** np.arange(5)], 1), _ring(5)[:-1])


def _tree() -> Topology:
    places = np.array([[0.5, 0.1], [0.25, 0.48], [0.75, 0.48], [0.08, 0.88], [0.38, 0.88], [0.62, 0.88], [0.92, 0.88]])
    return Topology(places, np.array([[0, 1], [0, 2], [1, 3], [1, 4], [2, 5], [2, 6]]))


def _four() -> Topology:
    """Return four variables, all joined, where the energy table has them."""
    places = np.array([[0.18, 0.06], [0.82, 0.06], [0.18, 0.94], [0.82, 0.94]])
    return Topology(places, np.stack(np.triu_indices(4, 1), 1))


TOPOLOGIES = {
    "line": _line(),
    "tree": _tree(),
    "triangle": Topology(_circle(3) + np.array([0.0, 0.08]), _ring(3)),
    "four spins": _four(),
    "cycle": Topology(_circle(6), _ring(6)),
    "grid": _grid(3),
}
