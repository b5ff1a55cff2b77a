"""A small Ising model that learns images step by step, with several samplers."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterable
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

import pmp_kit as pk

from ....engine import checks
from ...experiments import adam

STEPS, CHAINS_A_STEP, RATE = 400, 100, 3e-3
SAMPLERS, CHAINS = ("PMP", "Gibbs"), ("reset", "persistent")
VARIANTS = [("PMP", "reset"), ("Gibbs", "reset"), ("Gibbs", "persistent")]


class Now(NamedTuple):
    """The state of training after some steps."""

    training: pk.TrainingState
    gaps: tuple[float, ...]
    chains: tuple[str, str] | None
    """The variant that the chains of `training` belong to; None if there are none."""
    seed: int
    taken: tuple[tuple[str, str, int, int], ...] = ()
    """Sampler, chains, sweeps, and the number of steps that were taken with them, in order."""

    @property
    def step(self) -> int:
        """Number of steps done."""
        return self.training.step


def outlines() -> np.ndarray:
    """Return the outlines of scikit-learn's zeros, 10 x 10."""
    return pk.datasets.contours(pk.datasets.digits(only=0)["v"])


def variant_of(params: dict) -> tuple[str, str]:
    """Return sampler and chains for the values of the controls. PMP draws new samples in every step, without chains."""
    return params["sampler"], params["chains"] if params["sampler"] == "Gibbs" else "reset"


def sampler_of(sampler: str) -> Any:
    """Return the sampler of this name; PMP runs all sweeps and returns the last decoded state, as in Algorithm 1."""
    return pk.Gibbs() if sampler == "Gibbs" else pk.PMP(**pk.paper_settings(start="neutral"))


def steps_of(taken: tuple) -> int:
    """Return the number of steps of an entry of `taken`. Raise a ValueError if it is none."""
    form = isinstance(taken, tuple | list) and len(taken) == 4
    if not form or taken[0] not in SAMPLERS or taken[1] not in CHAINS:
        wanted = f"(one of {', '.join(SAMPLERS)}, one of {', '.join(CHAINS)}, sweeps, steps)"
        raise ValueError(f"taken: expected entries {wanted}, got {taken!r}; copy them from a view")
    checks.count("taken", taken[2])
    return checks.count("taken", taken[3])


def joined(taken: Iterable[tuple[str, str, int, int]]) -> tuple[tuple[str, str, int, int], ...]:
    """Return steps as `Now.taken` has them: neighbours with the same sampler, chains and sweeps are one entry."""
    whole: list[tuple[str, str, int, int]] = []
    for sampler, chains, sweeps, steps in taken:
        wanted = *variant_of({"sampler": sampler, "chains": chains}), sweeps
        before = whole.pop()[3] if whole and whole[-1][:3] == wanted else 0
        whole.append((*wanted, before + steps))
    return tuple(whole)


def each(taken: tuple[tuple[str, str, int, int], ...]) -> list[tuple[str, str, int, int]]:
    """Return an entry for each step."""
    return [(sampler, chains, sweeps, 1) for sampler, chains, sweeps, steps in taken for _ in range(steps)]


@functools.lru_cache(maxsize=8)
def learned(lesson: Lesson, seed: int, taken: tuple[tuple[str, str, int, int], ...]) -> Now:
    """Return the state after these steps. They go on from the last state of the lesson if it is on their way."""
    wanted, now = each(taken), lesson.latest
    if now is None or now.seed != seed or each(now.taken) != wanted[: now.step]:
        now = lesson.fresh(seed)
    for sampler, chains, sweeps, _ in wanted[now.step :]:
        now = lesson.advance(now, {"sampler": sampler, "chains": chains, "sweeps": sweeps})
    return now


