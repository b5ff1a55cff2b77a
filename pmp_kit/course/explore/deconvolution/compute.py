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
    drawn: Bool[np.ndarray, "rows images H W"]
    """Ink that features and locations draw."""
    right: Float[np.ndarray, " rows"]
    """Share of the pixels of the given images that are right."""
    recovered: int
    """Number of true shapes that are a feature in the end."""
    spare: int
    """Pixels of ink in features that are no true shape, in the end."""
    locations: int
    """Number of entries of S that are on in the end, in the given images."""
    seed: int
    row: int
    """The row that is shown first."""


@functools.cache
def tables() -> tuple[dict, dict, tuple]:
    """Load the kept runs: the row of each setting, the arrays, and the problem (W, S, X)."""
    return {key: row for row, key in enumerate(traces.settings())}, traces.load(), traces.problem()


def state(images: int, prior: str, observed: str, sweeps: int, seed: int) -> State:
    """Look up a run and compare it with the truth."""
    rows, table, (true, _, x) = tables()
    row = rows[images, prior, observed, seed]
    beliefs = table["w"][row]
    drawn = np.unpackbits(table["drawn"][row], axis=-1, count=x.size).reshape(-1, *x.shape) > 0
    right = (drawn == x)[:, :images].mean((1, 2, 3))
    same = np.array([[drawing.same_shape(f, t) for t in true[:3]] for f in beliefs[-1] >= 0])
    spare = int((beliefs[-1] >= 0)[~same.any(1)].sum())
    found, count = int(same.any(0).sum()), int(table["locations"][row])
    return State(images, x, beliefs / 127.0, drawn, right, found, spare, count, seed, sweeps // traces.EVERY)
