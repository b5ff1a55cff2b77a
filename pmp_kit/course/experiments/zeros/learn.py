"""Section 5.3: learning a fully connected Ising model of outlines of zeros with seven methods, and testing its samples.

The model has one spin per pixel and a coupling for each pair. All parameters start at zero. Learning uses Adam with
learning rate 0.001 and 100 chains of 50 sweeps in each step. Then each method draws from its own model with 5 to 100
sweeps. A sweep updates each message, or each spin, once. A sweep of Gibbs-with-gradients has one proposal per spin.
"""

import time
from typing import NamedTuple

import jax
import numpy as np

from ....learning.fit import fit
from ....learning.moments import data_moments
from ....measures import mmd as metrics
from ....models import Ising
from ....sample import sample
from ....samplers import AbstractSampler, Gibbs, GibbsWithGradients, PersistentPMP, PerturbAndMAP
from ....solvers import LinearProgram, MaxProduct, paper_settings
from ... import datasets
from .. import adam

SWEEPS = (5, 10, 25, 50, 100)
"""Sweeps of the test (Figure 1, right)."""
SHOWN = 50
"""Sweeps of the stored samples, as many as in a learning step."""
SEEDS = (40, 41, 42, 43, 44)
TOGETHER = 100
"""Test samples in one call. The number equals the chains of a training step, which avoids a recompilation."""


class Method(NamedTuple):
    """The samplers of learning and of the test, and whether the chains of learning are persistent."""

    learn: AbstractSampler
    test: AbstractSampler
    persistent: bool


class Size(NamedTuple):
    """Sizes of a run. The paper uses 1,000 steps for each method."""

    images: str
    """The data: "mnist" (30 x 30 spins), "digits" (scikit-learn, 10 x 10), or "middle" (the central 4 x 4 of those)."""
    steps: dict[str, int]
    """Learning steps of each method that runs at this size."""
    samples: int
    """Number of test samples."""
    rate: float = 1e-3
    chains: int = 100
    sweeps: int = 50


def _methods() -> dict[str, Method]:
    solver = MaxProduct(**paper_settings(start="neutral"))
    pmp, gibbs, gwg = PerturbAndMAP(solver), Gibbs(), GibbsWithGradients()
    program = PerturbAndMAP(LinearProgram())
    return {
        "PMP": Method(pmp, pmp, False),
        "PMP, persistent": Method(PersistentPMP(rho=0.5, solver=solver), pmp, True),
        "Gibbs": Method(gibbs, gibbs, True),
        "Gibbs, reset": Method(gibbs, gibbs, False),
        "Gibbs-with-gradients": Method(gwg, gwg, True),
        "Gibbs-with-gradients, reset": Method(gwg, gwg, False),
        "LP": Method(program, program, False),
    }


METHODS = _methods()


def outlines(size: Size) -> tuple[np.ndarray, np.ndarray, str]:
    """Return outlines for learning and held-out outlines, (N, side, side), and a description of their source.

    Every third image is held out. For MNIST, the held-out images are test images. Learning uses all training images if
    they are available, else the remaining test images.
    """
    if size.images != "mnist":
        parts, rim = thirds(datasets.digits(only=0)["v"]), 3 if size.images == "middle" else 0
        learn, held_out = (part[:, rim : 10 - rim, rim : 10 - rim] for part in parts)
        return learn, held_out, "scikit-learn's zeros, every third held out"
    learn, held_out = thirds(datasets.mnist("test", only=0)["v"])
    try:
        learn = datasets.contours(datasets.mnist("train", only=0)["v"])
    except ConnectionError:
        return learn, held_out, "MNIST test zeros only, every third held out (no training images at hand)"
    return learn, held_out, "MNIST training zeros; every third test zero held out"


