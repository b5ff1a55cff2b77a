"""The four coupled spins of Section 5.1: the exact distribution, a table of PMP's samples, and Adam on samples of it.

The model is symmetric in its four spins. So the five probabilities of 0 to 4 spins up determine a distribution over the
16 configurations, and its KL divergences.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import jax
import numpy as np
from jaxtyping import Float, Int

import pmp_kit as pk

from ..student import Part

WAYS = np.array([1.0, 4.0, 6.0, 4.0, 1.0])
"""Configurations with 0 to 4 spins up."""
PAIRS = np.array([6.0, 0.0, -2.0, 0.0, 6.0])
"""Their sum over pairs of s_i s_j."""
COUPLINGS = np.linspace(0.0, 0.7, 29)
"""The theta of the table; shares in between are interpolated."""
DIAL = np.linspace(0.0, COUPLINGS[-1], 141)
"""The theta of the curves."""
STARTS = ("zero", "neutral")
SWEEPS = (1, 2, 5, 10, 20, 50, 100)
DRAWS = 4_096
"""Samples at each theta: of the kit's PMP, and of a reader's sampler."""
STEPS, RATE, CHAINS = 200, 0.01, 100
"""The paper's Adam: steps, learning rate, samples in each step."""


def gibbs(theta) -> Float[np.ndarray, "... 5"]:
    """Return p(0 to 4 spins up) of the model itself, for theta (...)."""
    weights = WAYS * np.exp(np.asarray(theta)[..., None] * PAIRS)
    return weights / weights.sum(-1, keepdims=True)


def up(view):
    """Observe how many spins are up in each sample."""
    return pk.observe.states(view)["x"].sum(0)


@functools.cache
def pmp_table(start: str, seed: int) -> Float[np.ndarray, "sweeps couplings 5"]:
    """Return the shares of 0 to 4 spins up among DRAWS samples of PMP.

    The noise is the same for every theta, so that the curves are smooth. It is stratified, which is as good as four
    times as many draws.
    """
    sampler = pk.PMP(**pk.paper_settings(start=start), noise=pk.StratifiedGumbel())
    return shares_of(np.swapaxes(_counts(jax.random.key(seed), sampler, COUPLINGS.astype(np.float32)), 0, 1))


@jax.jit
def _counts(key, sampler, couplings):
    """Count the samples with 0 to 4 spins up: (couplings, sweeps, 5), one theta after the other in one program."""

    def at(theta):
        model = pk.CompleteIsing(theta)
        history = pk.trace(key, model, sampler, num_sweeps=max(SWEEPS), observe=up, num_samples=DRAWS)
        return (history.values[np.array(SWEEPS)][..., None] == np.arange(5)).sum(1)

    return jax.lax.map(at, couplings)


def shares_of(counts) -> Float[np.ndarray, "... 5"]:
    """Return counts of 0 to 4 spins up as shares. A count of 0 becomes 0.5, so that KL stays finite."""
    counts = np.asarray(counts)
    return np.maximum(counts, 0.5) / counts.sum(-1, keepdims=True)


def parts(sweeps: int, seed: int) -> list[Part]:
    """Return the calls of a reader's sampler: DRAWS samples of four spins at each theta of the table.

    A coupling theta of spins is a weight 4 theta of 0/1 variables, and biases of -2 theta for each of the three pairs.
    """
    noise = np.random.default_rng(seed).logistic(size=(DRAWS, 4))
    off = 1.0 - np.eye(4)
    return [Part(-6.0 * theta + noise, 4.0 * theta * off, sweeps, 0.5) for theta in COUPLINGS]


def own_shares(results: Sequence[Int[np.ndarray, "S 4"]]) -> Float[np.ndarray, "couplings 5"]:
    """Return the shares of 0 to 4 spins up in what a reader's sampler returned for `parts`."""
    return shares_of([np.bincount(states.sum(1), minlength=5) for states in results])


def interpolate(shares: Float[np.ndarray, "couplings 5"], theta) -> Float[np.ndarray, "... 5"]:
    """Return the distribution of PMP at theta (...), from one row of the table; theta is clipped to the table."""
    place = np.clip(np.asarray(theta) / COUPLINGS[-1], 0.0, 1.0) * (len(COUPLINGS) - 1)
    low = np.minimum(place.astype(int), len(COUPLINGS) - 2)
    part = (place - low)[..., None]
    between = (1 - part) * shares[low] + part * shares[low + 1]
    return between / between.sum(-1, keepdims=True)


