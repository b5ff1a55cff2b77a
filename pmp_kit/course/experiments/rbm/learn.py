"""Section 5.5 and B.2 to B.4: RBMs learned with PMP and with block Gibbs, judged by their samples.

The four methods differ in how they draw the negative phase, and in nothing else. The positive phase is exact: given the
pixels, hidden variables do not touch. Every fifth image of each digit is kept out of training.
"""

import re
import time
from functools import cache

import jax
import numpy as np

from ....learning.fit import fit
from ....measures import mmd as metrics
from ....models import RBM, rbm
from ....samplers import PMP, AbstractSampler, Gibbs, PerturbAndMAP
from ....solvers import Alternating, CoordinateAscent, LinearProgram
from ....verbs import sample
from ... import datasets

METHODS = ("PMP", "Gibbs-reset", "PCD-1", "PCD-1 constant", "PCD-100")
WEIGHTS = {method: "mnist_rbm_" + re.sub("[- ]", "_", method.lower()) for method in METHODS}
KEEP = 5  # every fifth image of each digit is kept out
STORED = "small mnist"  # what the weights that come with the kit have learned
COORDINATE_ASCENT = "coordinate ascent"  # of Appendix B.4


@cache
def split(data: str, only: int | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Images to train on and their labels, images kept out and their labels.

    Args:
        data: "digits" (8 x 8, with scikit-learn), "mnist" (28 x 28, the 10,000 test images), or "small mnist", the same
            in 14 x 14, a pixel on where two or more of four are.
        only: this digit alone.
    """
    load = datasets.digits if data == "digits" else lambda only: datasets.mnist("test", only)
    digits = range(10) if only is None else [only]
    images = [load(only=digit)["v"] for digit in digits]
    labels = np.concatenate([np.full(len(x), digit) for digit, x in zip(digits, images, strict=True)])
    kept_out = np.concatenate([np.arange(len(x)) % KEEP == 0 for x in images])
    images = np.concatenate(images)
    images = halved(images) if data == "small mnist" else images
    return images[~kept_out], labels[~kept_out], images[kept_out], labels[kept_out]


def halved(images: np.ndarray) -> np.ndarray:
    """Images at half the resolution: a pixel is on where two or more of its four are."""
    number, height, width = images.shape
    return (images.reshape(number, height // 2, 2, width // 2, 2).sum((2, 4)) >= 2).astype(np.int32)


def sampler(method: str, tolerance: float = 0.0) -> AbstractSampler:
    """What draws samples of the model: of "PMP" the last decode, the two sides in turn; block Gibbs for the rest.

    Args:
        tolerance: of PMP, in nats; looking whether messages stand still costs a fifth of the time.
    """
    if method == "PMP":
        return PMP(keep_best=False, tolerance=tolerance, schedule=Alternating())
    if method == "LP":
        return PerturbAndMAP(LinearProgram())
    if method == COORDINATE_ASCENT:
        return PerturbAndMAP(CoordinateAscent())
    return Gibbs(blocks=("h", "v"))


def start(key, images: np.ndarray, hidden: int) -> RBM:
    """An RBM that begins as independent pixels: visible biases at the log-odds of the means, weights nearly zero."""
    mean = np.clip(images.mean(0), 0.005, 0.995)
    model = rbm(key, images.shape[1:], hidden)
    return RBM(model.weight, np.log(mean / (1 - mean)).ravel(), model.hidden_bias, model.visible)


def learn(key, images: np.ndarray, method: str, hidden: int, **options):
    """A `FitResult`: `fit` from `start`; Gibbs-reset begins its chains afresh in each step, PCD goes on.

    Args:
        options: of `fit`.
    """
    first, key = jax.random.split(key)
    model = start(first, images, hidden)
    persistent = method.startswith("PCD")
    return fit(key, model, {"v": images}, sampler(method), positive="exact", persistent=persistent, **options)


def draw(key, model: RBM, draws: AbstractSampler, sweeps: list[int], number: int):
    """Pixels after so many sweeps each, (number, height, width), one after the other; chains go on, PMP starts anew."""
    chains, done = None, 0
    for total in sweeps:
        samples = sample(key, model, draws, num_samples=number, num_sweeps=total - done, previous=chains)
        if samples.chains is not None:
            key, chains, done = jax.random.fold_in(key, total), samples.chains, total
        yield samples["v"]


def judge(images: np.ndarray, data: str, only: int | None = None) -> dict:
    """Samples against images that were kept out; with the authors' metric, against those of training.

    Returns: "u", "null" (scales,) of the panel; "log v": log of the V-statistic at scale 1 against as many kept out;
    "authors": the same against as many of training (all, where there are fewer).
    """
    train, _, kept_out, _ = split(data, only)
    rows = metrics.mmd_panel(images, kept_out)
    v, authors = (metrics.mmd(images, mixed(x)[: len(images)], statistic="v") for x in (kept_out, train))
    return {
        "u": [row.u for row in rows],
        "null": [row.null for row in rows],
        "log v": np.log(v),
        "authors": np.log(authors),
    }


def mixed(images: np.ndarray) -> np.ndarray:
    """Images in an order that mixes the digits, always the same."""
    return np.random.default_rng(0).permutation(images)


@cache
def classifier(data: str):
    """What tells digits apart, a vote of the three nearest images of training, and how often it is right."""
    from sklearn.neighbors import KNeighborsClassifier

    train, labels, kept_out, truth = split(data)
    judge = KNeighborsClassifier(3, algorithm="brute").fit(flat(train), labels)
    return judge, float(judge.score(flat(kept_out), truth))


def flat(images: np.ndarray) -> np.ndarray:
    """Images as rows of numbers."""
    return images.reshape(len(images), -1).astype(np.float32)


def shares(images: np.ndarray, data: str) -> np.ndarray:
    """How many of the images the classifier takes for a 0, 1, ... 9, as shares."""
    return np.bincount(classifier(data)[0].predict(flat(images)), minlength=10) / len(images)


def run(method: str, seed: int, data: str, sweeps: list[int], number: int, only: int | None = None, **settings) -> dict:
    """Learn with one method from one seed, and judge samples after so many sweeps.

    Args:
        settings: "rate" of Adam, "falling", whether it falls to zero along a cosine, and options of `learn`: hidden,
            steps, batch_size, num_sweeps, num_chains.

    Returns: as `judged`, and "seconds": median of a step of learning.
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
    """Samples after so many sweeps each, judged.

    Returns: arrays with a row for each of `sweeps`: "u", "null" (scales), "log v", "authors" of `judge`, "shares" of
    the ten digits, of MNIST; and "images", the first 25.
    """
    rows: dict[str, list] = {}
    for images in draw(key, model, draws, sweeps, number):
        row = judge(images, data, only) | {"images": images[:25].astype(np.uint8)}
        row |= {"shares": shares(images, data)} if only is None and "mnist" in data else {}
        for name, value in row.items():
            rows.setdefault(name, []).append(value)
    return {name: np.array(values) for name, values in rows.items()} | {"sweeps": np.array(sweeps)}


def floor(seed: int, data: str, number: int, only: int | None = None) -> dict:
    """What samples must be compared with: images of training ("real"), and independent pixels ("pixels")."""
    train = split(data, only)[0]
    rows = {"real": mixed(train)[-number:], "pixels": metrics.independent_pixels(jax.random.key(seed), train, number)}
    return {f"{name} {key}": value for name, x in rows.items() for key, value in judge(x, data, only).items()}
