"""The parts of a graph that an equation about the message from one variable to another speaks of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Int

from .graph import DENSITY, RING, Drawing

AWAY = 1.45 * RING  # of a letter from the middle of its node, in pixels of the page


class Parts(NamedTuple):
    """What can be lit in the picture of a graph, around one edge from i to j."""

    parts: dict[str, list[int]]
    """Name -> palette entries."""
    letters: dict[str, tuple[float, float]]
    """"i" and "j" -> place (x, y) in shares of the image, y downwards."""


def around(drawing: Drawing, edges: Int[np.ndarray, "edges 2"]) -> Parts:
    """Return the parts around the first variable with the most neighbours, i, and its first neighbour, j.

    "message" is the message from i to j, "reply" the one from j to i, "edge" both. "incoming" are all messages to i,
    "others" all of them except the reply, "messages" all messages. "noise", "belief" and "state" are those of i,
    "variable" all three of them. "cavity" is the belief of i with the messages of "others".
    """
    i = int(np.argmax(np.bincount(edges.ravel())))
    incoming = {int(edge[edge != i][0]): number for number, edge in enumerate(edges) if i in edge}
    j = next(iter(incoming))
    to_i = {k: drawing.arrow(number, bool(edges[number, 0] == i)) for k, number in incoming.items()}
    message = drawing.arrow(incoming[j], bool(edges[incoming[j], 1] == i))
    others = [entry for k, entries in to_i.items() if k != j for entry in entries]
    belief = drawing.node(i, "belief")
    parts = {
        "message": message,
        "reply": to_i[j],
        "edge": message + to_i[j],
        "incoming": others + to_i[j],
        "others": others,
        "messages": [entry for e in range(len(edges)) for back in (False, True) for entry in drawing.arrow(e, back)],
        "noise": drawing.node(i, "noise"),
        "belief": belief,
        "state": drawing.node(i, "state"),
        "variable": drawing.node(i, "belief", "noise", "state"),
        "cavity": belief + others,
    }
    return Parts(parts, {"i": _beside(drawing, i), "j": _beside(drawing, j)})


def _beside(drawing: Drawing, node: int) -> tuple[float, float]:
    """Return a place beside a node, to the upper right, in shares of the image."""
    height, width = drawing.image.shape
    y, x = np.argwhere(np.isin(drawing.image, drawing.node(node, "state"))).mean(0)
    away = AWAY * DENSITY * 0.5**0.5
    return round((x + away) / width, 4), round((y - away) / height, 4)
