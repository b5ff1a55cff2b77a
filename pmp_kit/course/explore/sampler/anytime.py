"""How often PMP has decoded the best configuration of a spin glass, after each sweep: a figure of page 04."""

from __future__ import annotations

from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

from ... import plot
from ...plot.figure import Figure
from ..shared.limits import EXACT_GAP

SIDE, COUPLING = 4, 0.8
WIDTH, HEIGHT = 560, 280


class Runs(NamedTuple):
    """Samples of PMP, recorded sweep by sweep. T = sweeps + 1 rows; row 0 is before the first sweep."""

    weight: Float[np.ndarray, "n n"]
    unaries: Float[np.ndarray, "S n"]
    """With the noise."""
    states: Int[np.ndarray, "T S n"]
    """The decoded states."""
    gaps: Float[np.ndarray, "T S"]
    """How far their score is below the best score, in nats."""

    @property
    def last(self) -> Float[np.ndarray, " T"]:
        """Share of the samples whose decoded states are the best configuration."""
        return (self.gaps < EXACT_GAP).mean(1)

    @property
    def kept(self) -> Float[np.ndarray, " T"]:
        """Share of the samples that have decoded the best configuration in this sweep or before."""
        return (np.minimum.accumulate(self.gaps) < EXACT_GAP).mean(1)


def runs(number: int, sweeps: int = 128, seed: int = 0) -> Runs:
    """Draw samples with Algorithm 1 to the letter, and the best configurations of the same perturbed models.

    Args:
        number: of samples.
        sweeps: number of sweeps.
        seed: of the couplings and of the noise.
    """
    coupling = np.zeros((SIDE**2, SIDE**2), np.float32)
    for i, j in pk.lattice_pairs(np.arange(SIDE**2).reshape(SIDE, SIDE)):
        sign = np.random.default_rng([seed, i, j]).choice([-1, 1])
        coupling[i, j] = coupling[j, i] = COUPLING * sign
    glass, key = pk.Ising(*pk.spins_to_binary(coupling, 0.0)[:2]), jax.random.key(seed)
    sampler = pk.PMP(**pk.paper_settings())
    seen = pk.trace(key, glass, sampler, num_samples=number, num_sweeps=sweeps, observe=_observe).values
    states, unaries, weight = seen[0].astype(int), seen[1][0], np.asarray(glass.weight)
    exact = pk.PerturbAndMAP(pk.Exhaustive())  # the same key, so the same noise
    best = pk.sample(key, glass, exact, num_samples=number, num_sweeps=1)["x"]
    gaps = _scores(best, unaries, weight) - _scores(states, unaries, weight)
    return Runs(weight, unaries, states, gaps)


def figure(found: Runs) -> Figure:
    """Draw the share of best configurations by sweep, of the last states and of the best so far.

    Args:
        found: samples. The bands are two standard errors.
    """
    canvas = plot.Canvas(WIDTH, HEIGHT)
    axes = canvas.axes(0.09, 0.18, 0.7, 0.68)
    axes.axhline(1.0, color=plot.METHODS["exact"].colour, linewidth=1.2)
    end, colour = len(found.gaps) - 1, plot.METHODS["PMP"].colour
    lines = (found.kept, colour, "--", "best so far"), (found.last, colour, "-", "last")
    for share, colour, line, words in lines:
        error = 2 * np.sqrt(share * (1 - share) / found.gaps.shape[1])
        axes.fill_between(range(end + 1), share - error, share + error, color=colour, alpha=0.15, linewidth=0)
        axes.plot(share, line, color=colour, linewidth=2)
        axes.text(1.02 * end, share[-1], words, va="center", fontsize=plot.TEXT, color=colour)
    axes.text(end, 1.02, "all samples", ha="right", va="bottom", **plot.WRITING)
    axes.set(xlim=(0, end), ylim=(0, 1.15), yticks=[0, 0.5, 1])
    axes.set_xlabel("sweep", **plot.WRITING)
    canvas.write(5, 20, "share of the samples that are the best configuration")
    return Figure(canvas.png(), WIDTH, "shares of best configurations by sweep: last decoded states, and best so far")


def _observe(view):
    return pk.observe.states(view)["x"], view.unaries[0]


def _scores(states, unaries, weight):
    return (states * unaries).sum(-1) + 0.5 * np.einsum("...i,ij,...j", states, weight, states)
