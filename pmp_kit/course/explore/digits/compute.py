"""Completions of a partly painted digit by PMP on a trained RBM."""

from __future__ import annotations

from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

COMPLETIONS = 25


class State(NamedTuple):
    """The evidence and its completions."""

    evidence: Int[np.ndarray, "8 8"]
    """0, 1, or FREE."""
    truth: Int[np.ndarray, "8 8"]
    """The digit that the evidence came from."""
    completions: Int[np.ndarray, "25 8 8"]
    sweeps: Int[np.ndarray, " 25"]
    """Sweeps of each completion: fewer than allowed if its messages converged before."""
    allowed: int
    seed: int

    @property
    def share(self) -> Float[np.ndarray, "8 8"]:
        """Share of the completions in which a pixel is on."""
        return self.completions.mean(0)

    @property
    def distinct(self) -> int:
        """Number of different completions."""
        return len(np.unique(self.completions.reshape(COMPLETIONS, -1), axis=0))


def state(
    model: pk.RBM | pk.FactorGraph,
    truth: Int[np.ndarray, "8 8"],
    evidence: Int[np.ndarray, "8 8"],
    sweeps: int,
    damping: float,
    perturbation: bool,
    seed: int,
) -> State:
    """Draw completions of the evidence, each with noise of its own, or without noise."""
    samples = pk.sample(
        jax.random.key(seed),
        model,
        pk.PMP(damping=damping, keep_best=False, tolerance=1e-2, noise=pk.Gumbel(1.0 if perturbation else 0.0)),
        num_samples=COMPLETIONS,
        num_sweeps=sweeps,
        evidence={"v": evidence},
        chunk=1,  # fits the cache, and each completion stops as soon as its own messages converge
    )
    return State(evidence, truth, samples["v"], samples.sweeps, sweeps, seed)


def upper_half(digit: Int[np.ndarray, "8 8"]) -> Int[np.ndarray, "8 8"]:
    """Return evidence: the upper half of a digit, the lower half free."""
    return np.where(np.arange(len(digit))[:, None] < len(digit) // 2, digit, pk.FREE)
