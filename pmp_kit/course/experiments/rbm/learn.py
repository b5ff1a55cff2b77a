"""Section 5.5 and B.2 to B.4: learning RBMs with PMP and with block Gibbs, and evaluating their samples.

The methods differ only in the sampler of the negative phase. The positive phase is exact because the hidden variables
are independent given the pixels. Every fifth image of each digit is held out of training.
"""

import re
import time
from functools import cache

import jax
import numpy as np

from ....learning.fit import fit
from ....measures import mmd as metrics
from ....models import RBM, rbm
from ....sample import sample
from ....samplers import PMP, AbstractSampler, Gibbs, PerturbAndMAP
from ....solvers import Alternating, CoordinateAscent, LinearProgram
from ... import datasets

METHODS = ("PMP", "Gibbs-reset", "PCD-1", "PCD-1 constant", "PCD-100")
WEIGHTS = {method: "mnist_rbm_" + re.sub("[- ]", "_", method.lower()) for method in METHODS}
KEEP = 5  # every fifth image of each digit is held out
STORED = "small mnist"  # the training data of the pretrained weights
COORDINATE_ASCENT = "coordinate ascent"  # the method of Appendix B.4


@cache
def split(data: str, only: int | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return training images and their labels, and held-out images and their labels.

    Args:
        data: "digits" (8 x 8, from scikit-learn), "mnist" (28 x 28, the 10,000 test images), or "small mnist" (the
            same images at 14 x 14 by `halved`).
        only: a single digit to keep, or None for all.
    """
    if data not in ("digits", "mnist", STORED):
        raise ValueError(f"data: expected 'digits', 'mnist' or {STORED!r}, got {data!r}; load others here")
    load = datasets.digits if data == "digits" else lambda only: datasets.mnist("test", only)
    digits = range(10) if only is None else [only]
    images = [load(only=digit)["v"] for digit in digits]
    labels = np.concatenate([np.full(len(x), digit) for digit, x in zip(digits, images, strict=True)])
    held_out = np.concatenate([np.arange(len(x)) % KEEP == 0 for x in images])
    images = np.concatenate(images)
    images = halved(images) if data == STORED else images
    return images[~held_out], labels[~held_out], images[held_out], labels[held_out]


def halved(images: np.ndarray) -> np.ndarray:
    """Halve the resolution: a pixel is on if at least two of its four original pixels are on."""
    number, height, width = images.shape
    return (images.reshape(number, height // 2, 2, width // 2, 2).sum((2, 4)) >= 2).astype(np.int32)


def sampler(method: str, tolerance: float = 0.0) -> AbstractSampler:
    """Return the sampler of a method.

    PMP returns the last decoded state, and alternates between the two layers. The Gibbs methods use block Gibbs.

    Args:
        tolerance: convergence tolerance of PMP, in nats. The convergence check takes a fifth of the run time.
    """
    if method == "PMP":
        return PMP(keep_best=False, tolerance=tolerance, schedule=Alternating())
    if method == "LP":
        return PerturbAndMAP(LinearProgram())
    if method == COORDINATE_ASCENT:
        return PerturbAndMAP(CoordinateAscent())
    return Gibbs(blocks=("h", "v"))


def start(key, images: np.ndarray, hidden: int) -> RBM:
    """Return the initial RBM: visible biases at the log-odds of the pixel means, and weights near zero."""
    mean = np.clip(images.mean(0), 0.005, 0.995)
    model = rbm(key, images.shape[1:], hidden)
    return RBM(model.weight, np.log(mean / (1 - mean)).ravel(), model.hidden_bias, model.visible)


def learn(key, images: np.ndarray, method: str, hidden: int, **options):
    """Run `fit` from `start`, and return its `FitResult`. Only the PCD methods have persistent chains.

    Args:
        options: options of `fit`.
    """
    first, key = jax.random.split(key)
    model = start(first, images, hidden)
    persistent = method.startswith("PCD")
    return fit(key, model, {"v": images}, sampler(method), positive="exact", persistent=persistent, **options)


def draw(key, model: RBM, draws: AbstractSampler, sweeps: list[int], number: int):
    """Yield samples (number, height, width) after each number of sweeps. Chains continue; PMP restarts each time."""
    chains, done = None, 0
    for total in sweeps:
        samples = sample(key, model, draws, num_samples=number, num_sweeps=total - done, previous=chains)
        if samples.chains is not None:
            key, chains, done = jax.random.fold_in(key, total), samples.chains, total
        yield samples["v"]


def judge(images: np.ndarray, data: str, only: int | None = None) -> dict:
    """Compare samples with held-out images, and also with training images in the authors' metric.

    Returns: "u" and "null" (scales,) of `mmd_panel`; "log v", the log of the V-statistic at scale 1 against the same
        number of held-out images; "authors", the same against training images. If there are fewer images, all are used.
    """
    train, _, held_out, _ = split(data, only)
    rows = metrics.mmd_panel(images, held_out)
    v, authors = (metrics.mmd(images, mixed(x)[: len(images)], statistic="v") for x in (held_out, train))
    return {
        "u": [row.u for row in rows],
        "null": [row.null for row in rows],
        "log v": np.log(v),
        "authors": np.log(authors),
    }


def mixed(images: np.ndarray) -> np.ndarray:
    """Return the images in a fixed random order, which mixes the digits."""
    return np.random.default_rng(0).permutation(images)


@cache
def classifier(data: str):
    """Return a classifier (the three nearest training images) and its accuracy on held-out images."""
    from sklearn.neighbors import KNeighborsClassifier

    train, labels, held_out, truth = split(data)
    judge = KNeighborsClassifier(3, algorithm="brute").fit(flat(train), labels)
    return judge, float(judge.score(flat(held_out), truth))


def flat(images: np.ndarray) -> np.ndarray:
    """Return the images as rows of a float array."""
    return images.reshape(len(images), -1).astype(np.float32)


def shares(images: np.ndarray, data: str) -> np.ndarray:
    """Return the shares of the images that the classifier labels 0, 1, ... 9."""
    return np.bincount(classifier(data)[0].predict(flat(images)), minlength=10) / len(images)


def run(method: str, seed: int, data: str, sweeps: list[int], number: int, only: int | None = None, **settings) -> dict:
    """Learn with one method and one seed, and evaluate samples after each number of sweeps.

    Args:
        settings: "rate", the learning rate of Adam; "falling", True if it falls to zero along a cosine; and options of
            `learn`: hidden, steps, batch_size, num_sweeps, num_chains.

    Returns: the result of `judged`, and "seconds", the median time of a learning step.
    """
    import optax

    key, after = jax.random.split(jax.random.key(seed))
    rate, times = settings.pop("rate"), []
    rate = optax.cosine_decay_schedule(rate, settings["steps"]) if settings.pop("falling", False) else rate

    def watch(state):
        state.gap.block_until_ready()
        times.append(time.perf_counter())

    result = learn(key, split(data, only)[0], method, optimizer=optax.adam(rate), callback=watch, **settings)
    judgement = judged(after, result.model, sampler(method), data, sweeps, number, only)
    return judgement | {"seconds": float(np.median(np.diff(times)))}


def judged(key, model: RBM, draws: AbstractSampler, data: str, sweeps: list[int], number: int, only=None) -> dict:
    """Evaluate samples after each number of sweeps.

    Returns: arrays with a row for each of `sweeps`: "u", "null" (scales), "log v" and "authors" of `judge`; "shares" of
        the ten digits, for MNIST only; "images", the first 25 samples.
    """
    rows = []
    for images in draw(key, model, draws, sweeps, number):
        row = judge(images, data, only) | {"images": images[:25].astype(np.uint8)}
        rows.append(row | ({"shares": shares(images, data)} if only is None and "mnist" in data else {}))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]} | {"sweeps": np.array(sweeps)}


def floor(seed: int, data: str, number: int, only: int | None = None) -> dict:
    """Evaluate two references: training images ("real") and independent pixels ("pixels")."""
    train = split(data, only)[0]
    rows = {"real": mixed(train)[-number:], "pixels": metrics.independent_pixels(jax.random.key(seed), train, number)}
    return {f"{name} {key}": value for name, x in rows.items() for key, value in judge(x, data, only).items()}
