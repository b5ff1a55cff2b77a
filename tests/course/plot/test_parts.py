"""The parts of a graph that an equation lights up are where the equation says: found by their place in the picture."""

import numpy as np
import pytest

from pmp_kit.course.explore.messages.topologies import TOPOLOGIES
from pmp_kit.course.plot import graph, parts

WIDTH, HEIGHT = 400, 300


def middle(drawing, entries) -> np.ndarray:
    """The mean place (x, y) of some entries, in pixels of the page."""
    y, x = np.nonzero(np.isin(drawing.image, entries))
    return np.array([x.mean(), y.mean()]) / graph.DENSITY


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_parts_are_where_they_should_be(topology):
    places, edges = TOPOLOGIES[topology]
    drawing = graph.draw(places, edges, WIDTH, HEIGHT)
    found, letters = parts.around(drawing, edges)
    at = places * [WIDTH - 2 * graph.RING - 4, HEIGHT - 2 * graph.RING - 4] + graph.RING + 2
    degrees = np.bincount(edges.ravel())
    i = int(degrees.argmax())
    neighbours = [int(edge[edge != i][0]) for edge in edges if i in edge]
    j = neighbours[0]

    for name in ("belief", "noise", "state", "variable"):
        assert np.hypot(*(middle(drawing, found[name]) - at[i])) < 1.5, name
    assert len(found["incoming"]) == len(found["others"]) + len(found["reply"])
    assert set(found["edge"]) == set(found["message"]) | set(found["reply"])
    assert len(found["messages"]) == 2 * len(edges) * len(found["message"])
    assert set(found["cavity"]) == set(found["belief"]) | set(found["others"])
    for name, ends in (("message", [(i, j)]), ("reply", [(j, i)]), ("others", [(k, i) for k in neighbours[1:]])):
        for start, end in ends:  # an arrow lies to the right of the line from its start to its end
            along = (at[end] - at[start]) / np.hypot(*(at[end] - at[start]))
            beside = graph.GAP * np.array([-along[1], along[0]])
            there = at[start] + 0.4 * (at[end] - at[start]) + beside  # edges cross in the middle
            x, y = np.round(there * graph.DENSITY).astype(int)
            assert drawing.image[y, x] in found[name], (name, start, end)
    for letter, node in (("i", i), ("j", j)):
        away = np.array(letters[letter]) * [WIDTH, HEIGHT] - at[node]
        assert away[0] > 0 > away[1]
        assert graph.RING < np.hypot(*away) < 2 * graph.RING
