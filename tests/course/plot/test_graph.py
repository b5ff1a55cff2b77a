"""Pictures of graphs: every sign has one meaning, layers can be left out, and colour-blind readers tell them apart."""

import numpy as np
import pytest

from course.plot.test_colours import EYES, lab
from pmp_kit.course import plot
from pmp_kit.course.plot import graph

PLACES, EDGES = np.array([[0.0, 0.5], [1.0, 0.5]]), np.array([[0, 1]])
DRAWING = graph.draw(PLACES, EDGES, 300, 100)
WHITE, LIMIT = [255, 255, 255], 3.0


def values(**changes) -> graph.Values:
    """One frame of two nodes: 1 and 0 are decoded, 0 and 0 are the truth."""
    first = graph.Values(
        forward=np.array([[3.0]]), backward=np.array([[-0.3]]), beliefs=np.array([[2.0, -2.0]]),
        noise=np.array([-1.0, 1.0]), states=np.array([[1, 0]]), truth=np.array([[0, 0]]),
    )  # fmt: skip
    return first._replace(**changes)


def colours(part: str, *layers: str, **changes) -> list:
    """The colours of a part of both nodes, if these layers are shown."""
    return graph.palettes(DRAWING, values(**changes), layers, LIMIT)[0, DRAWING.part(part)].tolist()


def picture(*layers: str, **changes) -> np.ndarray:
    return graph.palettes(DRAWING, values(**changes), layers, LIMIT)[0][DRAWING.image]


def test_each_sign_shows_its_value():
    assert colours("disk", "beliefs") == plot.diverging(np.array([2.0, -2.0]), LIMIT).tolist()
    assert colours("ring", "noise") == plot.diverging(np.array([-1.0, 1.0]), LIMIT).tolist()
    assert colours("square", "states") == [[0, 0, 0], WHITE]


def test_the_truth_is_a_tick_at_the_top_or_bottom_and_red_if_the_decoded_state_differs():
    red, black = plot.rgb(plot.WRONG).tolist(), [0, 0, 0]
    assert colours("bottom tick", "truth", "states") == [red, black]
    assert colours("bottom sides", "truth", "states") == [red, WHITE]  # a red tick is wider
    ring = colours("ring", "noise")
    assert colours("top tick", "truth", "noise") == ring
    flipped = colours("top tick", "truth", "noise", truth=np.array([[1, 1]]))
    assert flipped == [black, red]
    rows = np.nonzero((picture("truth", truth=np.array([[1, 1]])) == 0).all(-1))[0]
    assert rows.max() < 50 * graph.DENSITY  # above the middle of the node


@pytest.mark.parametrize(
    ("layer", "part"), [("states", "square"), ("noise", "ring"), ("beliefs", "disk"), ("truth", "bottom tick")]
)
def test_a_layer_that_is_not_shown_leaves_its_place_empty(layer, part):
    others = [name for name in graph.LAYERS if name not in (layer, "beliefs", "noise")]
    assert colours(part, *others) == [WHITE, WHITE]
    assert colours(part, *others, layer) != [WHITE, WHITE]


def test_arrows_are_wider_for_stronger_messages():
    ink = picture("messages")
    plain = picture()
    changed = (ink != plain).any(-1)
    purple = changed & (ink[..., 2] > ink[..., 0])  # forward: strong, for 1
    orange = changed & (ink[..., 0] > ink[..., 2])  # backward: weak, for 0
    middle = ink.shape[1] // 2
    assert purple[:, middle].sum() > 2 * orange[:, middle].sum() > 0
    assert not (picture("messages", forward=np.array([[0.0]]), backward=np.array([[0.0]])) != plain).any()
    assert np.nonzero(purple)[0].min() > np.nonzero(orange)[0].max()  # y goes down: to the right of the direction


def test_an_arrow_has_the_colour_of_its_message():
    """Of two edges with messages of different signs and strengths, in both directions."""
    drawing = graph.draw(np.array([[0.0, 0.5], [0.5, 0.5], [1.0, 0.5]]), np.array([[0, 1], [1, 2]]), 300, 100)
    none = np.zeros((1, 3), int)
    shares = {(0, False): 1.0, (1, False): -0.5, (0, True): -0.1, (1, True): 0.2}  # (edge, backward) -> of the limit
    forward, backward = np.reshape([*shares.values()], (2, 1, 2)) * LIMIT
    frame = graph.Values(forward, backward, beliefs=0.0 * none, noise=0.0 * none[0], states=none, truth=none)
    palette = graph.palettes(drawing, frame, ["messages"], LIMIT)[0]
    for arrow, share in shares.items():
        strong = np.sign(share) * (graph.PALEST + (1 - graph.PALEST) * abs(share))
        colour = plot.diverging(np.array(strong), 1.0).tolist()
        nested = [colour if abs(share) > least else WHITE for least in graph.STRENGTHS]
        assert palette[drawing.arrow(*arrow)].tolist() == nested, arrow


def test_large_graphs_have_two_bytes_for_an_entry():
    assert DRAWING.image.dtype == np.uint8
    many = np.stack([np.arange(20), np.arange(20) + 1], 1)
    places = np.stack([np.linspace(0, 1, 21), np.full(21, 0.5)], 1)
    long = graph.draw(places, many, 2400, 80)
    assert long.image.dtype == np.uint16
    assert set(np.unique(long.image)) == set(range(long.colours))


@pytest.mark.parametrize("eye", EYES)
def test_every_reader_tells_ticks_squares_and_strong_colours_apart(eye):
    """A red tick differs from a black one by width and lightness; both stand on white sides, whatever the ring is."""
    light = {name: lab(plot.rgb(colour), eye)[0] for name, colour in (("red", plot.WRONG), ("black", plot.TRUE))}
    assert light["black"] + 15 < light["red"] < 75  # white is 100
    assert graph.TICK["tick"] * 2 <= graph.TICK["sides"] < graph.TICK["rim"]
    palest = plot.diverging(np.array([-graph.PALEST, graph.PALEST]), 1.0)
    assert (lab(palest, eye)[:, 0] < 85).all()  # the palest arrows stand out from the paper
    assert np.linalg.norm(np.subtract(*lab(palest, eye))) > 20


def test_dashed_edges_have_gaps():
    solid, dashed = (graph.draw(PLACES, EDGES, 300, 100, numbers).image for numbers in ((), (0,)))
    gone = (solid == graph.EDGE) & (dashed != graph.EDGE)
    assert (solid != dashed).sum() == gone.sum() > 0
    borders = graph.draw(PLACES, np.zeros((0, 2), int), 300, 100).image == graph.EDGE
    assert 0.3 < gone.sum() / ((solid == graph.EDGE).sum() - borders.sum()) < 0.7
