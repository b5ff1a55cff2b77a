"""Samples of RBMs: stored samples where nothing is painted, else a few completions that are drawn now."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

from ...experiments.rbm import learn, samples
from ...experiments.rbm.figures import SCALE
from ..shared.strokes import PENS, pen

SHOWN = 25
SIDE = 14  # pixels of the stored weights
ENOUGH = 0.02  # share of a digit that counts as present
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
    digits: Int[np.ndarray, " shown"]
    """The digit that a small classifier reads in each image."""
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
        return State(method, sweeps, evidence, images, samples.digits(images), stored()["shares"][row], sweeps, seed)
    used = min(sweeps, MOST_SWEEPS[method])
    images = complete(method, evidence, used, seed)
    digits = samples.digits(images)
    return State(method, sweeps, evidence, images, digits, np.bincount(digits, minlength=10) / SHOWN, used, seed)


@functools.cache
def curves() -> dict[str, Any]:
    """Return the distances of the stored samples from held-out digits, MMD^2 at kernel scale 10.

    "mmd" and "deviations" (methods, stages) are values and standard deviations. "alone" is the distance of independent
    pixels, and "real" is twice the standard deviation of the distance of real digits.
    """
    table = stored()
    return {
        "stages": table["sweeps"].astype(np.int32),
        "methods": learn.METHODS,
        "mmd": table["u"][..., SCALE],
        "deviations": table["null"][..., SCALE],
        "alone": float(table["floor pixels u"][SCALE]),
        "real": 2 * float(table["floor real null"][SCALE]),
    }


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