class Lesson:
    """A fully connected Ising model of small images, all its parameters zero at the start.

    Args:
        images: (N, height, width) of 0 and 1.

    Attributes:
        data_pairs, data_means: share of the images in which both pixels of a pair are on, (pairs,), and each pixel.
        floor: the expected gap with exact samples.
    """

    def __init__(self, images: np.ndarray):
        if np.ndim(images) != 3:
            raise ValueError(f"images: expected shape (number, height, width), got {np.shape(images)}; reshape them")
        self.shape = tuple(np.shape(images)[1:])
        spins = self.shape[0] * self.shape[1]
        self._upper = np.triu_indices(spins, 1)
        self._blank = pk.Ising(np.zeros((spins, spins)), np.zeros(spins), self.shape)
        self._moments = pk.data_moments(self._blank, {"x": images})
        self._optimizer = adam(RATE)
        self._begin = self._optimizer.init(eqx.filter(self._blank, eqx.is_inexact_array))
        self._run: tuple = (None, None, None)
        self._turn, self.images = threading.Lock(), len(images)
        self.data_pairs, self.data_means = self.pairs(np.asarray(images)), np.asarray(images).mean(0)
        self.floor = self._size(*(share * (1 - share) / CHAINS_A_STEP for share in (self.data_means, self.data_pairs)))

    @staticmethod
    def _size(first: np.ndarray, pairs: np.ndarray) -> float:
        """Return the gap for squared differences of moments. The gradient of w_ij is half a difference of moments."""
        return float(np.sqrt((first.sum() + 2 * (pairs / 4).sum()) / (first.size**2 + first.size)))

    def gap(self, images: np.ndarray, pairs: np.ndarray) -> float:
        """Return the root mean square of the moment differences between data and images, whose `pairs` are given."""
        return self._size((images.mean(0) - self.data_means) ** 2, (pairs - self.data_pairs) ** 2)

    def pairs(self, images: np.ndarray) -> np.ndarray:
        """Return the share of the images in which both pixels of a pair are on, (pairs,)."""
        x = images.reshape(len(images), -1).astype(np.float32)
        return (x.T @ x / len(x))[self._upper]

    def upper(self, matrix: np.ndarray) -> np.ndarray:
        """Return the values of a matrix (n, n) of all pairs, in the order of `pairs`."""
        return np.asarray(matrix)[self._upper]

    @property
    def latest(self) -> Now | None:
        """The state that was reached last; None before the first step."""
        return self._run[0]

    def after(self, seed: int, taken: tuple[tuple[str, str, int, int], ...]) -> Now:
        """Return the state after these steps, in the form of `joined`."""
        latest = self.latest
        known = latest is not None and (latest.seed, latest.taken) == (seed, taken)
        return latest if known else learned(self, seed, taken)  # pyright: ignore[reportReturnType]

    def fresh(self, seed: int) -> Now:
        """Return the state before the first step."""
        return Now(pk.TrainingState(0, self._blank, self._begin, None, jnp.zeros(())), (), None, seed)

    def warm_up(self, variant: tuple[str, str]) -> None:
        """Compile everything of one variant."""
        params = dict(zip(("sampler", "chains"), variant, strict=True)) | {"sweeps": 1}
        self._samples(sampler_of(variant[0]), self._blank, 0, 0, 1)
        next(self._generator(self.fresh(0), params))

    def advance(self, now: Now, params: dict) -> Now:
        """Take one step with the sampler of the controls. Chains continue as long as the sampler stays the same."""
        wanted = *variant_of(params), params["sweeps"]
        with self._turn:
            before, setting, generator = self._run
            if before is not now or setting != wanted:
                generator = self._generator(now, params)
            training = next(generator)
            chains = wanted[:2] if training.chains is not None else None
            taken = joined((*now.taken, (*wanted, 1)))
            after = Now(training, (*now.gaps, float(training.gap)), chains, now.seed, taken)
            self._run = after, wanted, generator
        return after

    def _generator(self, now: Now, params: dict):
        variant = variant_of(params)
        sampler, state, persistent = sampler_of(variant[0]), now.training, variant[1] == "persistent"
        if not persistent:
            state = state._replace(chains=None)
        elif not self.continues(now, params):
            state = state._replace(chains=self._samples(sampler, state.model, now.seed, now.step, 0).chains)
        return pk.training(
            jax.random.key(now.seed),
            self._blank,
            moments=self._moments,
            sampler=sampler,
            optimizer=self._optimizer,
            num_chains=CHAINS_A_STEP,
            num_sweeps=params["sweeps"],
            persistent=persistent,
            resume=state,
        )

    @staticmethod
    def continues(now: Now, params: dict) -> bool:
        """Return whether the next step continues the chains of the last one."""
        return now.chains is not None and now.chains == variant_of(params)

    def samples(self, now: Now, params: dict) -> np.ndarray:
        """Return new samples (chains, height, width), or the states of persistent Gibbs chains."""
        if self.continues(now, params):
            return (np.asarray(now.training.chains)[:, 0] > 0.5).astype(np.int32).reshape(-1, *self.shape)
        sweeps = params["sweeps"] if now.step else 1  # all weights are 0 at first, so one sweep is enough
        return self._samples(sampler_of(params["sampler"]), now.training.model, now.seed, now.step, sweeps)["x"]

    @staticmethod
    def _samples(sampler, model, seed: int, step: int, sweeps: int):
        key = jax.random.fold_in(jax.random.key(seed), step)
        # All side by side in one call: with so few spins the usual chunks of one sample take a fifth longer.
        return pk.sample(key, model, sampler, num_samples=CHAINS_A_STEP, num_sweeps=sweeps, chunk=CHAINS_A_STEP)
