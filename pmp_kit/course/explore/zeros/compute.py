"""Completions of a painted piece of an outline by PMP on a trained Ising model."""

from __future__ import annotations

from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

COMPLETIONS = 12


class State(NamedTuple):
    """The evidence and its completions."""

    evidence: Int[np.ndarray, "h w"]
    """0, 1, or FREE."""
    completions: Int[np.ndarray, "completions h w"]
    sweeps: int
    seed: int

    @property
    def share(self) -> Float[np.ndarray, "h w"]:
        """Share of the completions in which a pixel is on."""
        return self.completions.mean(0)


def state(
    model: pk.Ising | pk.FactorGraph,
    evidence: Int[np.ndarray, "h w"],
    perturbation: bool,
    damping: float,
    sweeps: int,
    seed: int,
) -> State:
    """Draw completions of the evidence, each with noise of its own, or without noise."""
    samples = pk.sample(
        jax.random.key(seed),
        model,
        pk.PMP(damping=damping, keep_best=False, tolerance=0.0, noise=pk.Gumbel(1.0 if perturbation else 0.0)),
        num_samples=COMPLETIONS,
        num_sweeps=sweeps,
        evidence={"x": evidence},
    )
    return State(evidence, samples["x"], sweeps, seed)
