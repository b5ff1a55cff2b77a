"""Exercise of notebook 10: find the redundant feature."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..experiments.deconvolution import drawing
from .verdict import Verdict, right, wrong

PLACES = 9


def check_spare_feature(spare: Callable) -> Verdict:
    """Check a function that finds the feature whose removal changes the fewest pixels.

    Args:
        spare: spare(w, s) for features w (F, h, w) and locations s (N, F, h, w), both of 0 and 1, -> its index.

    Returns:
        The verdict. It names the kind of redundant feature on which the function fails.
    """
    if not callable(spare):
        return wrong(f"expected a function, got {type(spare).__name__}: write def ...: and pass its name.")
    for words, w, s, expected in _cases():
        try:
            given = spare(w.copy(), s.copy())
        except Exception as error:
            return wrong(f"{type(error).__name__}: {error}")
        if given is None:
            return wrong("the function returns nothing yet.")
        if np.ndim(given) != 0 or not 0 <= int(given) < len(w):
            return wrong(f"expected the index of a feature, 0 to {len(w) - 1}, got {given!r}.")
        if int(given) != expected:
            return wrong(f"{words} It is feature {expected}, you say {int(given)}.")
    return right("it finds the spare whether it is empty, never used, a copy or a fragment.")


def _cases():
    """The description, the features, the locations and the redundant feature of each test case."""
    random = np.random.default_rng(0)
    base = np.zeros((12, 5, PLACES, PLACES), int)
    for image in base:
        for k in (0, 1, 3, 4):
            image[k, random.integers(PLACES), random.integers(PLACES)] = 1
    order = np.array([0, 1, 1, 2, 3])
    many, few = base.copy(), base.copy()
    many[:, 2] = random.random(many[:, 2].shape) < 0.05
    yield _case("An EMPTY feature may have many locations: they cost little and draw nothing.", order, many, 0)
    yield _case("A feature that is NEVER USED may have many pixels.", order, base, 1)
    few[:, 2], few[:, 0, 0, 0] = base[:, 0], 1
    yield _case("A COPY of another's work draws plenty, but nothing that would be missed.", order, few, 2)
    few = base.copy()
    few[:, 2] = base[:, 1]
    few[0, 2, 4, 4] = 1
    yield _case("A FRAGMENT draws a little that no other feature draws.", order, few, 3)


def _case(words: str, order, s, kind: int):
    shapes = np.pad(drawing.shapes(), ((0, 0), (0, 1), (0, 1)))[order].astype(int)
    if kind == 0:
        shapes[2] = 0
    elif kind == 1:
        shapes[2] = 1
    elif kind == 2:
        shapes[2] = shapes[0]
    else:
        shapes[2, 3:] = 0
    return words, shapes, s, 2
