"""A factor graph as an image of palette entries. It is drawn once; a frame of its animation is a list of colours.

Every edge has two arrows, one for the message in each direction. A node is a disk (the belief), a ring (the exact
answer) and a dot (the decoded state).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int, UInt8

from .style import diverging, rgb

PAPER, EDGE = 0, 1  # palette entries: the ground, outlines
FIRST = 2  # then lanes (forward, backward), disks, rings, dots
DENSITY = 2  # image pixels for a pixel of the page
DISK, RING, DOT = 17.0, 24.0, 5.5  # radii, in pixels of the page
LANE, GAP, HEAD = 4.0, 7.0, 8.5  # half width of a lane, its distance from the middle, half width of an arrow head


class Drawing(NamedTuple):
    """The image of a graph, and its numbers of edges and nodes."""

    image: UInt8[np.ndarray, "height width"]
    edges: int
    nodes: int

    def arrow(self, edge: int, backward: bool) -> list[int]:
        """Return the palette entries of the arrow of an edge, in its direction or backward."""
        return [FIRST + edge + (self.edges if backward else 0)]

    def node(self, node: int, *roles: str) -> list[int]:
        """Return the palette entries of a node: of its "belief", its "noise" (the ring) or its "state"."""
        first = FIRST + 2 * self.edges + node
        return [first + self.nodes * ("belief", "noise", "state").index(role) for role in roles]


def draw(places: Float[np.ndarray, "nodes 2"], edges: Int[np.ndarray, "edges 2"], width: int, height: int) -> Drawing:
    """Draw a graph.

    Args:
        places: x and y of the nodes in 0..1, y downwards.
        edges: ids of their ends.
        width, height: size on the page.

    Returns:
        The drawing, DENSITY times as large.
    """
    y, x = np.mgrid[: height * DENSITY, : width * DENSITY] / DENSITY + 0.25
    at = places * [width - 2 * RING - 4, height - 2 * RING - 4] + RING + 2
    image = np.full(x.shape, PAPER, np.uint8)
    lanes = [(at[i], at[j]) for i, j in edges] + [(at[j], at[i]) for i, j in edges]
    for number, (start, end) in enumerate(lanes):
        near = _around(start, end)
        distance, part = _lane(x[near], y[near], start, end), image[near]
        part[distance < 1.0] = EDGE
        part[distance < 0.0] = FIRST + number
    first = FIRST + len(lanes)
    for number, centre in enumerate(at):
        near = _around(centre, centre)
        radius, part = np.hypot(x[near] - centre[0], y[near] - centre[1]), image[near]
        for bound, entry in (
            (RING + 1.0, EDGE),
            (RING, first + len(at) + number),
            (DISK + 1.5, EDGE),
            (DISK, first + number),
            (DOT + 1.0, EDGE),
            (DOT, first + 2 * len(at) + number),
        ):
            part[radius < bound] = entry
    return Drawing(image, len(edges), len(at))


def _around(start, end) -> tuple[slice, slice]:
    """Return the rows and columns of the image that an arrow from start to end, or a node there, can cover."""
    margin = RING + 2.0
    low = np.maximum((np.minimum(start, end) - margin) * DENSITY, 0).astype(int)
    high = ((np.maximum(start, end) + margin) * DENSITY).astype(int) + 1
    return slice(low[1], high[1]), slice(low[0], high[0])


def _lane(x, y, start, end) -> np.ndarray:
    """Return the distance of every pixel to the arrow beside the line from start to end; negative inside."""
    length = np.hypot(*(end - start))
    along = (end - start) / length
    right = np.array([-along[1], along[0]])
    forward = (x - start[0]) * along[0] + (y - start[1]) * along[1]
    aside = (x - start[0]) * right[0] + (y - start[1]) * right[1] - GAP
    first, tip = RING + 3.0, length - RING - 3.0
    neck = tip - 1.6 * HEAD
    shaft = np.maximum(np.abs(aside) - LANE, np.maximum(first - forward, forward - neck))
    slope = HEAD / (tip - neck)
    head = np.maximum((np.abs(aside) - slope * (tip - forward)) / np.hypot(1, slope), neck - forward)
    return np.minimum(shaft, head)


def palettes(
    drawing: Drawing,
    forward: Float[np.ndarray, "T edges"],
    backward: Float[np.ndarray, "T edges"],
    beliefs: Float[np.ndarray, "T nodes"],
    exact: Float[np.ndarray, " nodes"],
    states: Int[np.ndarray, "T nodes"],
    limit: float,
) -> UInt8[np.ndarray, "T colours 3"]:
    """Return the colours of a drawing for every frame: messages and beliefs in PuOr, state 1 black, state 0 white."""
    count = len(forward)
    table = np.empty((count, FIRST + 2 * drawing.edges + 3 * drawing.nodes, 3), np.uint8)
    table[:, PAPER] = 255
    table[:, EDGE] = rgb("#8C8C8C")
    rings = np.broadcast_to(exact, (count, drawing.nodes))
    values = np.concatenate([forward, backward, beliefs, rings], axis=1)
    table[:, FIRST : -drawing.nodes] = diverging(values, limit)
    table[:, -drawing.nodes :] = np.where(states[..., None] == 1, 0, 255)
    return table
