"""The distances of four sets of images from real zeros, at one scale of the kernel."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from ...experiments import judging as sets

SHOWN = 6
scores = lru_cache(maxsize=64)(sets.scores)


class State(NamedTuple):
    """Sets of images and their distances from the reference."""

    reference: Bool[np.ndarray, "shown h w"]
    images: Bool[np.ndarray, "sets*shown h w"]
    """SHOWN images of each set, in the order of `sets.NAMES`."""
    nearest: Int[np.ndarray, " sets*shown"]
    """Pixels in which each image differs from the reference image that is most like it."""
    sigmas: Float[np.ndarray, " sets"]
    """MMD^2 in standard deviations of a perfect sampler."""
    discrepancies: Float[np.ndarray, " sets"]
    """MMD^2."""
    deviations: Float[np.ndarray, " sets"]
    """The standard deviation of MMD^2 that a perfect sampler has."""
    scale: float
    """Of the kernel exp(-scale * H / D)."""
    name: str
    """Of the reference."""
    number: int
    """Images in each set; there may be fewer real ones."""
    real: int
    """Other real zeros, at most `number`."""
    seed: int

    def of(self, name: str) -> float:
        """Return the distance of a set."""
        return float(self.sigmas[sets.NAMES.index(name)])


def state(kernel_scale: float, samples: int, reference: str, seed: int) -> State:
    """Compare the sets with the reference."""
    place, rows = sets.SCALES.index(kernel_scale), scores(reference, samples, seed)
    images, real = sets.chosen(reference, samples, seed), sets.zeros()[reference].astype(bool)
    shown = np.concatenate([images[name][:SHOWN] for name in sets.NAMES]).astype(bool)
    found = [rows[name][place] for name in sets.NAMES]
    return State(
        real[:SHOWN],
        shown,
        (shown[:, None] != real).sum((-2, -1)).min(1),
        np.array([one.sigmas for one in found]),
        np.array([one.u for one in found]),
        np.array([one.null for one in found]),
        kernel_scale,
        reference,
        samples,
        len(images[sets.REAL]),
        seed,
    )


@lru_cache
def pairs() -> Int[np.ndarray, " counts"]:
    """Return how many pairs of real zeros of training differ in 0, 1, 2, ... pixels."""
    x = sets.zeros()["training"].reshape(len(sets.zeros()["training"]), -1)
    first, second = np.triu_indices(len(x), 1)
    return np.bincount((x[first] != x[second]).sum(1))
