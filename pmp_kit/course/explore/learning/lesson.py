"""A small Ising model that learns images step by step, with several samplers, and the progress of its lesson."""

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


def one_more(taken: tuple, wanted: tuple[str, str, int]) -> tuple:
    """Return `Now.taken` after one more step with a sampler, chains and sweeps."""
    if taken and taken[-1][:3] == wanted:
        return *taken[:-1], (*wanted, taken[-1][3] + 1)
    return *taken, (*wanted, 1)


@functools.lru_cache(maxsize=2)
def learned(lesson: Lesson, sampler: str, chains: str, sweeps: int, seed: int, steps: int) -> Now:
    """Return the state after some steps from the beginning, all with the same sampler."""
    now = lesson.fresh(seed)
    for _ in range(steps):
        now = lesson.advance(now, {"sampler": sampler, "chains": chains, "sweeps": sweeps})
    return now


class Lesson:
    """A fully connected Ising model of small images, all its parameters zero at the start.

    Args:
        images: (N, height, width) of 0 and 1.
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
        self.data_pairs, self._data_means = self.pairs(np.asarray(images)), np.asarray(images).mean(0)
        self.floor = self._size(*(share * (1 - share) / CHAINS_A_STEP for share in (self._data_means, self.data_pairs)))

    @staticmethod
    def _size(first: np.ndarray, pairs: np.ndarray) -> float:
        """Return the gap for squared differences of moments. The gradient of w_ij is half a difference of moments."""
        return float(np.sqrt((first.sum() + 2 * (pairs / 4).sum()) / (first.size**2 + first.size)))

    def gap(self, images: np.ndarray, pairs: np.ndarray) -> float:
        """Return the root mean square of the moment differences between data and images, whose `pairs` are given."""
        return self._size((images.mean(0) - self._data_means) ** 2, (pairs - self.data_pairs) ** 2)

    def pairs(self, images: np.ndarray) -> np.ndarray:
        """Return the share of the images in which both pixels of a pair are on, (pairs,)."""
        x = images.reshape(len(images), -1).astype(np.float32)
        return (x.T @ x / len(x))[self._upper]

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
        before, setting, generator = self._run
        if before is not now or setting != wanted:
            generator = self._generator(now, params)
        training = next(generator)
        chains = wanted[:2] if training.chains is not None else None
        after = Now(training, (*now.gaps, float(training.gap)), chains, now.seed, one_more(now.taken, wanted))
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


class Progress:
    """A lesson from its first step to its last; it may be restarted while a step is being taken.

    Args:
        lesson: what is learned.
        seed: of the first run.
    """

    def __init__(self, lesson: Lesson, seed: int):
        self.lesson = lesson
        self._swap = threading.Lock()
        self.now = lesson.fresh(seed)
        self._returns = 0

    @property
    def over(self) -> bool:
        """Whether the last step has been taken."""
        return self.now.step >= STEPS

    def restart(self, seed: int) -> None:
        """Go back to before the first step."""
        self.return_to(self.lesson.fresh(seed))

    def return_to(self, now: Now) -> None:
        """Return to a state of training; a step that is being taken is dropped."""
        with self._swap:
            self.now = now
            self._returns += 1

    def take(self, taken: Iterable[tuple[str, str, int, int]]) -> None:
        """Take the steps of a `Now.taken` of another run."""
        for sampler, chains, sweeps, steps in taken:
            for _ in range(steps):
                self.advance({"sampler": sampler, "chains": chains, "sweeps": sweeps})

    def advance(self, params: dict[str, Any]) -> None:
        """Take one step with the sampler of the controls; drop it if there was a restart meanwhile."""
        before, returns = self.now, self._returns
        after = self.lesson.advance(before, params)
        with self._swap:
            if self.now is before and self._returns == returns:
                self.now = after
