"""Exercise of page 11: find the redundant feature."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..experiments.deconvolution import drawing
from .grids import Tiles
from .verdict import Verdict, as_array, right, run, wrong

PLACES = 9


def check_redundant_feature(spare: Callable) -> Verdict:
    """Check a function that finds the feature whose removal changes the fewest pixels.

    Args:
        spare: spare(w, s) for features w (F, h, w) and locations s (N, F, h, w), both of 0 and 1, -> its index.

    Returns:
        The verdict. It names the kind of redundant feature on which the function fails.
    """
    if not callable(spare):
        return run(spare)
    picture = None
    for words, w, s, expected in _cases():
        value, size = as_array(run(spare, w, s)), f"The input was: {len(w)} features and {len(s)} images."
        if isinstance(value, Verdict):
            return wrong(f"{value.message} {size}")
        if value.shape != () or value not in range(len(w)):
            found = f"shape {value.shape}" if value.shape else f"{value:g}"
            return wrong(f"The check expected the index of a feature, 0 to {len(w) - 1}, and got {found}. {size}")
        picture = _picture(w, int(value), expected)
        if value != expected:
            return wrong(
                f"{words} The redundant feature is {expected} (counted from 0), and the function returned {value:g}.",
                picture,
            )
    return right("The function finds a redundant feature that is empty, never used, a copy or a fragment.", picture)


def _picture(w: np.ndarray, given: int, expected: int) -> Tiles:
    """Draw the features, with a frame around the reader's one and around the right one."""
    places = np.arange(len(w))
    differs, chosen = (places == given) & (given != expected), places == expected
    title = f"You chose feature {given}. The right one is {expected}, with a black frame. Features are counted from 0."
    return Tiles(w[:, :5, :5], w[:, :5, :5], differs, title, chosen=chosen)


def _cases():
    """The description, the features, the locations and the redundant feature of each test case."""
    random = np.random.default_rng(0)
    base = np.zeros((12, 5, PLACES, PLACES), int)
    for image in base:
        for k in (0, 1, 3, 4):
            image[k, random.integers(PLACES), random.integers(PLACES)] = 1
    shapes = np.pad(drawing.shapes(), ((0, 0), (0, 1), (0, 1)))[[0, 1, 1, 2, 3]].astype(int)
    empty, unused, copy, fragment = (shapes.copy() for _ in range(4))
    empty[2], unused[2], copy[2], fragment[2], fragment[2, 0, 0] = 0, 1, shapes[0], 0, 1
    many, twice, few = (base.copy() for _ in range(3))
    many[:, 2] = random.random(many[:, 2].shape) < 0.05
    twice[:, 2], twice[:, 0, 0, 0] = base[:, 0], 1
    few[:, 4], few[:, 2, 8, 0] = 0, 1
    few[:2, 4, 1, :8:2] = 1
    cases = (
        ("An empty feature draws nothing, even at many locations.", empty, many),
        ("A feature that is never used draws nothing, even with many pixels.", unused, base),
        ("Count pixels, not images. A fragment draws few pixels, even if it is in every image.", fragment, few),
        ("A copy of another feature draws many pixels, but the other feature draws them too.", copy, twice),
    )
    for turn, (words, w, s) in enumerate(cases):  # each case has it at another index, so that a constant is wrong
        yield words, np.roll(w, turn, 0), np.roll(s, turn, 1), (2 + turn) % len(w)
