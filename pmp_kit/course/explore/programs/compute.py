"""The same draws of noise on a small spin glass, solved by LP, MPLP, max-product and enumeration (Section 5.2)."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from ..shared import spin_glass

DRAWS, MOST_SWEEPS = 6, 200
SWEEPS = (0, 1, 2, 3, 5, 8, 12, 20, 30, 50, 100, 200)
VERSIONS = {"paper: last state": ("zero", False), "kit: best state": ("neutral", True)}


class State(NamedTuple):
    """Answers to each draw of the noise: spins -1 and +1, or fractions of +1. Scores are relative to the best one."""

    fractions: Float[np.ndarray, "n draws"]
    mplp: Float[np.ndarray, "n draws"]
    max_product: Float[np.ndarray, "n draws"]
    exact: Float[np.ndarray, "n draws"]
    best: Float[np.ndarray, " draws"]
    """The score of the exact answer, in nats."""
    lp_value: Float[np.ndarray, " draws"]
    dual: Float[np.ndarray, " draws"]
    mplp_score: Float[np.ndarray, " draws"]
    max_product_score: Float[np.ndarray, " draws"]
    mplp_sweeps: int
    """Number of sweeps after which MPLP stopped, at most MOST_SWEEPS."""

    @property
    def halves(self) -> float:
        """Per cent of the LP's fractions that are one half."""
        return 100 * float((np.abs(self.fractions - 0.5) < 1e-6).mean())

    @property
    def found(self) -> list[int]:
        """In how many draws MPLP and max-product have found the exact MAP."""
        return [int((spins == self.exact).all(0).sum()) for spins in (self.mplp, self.max_product)]


@functools.lru_cache(maxsize=32)
def _model(size: int, reach: float, seed: int) -> tuple:
    """Compute what does not depend on the sweeps: the model, its exact MAP, its LP, and the path of MPLP."""
    model = spin_glass.glass(size, reach, DRAWS, seed)
    exact = spin_glass.enumerated(model)[1]
    return model, exact, *spin_glass.relaxed(model), spin_glass.mplp(model, MOST_SWEEPS, seed)


@functools.lru_cache(maxsize=32)
def _spins_seen(size: int, reach: float, seed: int, start: str) -> Float[np.ndarray, "looks n draws"]:
    """Return the spins that max-product decodes after 0, 1, ... sweeps."""
    return spin_glass.decoded(spin_glass.max_product(_model(size, reach, seed)[0], start, MOST_SWEEPS))


def state(size: int, reach: float, version: str, sweeps: int, seed: int) -> State:
    """Solve every draw in four ways."""
    model, exact, fractions, lp_value, path = _model(size, reach, seed)
    start, keep_best = VERSIONS[version]
    seen = _spins_seen(size, reach, seed, start)[: sweeps + 1]
    scores, best = model.score(seen), model.score(exact)
    chosen = scores.argmax(0) if keep_best else np.full(DRAWS, sweeps)
    draws, look = np.arange(DRAWS), min(sweeps, len(path.beliefs) - 1)
    mplp = spin_glass.decoded(path.beliefs[look])
    return State(
        fractions=fractions,
        mplp=mplp,
        max_product=seen[chosen, :, draws].T,
        exact=exact,
        best=best,
        lp_value=lp_value - best,
        dual=path.dual[look] - best,
        mplp_score=model.score(mplp) - best,
        max_product_score=scores[chosen, draws] - best,
        mplp_sweeps=len(path.beliefs) - 1,
    )
