"""Page 07: sets of zeros that a measure of sample quality should tell apart, and their distances by MMD^2.

The sets are real zeros, samples of a trained model, independent pixels, and a few zeros repeated.
"""

from __future__ import annotations

from functools import cache

import jax
import numpy as np

from ...measures import mmd as metrics
from .zeros import learn, trained

REAL, PMP, PIXELS, REPEATED = "other real zeros", "PMP", "independent pixels", "8 zeros, repeated"
NAMES = (REAL, PMP, PIXELS, REPEATED)
REFERENCES = ("held out", "training")
"""What the sets are compared with. The set `REAL` is the other of the two."""
SCALES = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
NUMBERS = (25, 50, 100, 200)
SWEEPS, REPEATS, POOL = 50, 8, 1000


@cache
def zeros() -> dict[str, np.ndarray]:
    """Return outlines of scikit-learn's zeros, (N, 10, 10): 60 that are held out, and 118 that models learned from."""
    training, held_out, _ = learn.outlines(learn.SIZES["small"])
    return {"held out": held_out, "training": training}


@cache
def drawn() -> dict[str, np.ndarray]:
    """Draw `POOL` samples of a model that PMP has learned, and as many images of independent pixels."""
    training, key = zeros()["training"], jax.random.key(0)
    return {
        PMP: learn.draw(key, trained.load("small", "PMP"), "PMP", POOL, SWEEPS)[0],
        PIXELS: metrics.independent_pixels(key, training, POOL),
    }


def chosen(reference: str, number: int, seed: int) -> dict[str, np.ndarray]:
    """Return name -> images, at most `number` of each. The seed determines which ones."""
    other, draw = zeros()[REFERENCES[1 - REFERENCES.index(reference)]], np.random.default_rng(seed)
    few = draw.permutation(zeros()["training"])[:REPEATS]
    sets = {REAL: other} | drawn()
    some = {name: draw.permutation(images)[:number] for name, images in sets.items()}
    return some | {REPEATED: few[np.resize(np.arange(REPEATS), number)]}


def scores(reference: str, number: int, seed: int) -> dict[str, list[metrics.Discrepancy]]:
    """Return name -> MMD^2 of the set to the reference, for each of `SCALES`."""
    sets = chosen(reference, number, seed)
    return {name: metrics.mmd_panel(images, zeros()[reference], scales=SCALES) for name, images in sets.items()}


@cache
def fresh(times: int = 40) -> dict[str, np.ndarray]:
    """Draw new sets of 200 samples again and again, independently of `drawn`.

    Returns:
        `PMP` and `PIXELS` -> MMD^2 to the held-out zeros in standard deviations of a perfect sampler, (times, SCALES).
    """
    training, held_out = zeros()["training"], zeros()["held out"]
    model, number, found = trained.load("small", "PMP"), NUMBERS[-1], {PMP: [], PIXELS: []}
    for key in jax.random.split(jax.random.key(1), times):
        images = {
            PMP: learn.draw(key, model, "PMP", number, SWEEPS)[0],
            PIXELS: metrics.independent_pixels(key, training, number),
        }
        for name, x in images.items():
            found[name].append([row.sigmas for row in metrics.mmd_panel(x, held_out, scales=SCALES)])
    return {name: np.array(values) for name, values in found.items()}


def splits(scale: float, times: int, seed: int) -> tuple[np.ndarray, float]:
    """Split all real zeros at random, as a perfect sampler would give them.

    Returns:
        MMD^2 (U-statistic) between the two parts for each split, (times,); and their mean estimated standard deviation.
    """
    held_out, training = zeros().values()
    both, draw = np.concatenate([held_out, training]), np.random.default_rng(seed)
    found = []
    for _ in range(times):
        mixed = draw.permutation(both)
        found += metrics.mmd_panel(mixed[len(held_out) :], mixed[: len(held_out)], scales=scale)
    return np.array([one.u for one in found]), float(np.mean([one.null for one in found]))
