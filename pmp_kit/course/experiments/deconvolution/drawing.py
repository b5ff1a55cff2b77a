"""Images drawn with features at locations, in NumPy (Section 5.6): generation, scores, and the polishing stage.

Images (N, H, W) hold 0, 1 or FREE; features W (F, fh, fw); locations S (N, F, h, w), h = H - fh + 1.
"""

import itertools
from typing import NamedTuple

import numpy as np

from .... import FREE

SHAPES = (
    "#####   ..#..   ..#..   ..#..",
    "#...#   ..#..   .#.#.   .#.#.",
    "#...#   #####   .#.#.   #...#",
    "#...#   ..#..   #...#   .#.#.",
    "#####   ..#..   #####   ..#..",
)
WINDOW = (6, 6)
"""Height and width of a learned feature. The true shapes are 5 x 5."""
LOCATION, PIXEL = float(np.log(99.0)), float(np.log(3.0))
"""Energy of a location and of a feature pixel, in nats: minus their prior log-odds (probabilities 0.01 and 0.25)."""


def shapes() -> np.ndarray:
    """Return the four true shapes, (4, 5, 5) bool: a square, a plus, a bell and a diamond."""
    rows = [row.split() for row in SHAPES]
    return np.array([[[c == "#" for c in row[k]] for row in rows] for k in range(4)])


def draw(w, s) -> np.ndarray:
    """Return the OR of all features at all their locations, (N, H, W) bool."""
    w, s = np.asarray(w) > 0, np.asarray(s) > 0
    n, _, h, width = s.shape
    out = np.zeros((n, h + w.shape[1] - 1, width + w.shape[2] - 1), bool)
    for dy, dx in np.ndindex(w.shape[1:]):
        out[:, dy : dy + h, dx : dx + width] |= s[:, w[:, dy, dx]].any(1)
    return out


def images(number: int, seed: int, size: int = 14, rate: float = 0.01) -> np.ndarray:
    """Generate images like those of the paper.

    Each of the four shapes is at each location with probability `rate`. Each image has at least three shapes.
    """
    random, kept, places = np.random.default_rng(seed), [], size - 4
    while len(kept) < number:
        s = random.random((4, places, places)) < rate
        if s.sum() > 2:
            kept.append(s)
    return draw(shapes(), np.array(kept)).astype(np.int32)


def wrong(images, drawn) -> np.ndarray:
    """Return a mask of the observed pixels that differ from the drawing."""
    return (images != drawn) & (images != FREE)


class Score(NamedTuple):
    """Scores of a reconstruction. Shares are from 0 to 1."""

    pixels: float
    """Share of the observed pixels that are correct."""
    ink: float
    """Share of the black pixels that are drawn."""
    exact: float
    """Share of the images without a wrong pixel."""
    recovered: int
    """Number of true shapes that equal a feature up to a shift."""
    locations: float
    """Mean number of entries of S that are on, per image."""


def score(images, w, s, truth=None) -> Score:
    """Compare the images with the drawing of the features, and the features with the true shapes."""
    drawn, seen = draw(w, s), images != FREE
    bad = wrong(images, drawn)
    ink = images == 1
    found = sum(any(same_shape(f, shape) for f in w) for shape in (shapes() if truth is None else truth))
    right = 1 - bad.sum() / seen.sum()
    return Score(
        right, drawn[ink].mean() if ink.any() else 1.0, 1 - bad.any((1, 2)).mean(), found, np.sum(s) / len(images)
    )


def same_shape(a, b) -> bool:
    """Return True if two features are equal up to a shift."""
    return np.array_equal(trimmed(a), trimmed(b))


def trimmed(feature) -> np.ndarray:
    """Return a feature without the empty rows and columns at its edges."""
    on = np.asarray(feature) > 0
    rows, columns = np.flatnonzero(on.any(1)), np.flatnonzero(on.any(0))
    return on[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] if rows.size else on[:0, :0]


def shifts(feature, window=WINDOW) -> list[np.ndarray]:
    """Return the feature at every offset at which it fits into the window."""
    shape = trimmed(feature)
    rooms = [range(room - side + 1) for room, side in zip(window, shape.shape, strict=True)]
    placed = []
    for dy, dx in itertools.product(*rooms):
        placed.append(np.zeros(window, bool))
        placed[-1][dy : dy + shape.shape[0], dx : dx + shape.shape[1]] = shape
    return placed


