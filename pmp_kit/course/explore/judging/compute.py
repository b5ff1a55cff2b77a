"""The distances of four sets of images from real zeros, at one scale of the kernel."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from ...experiments.judging import sets

SHOWN = 6
scores = lru_cache(maxsize=64)(sets.scores)


class State(NamedTuple):
    """Sets of images and their distances from the reference."""

    reference: Int[np.ndarray, "shown h w"]
    images: Int[np.ndarray, "sets shown h w"]
    sigmas: Float[np.ndarray, " sets"]
    """MMD^2 in standard deviations of a perfect sampler, in the order of `sets.NAMES`."""
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
    images = sets.chosen(reference, samples, seed)
    return State(
        sets.zeros()[reference][:SHOWN],
        np.stack([images[name][:SHOWN] for name in sets.NAMES]),
        np.array([rows[name][place].sigmas for name in sets.NAMES]),
        kernel_scale,
        reference,
        samples,
        len(images[sets.REAL]),
        seed,
    )


@lru_cache
def distances() -> Float[np.ndarray, " pairs"]:
    """Return the share of pixels that differ, for every pair of real zeros of training."""
    x = sets.zeros()["training"].reshape(len(sets.zeros()["training"]), -1)
    first, second = np.triu_indices(len(x), 1)
    return (x[first] != x[second]).mean(1)
