"""Kept runs of PMP on a small blind deconvolution, compared with the truth (Section 5.6)."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from ...experiments.deconvolution import drawing, traces


class State(NamedTuple):
    """One run, with a row for every fourth sweep."""

    given: int
    """Number of images that were given."""
    images: Bool[np.ndarray, "images H W"]
    """Ink of all images."""
    beliefs: Float[np.ndarray, "rows features h w"]
    """Of the features' pixels, in units of `traces.LIMIT` nats, from -1 to 1."""
    covered: Bool[np.ndarray, "rows images features H W"]
    """Ink that each feature draws at its locations."""
    kinds: tuple[tuple[str, ...], ...]
    """What each feature is, in every row; see `kinds`."""
    right: Float[np.ndarray, " rows"]
    """Share of the pixels of the given images that are right."""
    recovered: int
    """Number of true shapes that are a feature in the end."""
    locations: int
    """Number of entries of S that are on in the end, in the given images."""
    seed: int
    row: int
    """The row that is shown first."""

    @property
    def drawn(self) -> Bool[np.ndarray, "rows images H W"]:
        """Ink that all features draw."""
        return np.asarray(self.covered.any(2))


@functools.cache
def tables() -> tuple[dict, dict, tuple]:
    """Load the kept runs: the row of each setting, the arrays, and the problem (W, S, X)."""
    return {key: row for row, key in enumerate(traces.settings())}, traces.load(), traces.problem()


def state(images: int, prior: str, observed: str, sweeps: int, seed: int) -> State:
    """Look up a run and compare it with the truth."""
    rows, table, (true, _, x) = tables()
    row = rows[images, prior, observed, seed]
    beliefs, s = table["w"][row], traces.locations(table["s"][row])
    covered = cover(beliefs >= 0, s)
    right = (covered.any(2) == x)[:, :images].mean((1, 2, 3))
    same = np.array([[drawing.same_shape(f, t) for t in true[:3]] for f in beliefs[-1] >= 0])
    found, count = int(same.any(0).sum()), int(s[-1, :images].sum())
    named, row = tuple(kinds(f >= 0, true[:3]) for f in beliefs), sweeps // traces.EVERY
    return State(images, x, beliefs / 127.0, covered, named, right, found, count, seed, row)


def cover(
    w: Bool[np.ndarray, "rows features h w"], s: Bool[np.ndarray, "rows images features places places"]
) -> Bool[np.ndarray, "rows images features H W"]:
    """Return the ink that each feature draws at its locations."""
    side = s.shape[-1]
    covered = np.zeros((*s.shape[:3], side + w.shape[2] - 1, side + w.shape[3] - 1), bool)
    for dy, dx in np.ndindex(w.shape[2:]):
        covered[..., dy : dy + side, dx : dx + side] |= s & w[:, None, :, dy, dx, None, None]
    return covered


def kinds(features: Bool[np.ndarray, "features h w"], true: Bool[np.ndarray, "shapes h w"]) -> tuple[str, ...]:
    """Name features: "empty", "copy of 2" (equal to an earlier one up to a shift), "true shape" or "no shape"."""
    names, outlines, shapes = [], [drawing.trimmed(one) for one in features], [drawing.trimmed(one) for one in true]
    for k, feature in enumerate(outlines):
        earlier = (j + 1 for j in range(k) if np.array_equal(outlines[j], feature))
        if not feature.size:
            names.append("empty")
        elif first := next(earlier, None):
            names.append(f"copy of {first}")
        else:
            names.append("true shape" if any(np.array_equal(feature, one) for one in shapes) else "no shape")
    return tuple(names)
