"""Sweeps of a small blind deconvolution for the explorer of page 11.

`python -m pmp_kit.course.experiments.deconvolution.traces` computes them and writes pmp_kit/course/data.
The data are sixteen images of 10 x 10 pixels, generated from three shapes. The model has four features of 4 x 4 pixels.
The file has a trace for each combination of the settings.
"""

import itertools

import jax
import numpy as np

from .... import FREE, PMP, Alternating, Gumbel, trace
from ....samplers import observe
from ... import data
from . import drawing, infer

SHAPES = ["####.##.#...", "#..######...", "#..#.##.#...", "####.##.####"]
PLACES, FEATURES, WINDOW = 7, 4, 4
IMAGES, RATES, OBSERVED, SEEDS = (1, 4, 16), (0.01, 0.05), ("X only", "X and W", "X and S"), (40, 41, 42, 43)
MANY = "0.01, 16 times"
PRIORS = (*(str(rate) for rate in RATES), MANY)
SWEEPS, EVERY, LIMIT = 80, 4, 20.0
FILE = data.FOLDER / "deconvolution_traces.npz"


def problem() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return bool arrays: features (4, 4, 4), the last one empty; locations (16, 4, 7, 7); images (16, 10, 10)."""
    shapes = np.array([[[c == "#" for c in row[4 * k : 4 * k + 4]] for row in SHAPES] for k in range(3)])
    w = np.concatenate([shapes, np.zeros((1, WINDOW, WINDOW), bool)])
    random, s = np.random.default_rng(6), np.zeros((max(IMAGES), FEATURES, PLACES, PLACES), bool)
    for image in s:
        for k in random.permutation(np.r_[0:3, random.integers(0, 3, 1)]):
            image[k, random.integers(PLACES), random.integers(PLACES)] = True
    return w, s, drawing.draw(w, s)


def evidence(observed: str, w: np.ndarray, s: np.ndarray) -> dict[str, np.ndarray]:
    """Return what is observed beside the images: all features, all locations or nothing, by the name of the block."""
    return {"X and W": {"W": w.astype(int)}, "X and S": {"S": s.astype(int)}}.get(observed, {})


def follow(images: int, prior: str, observed: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the beliefs of W, (T, 4, 4, 4) in nats, and decoded locations, (T, 16, 4, 7, 7) bool.

    Only the first `images` images are observed.
    """
    w, s, x = problem()
    given = np.where(np.arange(len(x))[:, None, None] < images, x.astype(int), FREE)
    rate = 0.01 if prior == MANY else float(prior)
    rates = {"feature_rate": 0.25, "location_rate": rate}
    graph = infer.model(given, FEATURES, (WINDOW, WINDOW), rates=rates)
    graph = infer.perturbed(jax.random.key(seed), graph, WINDOW**2 if prior == MANY else 1.0)
    silent = PMP(0.8, keep_best=False, tolerance=0.0, schedule=Alternating(), noise=Gumbel(0.0))
    settings = {"num_sweeps": SWEEPS, "every": EVERY, "observe": observe.beliefs, "evidence": evidence(observed, w, s)}
    beliefs = trace(jax.random.key(0), graph, silent, **settings).values
    return beliefs["W"][:, 0], beliefs["S"][:, 0] >= 0


def settings():
    """Return all combinations of the settings, in the order of the file."""
    return list(itertools.product(IMAGES, PRIORS, OBSERVED, SEEDS))


def main() -> None:
    """Run all combinations and write the file."""
    beliefs, locations = [], []
    for images, prior, observed, seed in settings():
        w, s = follow(images, prior, observed, seed)
        beliefs.append((np.clip(w / LIMIT, -1, 1) * 127).astype(np.int8))
        locations.append(np.packbits(s.reshape(len(s), -1), axis=-1))
    data.write(FILE, {"w": beliefs, "s": locations})


def load() -> dict[str, np.ndarray]:
    """Read the stored traces, with a row for each combination of the settings.

    Returns: "w", beliefs (R, T, 4, 4, 4) int8, 127 for LIMIT nats or more; "s", packed locations (R, T, bytes), which
        `locations` unpacks.
    """
    return data.read(FILE, ("w", "s"))[0]


def locations(packed: np.ndarray) -> np.ndarray:
    """Return the decoded locations of one row of "s", (T, 16, 4, 7, 7) bool."""
    shape = max(IMAGES), FEATURES, PLACES, PLACES
    return np.unpackbits(packed, axis=-1, count=int(np.prod(shape))).reshape(-1, *shape) > 0


if __name__ == "__main__":
    main()