def thirds(images: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the outlines of all images except every third one, and the outlines of every third image."""
    apart = np.arange(len(images)) % 3 == 0
    return datasets.contours(images[~apart]), datasets.contours(images[apart])


def blank(shape: tuple[int, int]) -> Ising:
    """Return the initial model, whose parameters are all zero."""
    spins = shape[0] * shape[1]
    return Ising(np.zeros((spins, spins)), np.zeros(spins), shape)


def train(method: str, size: Size, seed: int, images: np.ndarray) -> dict:
    """Learn with one method.

    Args:
        images: outlines for learning, (N, side, side).

    Returns:
        "weight", "bias"; "steps", the number of steps done; "seconds", the number of steps times the median time of a
        step, so that compilation does not count; "gap", the root mean square of the moment differences of each step.
    """
    if method not in size.steps:
        raise ValueError(f"method: expected one of {', '.join(size.steps)} at this size, got {method!r}")
    how, start, ends = METHODS[method], blank(images.shape[1:]), []

    def clock(state) -> None:
        jax.block_until_ready(state.model)
        ends.append(time.perf_counter())

    fitted = fit(
        jax.random.key(seed),
        start,
        sampler=how.learn,
        moments=data_moments(start, {"x": images}),
        optimizer=adam(size.rate),
        steps=size.steps[method],
        num_chains=size.chains,
        num_sweeps=size.sweeps,
        persistent=how.persistent,
        callback=clock,
    )
    return {
        "weight": np.asarray(fitted.model.weight),
        "bias": np.asarray(fitted.model.bias),
        "steps": len(ends),
        "seconds": len(ends) * float(np.median(np.diff(ends))) if len(ends) > 1 else 0.0,
        "gap": fitted.history["gap"],
    }


def draw(key, model: Ising, method: str, samples: int, sweeps: int) -> tuple[np.ndarray, float]:
    """Draw samples (N, side, side). Returns: also the seconds per sweep and sample, without the first call.

    There are at least two calls.
    """
    parts, times, calls = [], [], -(-samples // TOGETHER)
    for call in range(calls if calls > 1 else 2):  # a first call also compiles
        start = time.perf_counter()
        part = sample(
            jax.random.fold_in(key, call),
            model,
            METHODS[method].test,
            num_samples=TOGETHER,
            num_sweeps=sweeps,
        )
        times.append((time.perf_counter() - start) / (TOGETHER * sweeps))
        parts.append(part["x"])
    return np.concatenate(parts)[:samples], float(np.median(times[1:]))


def judge(samples: np.ndarray, learned: np.ndarray, held_out: np.ndarray) -> dict:
    """Compute the maximum mean discrepancy (MMD) in the authors' metric and to held-out images.

    Returns:
        "log MMD^2", the authors' metric: log of the V-statistic against the images of learning; "kept out": the
        U-statistic against held-out images for the three scales of the kernel, (3,); "null": its standard deviation
        for a perfect sampler.
    """
    honest = metrics.mmd_panel(samples, held_out)
    return {
        "log MMD^2": float(np.log(metrics.mmd(samples, learned, statistic="v"))),
        "kept out": np.array([row.u for row in honest]),
        "null": np.array([row.null for row in honest]),
    }


def far(runs: list[dict], sweeps: int, scale: int = 1) -> list[float]:
    """Return MMD^2 in standard deviations of a perfect sampler for each result of `test`, at one kernel scale."""
    place = SWEEPS.index(sweeps), scale
    return [float(run["kept out"][place] / run["null"][place]) for run in runs]


def floor(learned: np.ndarray, held_out: np.ndarray, samples: int) -> dict:
    """Return the result of `judge` for the images of learning. "log MMD^2" is that of a perfect sampler instead: the
    log of the expected value (1/N + 1/M) (1 - mean k), with the mean of the kernel k over pairs of different images.
    """
    x = held_out.reshape(len(held_out), -1).astype(float)
    ink = x.sum(1)
    kernel = np.exp(-(ink[:, None] + ink - 2 * x @ x.T) / x.shape[1])
    mean = (kernel.sum() - len(x)) / (len(x) * (len(x) - 1))
    perfect = (1 / samples + 1 / len(learned)) * (1 - mean)
    return judge(learned, learned[:-1], held_out) | {"log MMD^2": float(np.log(perfect))}


def test(method: str, size: Size, seed: int, weight, bias, learned, held_out) -> dict:
    """Draw with 5 to 100 sweeps, and evaluate.

    Returns:
        The arrays of `judge` with a first axis for `SWEEPS` (length 1 for linear programming, which has no sweeps);
        "seconds a sweep" of one sample; "samples" after `SHOWN` sweeps, (samples, side, side) uint8.
    """
    model = Ising(weight, bias, learned.shape[1:])
    allowed = SWEEPS if method in SWEEPING else (1,)  # linear programming ignores the number of sweeps
    drawn = [draw(jax.random.key(seed + 1000), model, method, size.samples, sweeps) for sweeps in allowed]
    rows = [judge(samples, learned, held_out) for samples, _ in drawn]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]} | {
        "seconds a sweep": float(np.median([seconds for _, seconds in drawn])),
        "samples": drawn[SWEEPS.index(SHOWN) if len(drawn) > 1 else 0][0].astype(np.uint8),
    }


def run(method: str, size: str, seed: int) -> dict:
    """Learn and test with one method and one seed. Returns: the results of `train` and `test` in one dict."""
    sizes = SIZES[size]
    learned, held_out, _ = outlines(sizes)
    result = train(method, sizes, seed, learned)
    tested = test(method, sizes, seed, result["weight"], result["bias"], learned, held_out)
    return result | {f"test: {name}": value for name, value in tested.items()}


SWEEPING = tuple(method for method in METHODS if method != "LP")
WITH_GRADIENTS = ("Gibbs-with-gradients", "Gibbs-with-gradients, reset")
SIZES = {
    "tiny": Size("middle", dict.fromkeys(METHODS, 100), samples=500, rate=1e-2, chains=20),
    "small": Size("digits", dict.fromkeys(SWEEPING, 300), samples=300, rate=3e-3),
    "paper": Size(
        "mnist",
        dict.fromkeys(SWEEPING, 1000) | dict(zip(WITH_GRADIENTS, (532, 687), strict=True)),
        samples=500,
    ),
}
NUMBER_OF_SEEDS = dict.fromkeys(SWEEPING, len(SEEDS)) | dict.fromkeys(WITH_GRADIENTS, 1)
"""Number of SEEDS that each method uses at the paper's size."""
