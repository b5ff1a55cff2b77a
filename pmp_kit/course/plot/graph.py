"""A factor graph as an image of palette entries. It is drawn once; a frame of its animation is a list of colours.

A node is a disk (belief) in a ring (noise). A small square in the disk is the decoded state. A tick on the ring is the
truth: at the top it is state 1, at the bottom state 0; it is red if the decoded state differs. An edge is a grey line
with one arrow on each side, for the messages in both directions. An arrow consists of nested arrows, so that its width
can change.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int, UInt8

from .style import TRUE, WRONG, diverging, rgb

LAYERS = ("states", "noise", "beliefs", "messages", "truth")
"""What a picture of a graph can show."""

PAPER, EDGE, OUTLINE = range(3)  # palette entries: the ground, edges and borders of disks, the borders of rings
FIRST = 3  # then the arrows, from the innermost nested ones outwards: forward, backward; then the parts of the nodes
TICKS = {1: "top", 0: "bottom"}  # state -> where its tick is
PARTS = (
    "disk",
    "ring",
    "square",
    "border",
    *(f"{place} {part}" for place in TICKS.values() for part in ("tick", "sides", "rim")),
)
ROLES = {"belief": ("disk",), "noise": ("ring", *PARTS[4:]), "state": ("square", "border")}
"""What a part of a node stands for -> its entries of PARTS."""
DENSITY = 2  # image pixels for a pixel of the page
DISK, RING, SQUARE = 17.0, 26.0, 5.5  # radii, and half the side, in pixels of the page
TICK = {"tick": 2.0, "sides": 4.5, "rim": 6.5}  # half widths: a black tick has white sides, a red one is wider
LANE, GAP, HEAD = 4.5, 9.5, 8.5  # half width of an arrow, its distance from the edge, half width of its head
WIDTHS = (0.35, 0.65, 1.0)  # of the nested arrows, as shares of the largest
STRENGTHS = (0.02, 1 / 3, 2 / 3)  # shares of the limit from which on each of them is seen
DASH = 10.0  # pixels of the page: from one dash of an edge to the next
PALEST = 0.45  # share of the limit: an arrow is coloured at least as strongly, so that it stands out from the paper
GREY, WHITE = "#8C8C8C", "#FFFFFF"


class Drawing(NamedTuple):
    """The image of a graph, and its numbers of edges and nodes."""

    image: np.ndarray
    """(height, width) of palette entries."""
    edges: int
    nodes: int

    def arrow(self, edge: int, backward: bool) -> list[int]:
        """Return the palette entries of the arrow of an edge, in its direction or backward."""
        number = edge + (self.edges if backward else 0)
        return [self.arrows(level).start + number for level in range(len(WIDTHS))]

    def node(self, node: int, *roles: str) -> list[int]:
        """Return the palette entries of a node: of its "belief", its "noise" or its "state"."""
        return [self.part(part).start + node for role in roles for part in ROLES[role]]

    def arrows(self, level: int) -> slice:
        """Return the palette entries of one of the nested arrows of all messages: forward ones, then backward ones."""
        start = FIRST + 2 * self.edges * level
        return slice(start, start + 2 * self.edges)

    def part(self, name: str) -> slice:
        """Return the palette entries of a part of all nodes, one of PARTS."""
        start = FIRST + 2 * self.edges * len(WIDTHS) + self.nodes * PARTS.index(name)
        return slice(start, start + self.nodes)

    @property
    def colours(self) -> int:
        """Number of palette entries."""
        return self.part(PARTS[-1]).stop


class Values(NamedTuple):
    """What the frames of an animation of a graph show."""

    forward: Float[np.ndarray, "T edges"]
    """Messages from the first end of each edge to the second, as log-ratios."""
    backward: Float[np.ndarray, "T edges"]
    beliefs: Float[np.ndarray, "T nodes"]
    """Log-odds of state 1."""
    noise: Float[np.ndarray, " nodes"]
    """Log-odds of state 1."""
    states: Int[np.ndarray, "T nodes"]
    """Decoded states."""
    truth: Int[np.ndarray, "T nodes"]
    """States of the best configuration."""


def draw(
    places: Float[np.ndarray, "nodes 2"], edges: Int[np.ndarray, "edges 2"], width: int, height: int,
    dashed: Collection[int] = (),
) -> Drawing:  # fmt: skip
    """Draw a graph.

    Args:
        places: x and y of the nodes in 0..1, y downwards.
        edges: ids of their ends.
        width, height: size on the page.
        dashed: numbers of the edges that are drawn dashed.

    Returns:
        The drawing, DENSITY times as large.
    """
    y, x = np.mgrid[: height * DENSITY, : width * DENSITY].astype(np.float32) / DENSITY + 0.25
    at = places * [width - 2 * RING - 4, height - 2 * RING - 4] + RING + 2
    blank = Drawing(np.empty((0, 0)), len(edges), len(at))
    image = np.full(x.shape, PAPER, np.min_scalar_type(blank.colours - 1))
    for number, (start, end) in enumerate(np.concatenate([at[edges], at[edges][:, ::-1]])):
        near = _around(start, end)
        place = _along(x[near], y[near], start, end)
        for level in reversed(range(len(WIDTHS))):
            image[near][_arrow(*place, WIDTHS[level])] = blank.arrows(level).start + number
    for number, (start, end) in enumerate(at[edges]):  # above the arrows, which would cut the edges that they cross
        near = _around(start, end)
        place = _along(x[near], y[near], start, end)
        drawn = _line(*place)
        image[near][drawn & (place[0] % DASH < DASH / 2) if number in dashed else drawn] = EDGE
    for number, centre in enumerate(at):
        near = _around(centre, centre)
        _node(image[near], x[near] - centre[0], y[near] - centre[1], blank, number)
    return blank._replace(image=image)


def _around(start, end) -> tuple[slice, slice]:
    """Return the rows and columns of the image that an arrow from start to end, or a node there, can cover."""
    margin = RING + 2.0
    low = np.maximum((np.minimum(start, end) - margin) * DENSITY, 0).astype(int)
    high = ((np.maximum(start, end) + margin) * DENSITY).astype(int) + 1
    return slice(low[1], high[1]), slice(low[0], high[0])


def _along(x, y, start, end) -> tuple[np.ndarray, np.ndarray, float]:
    """Return how far every pixel is along the line from start to end and to its right, and the length of the line."""
    length = float(np.hypot(*(end - start)))
    across, down = ((end - start) / length).tolist()
    x, y = x - float(start[0]), y - float(start[1])
    return x * across + y * down, y * across - x * down, length


def _line(forward, aside, length: float) -> np.ndarray:
    """Return which pixels are on an edge of this length; `forward` and `aside` are those of `_along`."""
    return (np.abs(aside) < 0.8) & (forward > 0) & (forward < length)


def _arrow(forward, aside, length: float, share: float) -> np.ndarray:
    """Return which pixels are in the arrow beside an edge, `share` times as wide as the widest."""
    aside, tip = np.abs(aside - GAP), length - RING - 3.0
    neck = tip - 1.6 * HEAD * share
    shaft = (aside < LANE * share) & (forward > RING + 3.0) & (forward < neck)
    return shaft | (forward >= neck) & (aside < (tip - forward) / 1.6)


def _node(image, x, y, drawing: Drawing, number: int) -> None:
    """Draw a node around x = y = 0, in place."""
    radius, square = np.hypot(x, y), np.maximum(np.abs(x), np.abs(y))
    ring = radius < RING
    halves = {"top": ring & (y < 0), "bottom": ring & (y > 0)}
    layers = (
        (radius < RING + 1.0, OUTLINE),
        (ring, "ring"),
        *((halves[place] & (np.abs(x) < TICK[part]), f"{place} {part}") for place in halves for part in reversed(TICK)),
        (radius < DISK + 1.5, EDGE),
        (radius < DISK, "disk"),
        (square < SQUARE + 1.0, "border"),
        (square < SQUARE, "square"),
    )
    for inside, entry in layers:
        image[inside] = entry if isinstance(entry, int) else drawing.part(entry).start + number


def palettes(
    drawing: Drawing, values: Values, layers: Collection[str], limit: float
) -> UInt8[np.ndarray, "T colours 3"]:
    """Return the colours of a drawing for every frame.

    Args:
        drawing: what `draw` returned.
        values: the numbers that the frames show.
        layers: names of LAYERS; the others are left out.
        limit: where the colours of beliefs, noise and messages saturate, in nats.
    """
    table = np.full((len(values.states), drawing.colours, 3), 255, np.uint8)
    table[:, EDGE] = rgb(GREY)
    if "messages" in layers:
        _colour_arrows(table, drawing, np.concatenate([values.forward, values.backward], axis=1) / limit)
    if "beliefs" in layers:
        table[:, drawing.part("disk")] = diverging(values.beliefs, limit)
    if "noise" in layers:
        table[:, drawing.part("ring")] = diverging(values.noise, limit)
    if "noise" in layers or "truth" in layers:
        table[:, OUTLINE] = rgb(GREY)
    shown = "states" in layers
    table[:, drawing.part("border")] = rgb(GREY) if shown else table[:, drawing.part("disk")]
    black = np.where(values.states[..., None] == 1, 0, 255)
    table[:, drawing.part("square")] = black if shown else table[:, drawing.part("disk")]
    for state, place in TICKS.items():
        there = ((values.truth == state) & ("truth" in layers))[..., None]
        _colour_ticks(table, drawing, place, there, (values.states != state)[..., None])
    return table


def _colour_ticks(table, drawing: Drawing, place: str, there: np.ndarray, wrong: np.ndarray) -> None:
    """Colour the ticks at one place of the rings, in place: black with white sides, or wide, red, with a white rim."""
    ring = table[:, drawing.part("ring")]
    looks = {"tick": (rgb(WRONG), rgb(TRUE)), "sides": (rgb(WRONG), rgb(WHITE)), "rim": (rgb(WHITE), ring)}
    for part, (red, black) in looks.items():
        table[:, drawing.part(f"{place} {part}")] = np.where(there, np.where(wrong, red, black), ring)


def _colour_arrows(table, drawing: Drawing, shares: Float[np.ndarray, "T lanes"]) -> None:
    """Colour the nested arrows, in place: as many of them as the strength of the message asks for."""
    strength = np.minimum(np.abs(shares), 1.0)
    colours = diverging(np.sign(shares) * (PALEST + (1 - PALEST) * strength), 1.0)
    for level, least in enumerate(STRENGTHS):
        table[:, drawing.arrows(level)] = np.where((strength > least)[..., None], colours, 255)