def kl(p: Float[np.ndarray, "... 5"], q: Float[np.ndarray, "... 5"]) -> Float[np.ndarray, ...]:
    """Return KL(p || q), in nats."""
    return (p * np.log(p / q)).sum(-1)


@functools.lru_cache(maxsize=64)
def adam_path(data_theta: float, start: str, sweeps: int, seed: int) -> Float[np.ndarray, " steps"]:
    """Return the learned theta after 0 to STEPS steps of Adam on E_data - E_PMP of the sum of s_i s_j (Eq. 3).

    The data's moment is exact, the other one comes from CHAINS fresh samples of the tabulated PMP distribution.
    """
    return adam(data_theta, pmp_table(start, seed)[SWEEPS.index(sweeps)], seed)


def adam(data_theta: float, shares: Float[np.ndarray, "couplings 5"], seed: int) -> Float[np.ndarray, " steps"]:
    """Return the path of `adam_path` for a row of a table; theta stays in the range of the table."""
    draw = np.random.default_rng(seed)
    goal, theta, mean, square = gibbs(data_theta) @ PAIRS, 0.0, 0.0, 0.0
    path = [theta]
    for step in range(1, STEPS + 1):
        gap = goal - draw.multinomial(CHAINS, interpolate(shares, theta)) @ PAIRS / CHAINS
        mean, square = 0.9 * mean + 0.1 * gap, 0.999 * square + 0.001 * gap**2
        theta += RATE * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        theta = min(max(theta, 0.0), COUPLINGS[-1])
        path.append(float(theta))
    return np.array(path)


class State(NamedTuple):
    """The learned theta as a Gibbs distribution and as a distribution of PMP, over 0 to 4 spins up."""

    data_theta: float
    theta: float
    """The learned theta of the slider."""
    data: Float[np.ndarray, " spins_up"]
    gibbs: Float[np.ndarray, " spins_up"]
    pmp: Float[np.ndarray, " spins_up"]
    kl_gibbs: float
    """KL(data || Gibbs at theta), in nats."""
    kl_pmp: float
    gibbs_curve: Float[np.ndarray, " dial"]
    """The same for every theta in DIAL."""
    pmp_curve: Float[np.ndarray, " dial"]
    path: Float[np.ndarray, " steps"]
    """Learned theta after 0, 1, ... steps of Adam."""
    seed: int
    kit_curve: Float[np.ndarray, " dial"] | None = None
    """The curve of the kit's PMP where `pmp_curve` is that of a reader's sampler."""

    @property
    def best(self) -> float:
        """The theta at which PMP is closest to the data."""
        return float(DIAL[self.pmp_curve.argmin()])

    @property
    def closest(self) -> str:
        """The same in words: at the end of the dial, the minimum may be beyond it."""
        return f"{self.best:.2f}" + (" or more" if self.best == DIAL[-1] else "")

    @property
    def sampler(self) -> str:
        """What the status and the picture call the sampler of `pmp` and `pmp_curve`."""
        return "PMP" if self.kit_curve is None else "given sampler"


def state(
    data_theta: float,
    learned_theta: float,
    start: str,
    sweeps: int,
    step: int,
    seed: int,
    own: Float[np.ndarray, "couplings 5"] | None = None,
) -> State:
    """Compare the exact Gibbs distribution, the table of PMP's samples, and the first `step` steps of Adam.

    With `own`, the shares of a reader's sampler, these take the place of PMP's table.
    """
    kit = pmp_table(start, seed)[SWEEPS.index(sweeps)]
    shares = kit if own is None else own
    data, exact, pmp = gibbs(data_theta), gibbs(learned_theta), interpolate(shares, learned_theta)
    curves = kl(data, gibbs(DIAL)), kl(data, interpolate(shares, DIAL))
    path = adam_path(data_theta, start, sweeps, seed) if own is None else adam(data_theta, own, seed)
    here = float(kl(data, exact)), float(kl(data, pmp))
    kit_curve = None if own is None else kl(data, interpolate(kit, DIAL))
    return State(data_theta, learned_theta, data, exact, pmp, *here, *curves, path[: step + 1], seed, kit_curve)
