"""Section 5.3: a fully connected Ising model of outlines of zeros, learned with seven methods, judged by its samples.

One spin a pixel, all pairs coupled, all parameters zero at the start; Adam, learning rate 0.001, 100 chains of 50
sweeps in every step. Then each method draws from its own model with 5 to 100 sweeps. A sweep updates every message, or
every spin, once; of Gibbs-with-gradients it is as many proposals as there are spins.
"""

import time
from typing import NamedTuple

import jax
import numpy as np

from ....learning.fit import fit
from ....learning.moments import data_moments
from ....measures import mmd as metrics
from ....models import Ising
from ....samplers import AbstractSampler, Gibbs, GibbsWithGradients, PersistentPMP, PerturbAndMAP
from ....solvers import LinearProgram, MaxProduct
from ....verbs import sample
from ... import datasets

SWEEPS = (5, 10, 25, 50, 100)
"""Sweeps of the test (Figure 1, right)."""
SHOWN = 50
"""Sweeps of the samples that are kept: those of learning."""
SEEDS = (40, 41, 42, 43, 44)
TOGETHER = 100
"""Test samples in one call: the chains of a training step, so that nothing compiles twice."""


class Method(NamedTuple):
    """How samples are drawn in learning and in the test, and whether chains go on from step to step."""

    learn: AbstractSampler
    test: AbstractSampler
    persistent: bool


class Size(NamedTuple):
    """Sizes of a run. The paper has 1,000 steps for every method."""

    images: str
    """"mnist": 30 x 30 spins; "digits": scikit-learn's, 10 x 10 spins; "middle": 4 x 4 spins in the middle of those."""
    steps: dict[str, int]
    """For each method that this size is for."""
    samples: int
    """In the test."""
    rate: float = 1e-3
    chains: int = 100
    sweeps: int = 50


def _methods() -> dict[str, Method]:
    solver = MaxProduct(keep_best=False, tolerance=0.0)  # all sweeps, the last decode: Algorithm 1
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
    """Outlines to learn from and outlines kept out, (N, side, side), and where they come from.

    Every third image is kept out. With MNIST, the test images give those kept out; the training images, where they are
    at hand, are all for learning, else the rest of the test images.
    """
    if size.images != "mnist":
        parts, rim = thirds(datasets.digits(only=0)["v"]), 3 if size.images == "middle" else 0
        learn, kept_out = (part[:, rim : 10 - rim, rim : 10 - rim] for part in parts)
        return learn, kept_out, "scikit-learn's zeros, every third kept out"
    learn, kept_out = thirds(datasets.mnist("test", only=0)["v"])
    try:
        learn = datasets.contours(datasets.mnist("train", only=0)["v"])
    except ConnectionError:
        return learn, kept_out, "MNIST test zeros only, every third kept out (no training images at hand)"
    return learn, kept_out, "MNIST training zeros; every third test zero kept out"