def fits(images, feature) -> np.ndarray:
    """Return a mask of the locations at which a feature covers no white pixel, (N, h, w). An empty feature has none."""
    feature = np.asarray(feature) > 0
    h, w = images.shape[1] - feature.shape[0] + 1, images.shape[2] - feature.shape[1] + 1
    fit = np.full((len(images), h, w), bool(feature.any()))
    for dy, dx in zip(*np.nonzero(feature), strict=True):
        fit &= images[:, dy : dy + h, dx : dx + w] != 0
    return fit


def reach(images, feature) -> np.ndarray:
    """Return a mask of the pixels that a feature can cover without covering a white pixel, (N, H, W)."""
    return draw(np.asarray(feature)[None], fits(images, feature)[:, None])


def ceiling(images, window=WINDOW, spare: bool = True, truth=None) -> dict:
    """Return the largest shares of exact images and correct pixels if each feature is a shape at one offset.

    The function enumerates the offsets of all shapes, and every shape and offset for the spare feature. An image can be
    drawn exactly if the features at all fitting locations cover its ink, because an OR allows overlaps.
    """
    covers = [[reach(images, f) for f in shifts(shape, window)] for shape in (shapes() if truth is None else truth)]
    extras = [cover for options in covers for cover in options] if spare else [np.zeros_like(images, bool)]
    most = {"exact": 0.0, "pixels": 0.0}
    for choice in itertools.product(*covers):
        four = np.logical_or.reduce(choice)
        for extra in extras:
            bad = wrong(images, four | extra)
            most["exact"] = max(most["exact"], 1 - bad.any((1, 2)).mean())
            most["pixels"] = max(most["pixels"], 1 - bad.sum() / (images != FREE).sum())
    return most


def polish(images, w, move: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Improve features by local search, and cover the ink with them.

    A move shifts a feature in its window, or replaces the least used feature by another one at a new offset. A move is
    accepted if it increases the covered ink. Then `cover` computes the locations greedily.

    Args:
        images: (N, H, W).
        w: features (F, fh, fw) bool.
        move: if False, the features do not change.
    Returns: features and locations.
    """
    w = np.array(w, bool)
    covers = [reach(images, f) for f in w]
    better = move
    while better:
        better = False
        for k, candidate in _moves(w, covers):
            rest = np.logical_or.reduce([cover for j, cover in enumerate(covers) if j != k])
            new = reach(images, candidate)
            if _gain(images, rest | new) > _gain(images, rest | covers[k]):
                w[k], covers[k], better = candidate, new, True
    return w, cover(images, w)


def _gain(images, covered) -> float:
    return float((covered & (images == 1)).sum())


def _moves(w, covers):
    """Yield the candidate moves: the index of a feature, and its replacement."""
    own = [np.sum(c & ~np.logical_or.reduce([d for j, d in enumerate(covers) if j != k])) for k, c in enumerate(covers)]
    spare = int(np.argmin(own))
    for k in range(len(w)):
        yield from ((k, f) for f in shifts(w[k], w.shape[1:]) if w[k].any())
        if k != spare:
            yield from ((spare, f) for f in shifts(w[k], w.shape[1:]) if w[k].any())


def cover(images, w) -> np.ndarray:
    """Return locations that cover all ink that can be covered.

    The algorithm is greedy: each step adds, in each image, the location that covers the most new ink.
    """
    fit = np.stack([fits(images, f) for f in w], 1)
    s, left = np.zeros_like(fit), images == 1
    shape = fit.shape[1:]
    while True:
        fresh = np.zeros(fit.shape, np.int32)
        for f, dy, dx in zip(*np.nonzero(w), strict=True):
            fresh[:, f] += left[:, dy : dy + shape[1], dx : dx + shape[2]]
        fresh = (fresh * fit).reshape(len(images), -1)
        best = fresh.argmax(1)
        going = np.flatnonzero(fresh.max(1) > 0)
        if not going.size:
            return s
        s.reshape(len(images), -1)[going, best[going]] = True
        left = left & ~draw(w, s)
