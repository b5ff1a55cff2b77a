"""Samples of RBMs: stored samples where nothing is painted, else a few completions that are drawn now."""

from __future__ import annotations

import functools
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

from ...experiments.rbm import learn, samples
from ..shared.strokes import PENS, pen

SHOWN = 25
SIDE = 14  # pixels of the stored weights
MOST_SWEEPS = {
    "PMP": 20,
    "Gibbs-reset": 50,
    "PCD-1": 50,
    "PCD-1 constant": 50,
    "PCD-100": 50,
}
"""Sweeps that a live completion may take, so that a stroke of the painter has no delay."""


class State(NamedTuple):
    """Samples of one of the RBMs."""

    method: str
    sweeps: int
    evidence: Int[np.ndarray, "side side"]
    """0, 1, or FREE."""
    images: Int[np.ndarray, "shown side side"]
    shares: Float[np.ndarray, " digits"]
    """Share of each digit among all stored samples after so many sweeps; with evidence, among the images."""
    used: int
    """Sweeps that were done: with evidence at most MOST_SWEEPS."""
    seed: int

    @property
    def painted(self) -> bool:
        """Whether there is any evidence."""
        return bool((self.evidence != pk.FREE).any())


def state(method: str, evidence: Int[np.ndarray, "side side"], seed: int, sweeps: int) -> State:
    """Return samples of the weights that a method learned, by its own sampler."""
    if (evidence == pk.FREE).all():
        row = learn.METHODS.index(method), sweep_counts().index(sweeps)
        images = stored()["images"][row][SHOWN * seed : SHOWN * (seed + 1)].astype(np.int32)
        return State(method, sweeps, evidence, images, stored()["shares"][row], sweeps, seed)
    used = min(sweeps, MOST_SWEEPS[method])
    images = complete(method, evidence, used, seed)
    shares = np.bincount(samples.digits(images), minlength=10) / len(images)
    return State(method, sweeps, evidence, images, shares, used, seed)


@functools.cache
def stored() -> dict[str, np.ndarray]:
    """Load the stored samples."""
    return samples.load()


def sweep_counts() -> list[int]:
    """Return the numbers of sweeps after which samples are stored."""
    return [int(number) for number in stored()["sweeps"]]


@functools.cache
def graph(method: str) -> pk.FactorGraph:
    """Return the model that a method learned."""
    return pk.pretrained(learn.WEIGHTS[method]).graph()


def complete(method: str, evidence: Int[np.ndarray, "side side"], sweeps: int, seed: int) -> np.ndarray:
    """Draw a few samples (SHOWN, side, side) of the free pixels."""
    settings = {"num_samples": SHOWN, "num_sweeps": sweeps, "evidence": {"v": evidence}}
    return pk.sample(jax.random.key(seed), graph(method), learn.sampler(method), **settings)["v"]


def warm_up() -> None:
    """Load all weights and compile both samplers, so that no control has to wait for it."""
    for method in learn.METHODS:
        graph(method)
    for method in ("PMP", "PCD-1"):
        complete(method, pen(PENS[1], SIDE), 1, 0)