def thirds(images: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Outlines of all images but every third, and of every third."""
    apart = np.arange(len(images)) % 3 == 0
    return datasets.contours(images[~apart]), datasets.contours(images[apart])


def blank(shape: tuple[int, int]) -> Ising:
    """The model before learning: all parameters zero."""
    spins = shape[0] * shape[1]
    return Ising(np.zeros((spins, spins)), np.zeros(spins), shape)


def train(method: str, size: Size, seed: int, images: np.ndarray, seconds: float = np.inf) -> dict:
    """Learn with one method.

    Args:
        images: outlines to learn from, (N, side, side).
        seconds: stop after the step that reaches this time.

    Returns:
        "weight", "bias"; "steps" done; "seconds", their number times the median of one, so that neither compiling nor
        another program counts; "gap", root mean square of the moment differences of each step.
    """
    import optax

    if method not in size.steps:
        raise ValueError(f"method: expected one of {', '.join(size.steps)} at this size, got {method!r}")
    how, start, ends = METHODS[method], blank(images.shape[1:]), []

    def clock(state) -> bool:
        jax.block_until_ready(state.model)
        ends.append(time.perf_counter())
        return spent() > seconds

    def spent() -> float:
        return len(ends) * float(np.median(np.diff(ends))) if len(ends) > 1 else 0.0

    fitted = fit(
        jax.random.key(seed),
        start,
        sampler=how.learn,
        moments=data_moments(start, {"x": images}),
        optimizer=optax.adam(size.rate),
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
        "seconds": spent(),
        "gap": fitted.history["gap"],
    }


def draw(key, model: Ising, method: str, samples: int, sweeps: int) -> tuple[np.ndarray, float]:
    """Fresh samples (N, side, side), and the seconds for one sweep of one of them, the first call left out."""
    parts, times = [], []
    for call in range(-(-samples // TOGETHER)):
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
    return np.concatenate(parts)[:samples], float(np.median(times[1:] or times))


def judge(samples: np.ndarray, learned: np.ndarray, kept_out: np.ndarray) -> dict:
    """The authors' metric and the honest ones.

    Returns:
        "log MMD^2": log of the V-statistic against the images of learning, as the authors have it; "kept out": the
        U-statistic against images kept out for the three scales of the kernel, (3,); "null": its standard deviation
        for a perfect sampler.
    """
    honest = metrics.mmd_panel(samples, kept_out)
    return {
        "log MMD^2": float(np.log(metrics.mmd(samples, learned, statistic="v"))),
        "kept out": np.array([row.u for row in honest]),
        "null": np.array([row.null for row in honest]),
    }


def far(runs: list[dict], sweeps: int = SHOWN, scale: int = 1) -> list[float]:
    """MMD^2 of what `test` judged, one a seed, in standard deviations of a perfect sampler, at one of the scales."""
    place = SWEEPS.index(sweeps), scale
    return [float(run["kept out"][place] / run["null"][place]) for run in runs]


def floor(learned: np.ndarray, kept_out: np.ndarray, samples: int) -> dict:
    """What `judge` says of real data: of the images of learning against those kept out, and for the authors' metric the
    mean of a perfect sampler with so many samples, (1/N + 1/M) (1 - mean k), k over pairs of different images.
    """
    x = kept_out.reshape(len(kept_out), -1).astype(float)
    ink = x.sum(1)
    kernel = np.exp(-(ink[:, None] + ink - 2 * x @ x.T) / x.shape[1])
    mean = (kernel.sum() - len(x)) / (len(x) * (len(x) - 1))
    perfect = (1 / samples + 1 / len(learned)) * (1 - mean)
    return judge(learned, learned[:-1], kept_out) | {"log MMD^2": float(np.log(perfect))}


def test(method: str, size: Size, seed: int, weight, bias, learned, kept_out) -> dict:
    """Draw with 5 to 100 sweeps and judge.

    Returns:
        What `judge` returns, with a first axis for `SWEEPS` (of one entry for LP, which knows no sweeps); "seconds a
        sweep" of one sample; "samples" after `SHOWN` sweeps, (samples, side, side) uint8.
    """
    model = Ising(weight, bias, learned.shape[1:])
    allowed = SWEEPS if method in SWEEPING else (1,)  # a program is solved, whatever the number
    drawn = [draw(jax.random.key(seed + 1000), model, method, size.samples, sweeps) for sweeps in allowed]
    rows = [judge(samples, learned, kept_out) for samples, _ in drawn]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]} | {
        "seconds a sweep": float(np.median([seconds for _, seconds in drawn])),
        "samples": drawn[SWEEPS.index(SHOWN) if len(drawn) > 1 else 0][0].astype(np.uint8),
    }


def run(method: str, size: str, seed: int, seconds: float = np.inf) -> dict:
    """Learn and test one method from one seed: what `train` and `test` return, together."""
    sizes = SIZES[size]
    learned, kept_out, _ = outlines(sizes)
    result = train(method, sizes, seed, learned, seconds)
    tested = test(method, sizes, seed, result["weight"], result["bias"], learned, kept_out)
    return result | {f"test: {name}": value for name, value in tested.items()}


SWEEPING = tuple(method for method in METHODS if method != "LP")
MARKOV = ("Gibbs", "Gibbs, reset", "Gibbs-with-gradients", "Gibbs-with-gradients, reset")
SIZES = {
    "tiny": Size("middle", dict.fromkeys(METHODS, 100), samples=500, rate=1e-2, chains=20),
    "small": Size("digits", dict.fromkeys(SWEEPING, 300), samples=300, rate=3e-3),
    "paper": Size(
        "mnist",
        dict.fromkeys(SWEEPING, 1000) | dict(zip(MARKOV[2:], (532, 687), strict=True)),
        samples=500,
    ),
}
NUMBER_OF_SEEDS = dict.fromkeys(SWEEPING, len(SEEDS)) | dict.fromkeys(MARKOV[2:], 1)
"""At the paper's size: from how many of SEEDS each method learns."""
