"""What the RBM studio computes: stored samples where nothing is painted, else a few completions, drawn now."""

from __future__ import annotations

from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk
from pmp_kit.course.experiments.rbm import learn as restricted
from pmp_kit.course.experiments.rbm import samples as restricted_samples

from ..strokes import PENS, pen

SHOWN = 25
SIDE = 14  # pixels of the stored weights
MOST_SWEEPS = {
    "PMP": 20,
    "Gibbs-reset": 100,
    "PCD-1": 100,
    "PCD-1 constant": 100,
    "PCD-100": 100,
}  # that fit into the blink of an eye


class StudioState(NamedTuple):
    """Samples of one of the RBMs."""

    method: str
    sweeps: int
    evidence: Int[np.ndarray, "side side"]
    """0, 1, or FREE."""
    images: Int[np.ndarray, "shown side side"]
    shares: Float[np.ndarray, " digits"]
    """Of the digits, among all samples of these weights after so many sweeps; with evidence among those shown."""
    used: int
    """Sweeps that were really done: fewer where the reader would have to wait."""
    seed: int

    @property
    def painted(self) -> bool:
        """Whether there is any evidence."""
        return bool((self.evidence != pk.FREE).any())


class Sampler:
    """The weight sets, their stored samples, and samplers that are compiled once."""

    def __init__(self):
        self.stored = restricted_samples.load()
        self.sweeps = [int(number) for number in self.stored["sweeps"]]
        self.seeds = restricted_samples.KEPT // SHOWN
        self._graphs = {name: pk.pretrained(file).graph() for name, file in restricted.WEIGHTS.items()}
        for method in ("PMP", "PCD-1"):  # compiled now, so that no stroke has to wait for it
            self._complete(method, pen(PENS[1], SIDE), 1, 0)

    def __call__(self, method: str, evidence: np.ndarray, seed: int, sweeps: int) -> StudioState:
        """Samples of a method's weights by its own sampler."""
        if (evidence == pk.FREE).all():
            row = restricted.METHODS.index(method), self.sweeps.index(sweeps)
            images = self.stored["images"][row][SHOWN * seed : SHOWN * (seed + 1)].astype(np.int32)
            return StudioState(method, sweeps, evidence, images, self.stored["shares"][row], sweeps, seed)
        used = min(sweeps, MOST_SWEEPS[method])
        images = self._complete(method, evidence, used, seed)
        shares = np.bincount(restricted_samples.digits(images), minlength=10) / len(images)
        return StudioState(method, sweeps, evidence, images, shares, used, seed)

    def _complete(self, method: str, evidence: np.ndarray, sweeps: int, seed: int) -> np.ndarray:
        """A few samples of the free pixels."""
        key, draws = jax.random.key(seed), restricted.sampler(method)
        settings = {"num_samples": SHOWN, "num_sweeps": sweeps, "evidence": {"v": evidence}}
        return pk.sample(key, self._graphs[method], draws, **settings)["v"]
