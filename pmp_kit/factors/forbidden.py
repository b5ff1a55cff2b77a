"""Scores that may be -inf: finite parameters, and a mask of the entries that are allowed."""

import jax
import jax.numpy as jnp
import numpy as np

from ..engine import checks
from ..engine.arrays import contains_traced, is_traced

PROBABLE = 20.0
"""Nats below the highest score, up to which a state has a probability that matters (2e-9)."""


def finite_part(name: str, scores) -> tuple[jax.Array, np.ndarray | jax.Array | None]:
    """Split scores, some of which may be -inf, into finite parameters and a mask of the allowed entries.

    Returns: the parameters, with 0 for forbidden entries, and a bool array of their shape. The mask is None if all
        entries are allowed, and traced if the scores are, because their values are then unknown.
    """
    if contains_traced(scores):
        value = checks.parameter(name, scores)
        allowed = value != -jnp.inf
        return jnp.where(allowed, value, 0.0), allowed
    given = checks.rectangular(name, scores)
    if given.dtype.kind not in "fiu":
        return checks.parameter(name, scores), None
    allowed = given != -np.inf
    value = checks.parameter(name, np.where(allowed, given.astype(float), 0.0))
    check_rounding(name, given)
    return value, None if allowed.all() else allowed


def check_rounding(name: str, scores: np.ndarray) -> None:
    """Raise ValueError if JAX's precision rounds scores near the highest one of the last axis by more than 0.01.

    A large offset that all scores share, as in logarithms of likelihoods, leaves few digits for their differences.
    """
    exact = scores.astype(float)
    finite = np.where(np.isfinite(exact), exact, 0.0)
    if not finite.ndim or np.abs(finite).max(initial=0.0) < 1e5:
        return
    precision = jax.dtypes.canonicalize_dtype(np.float64)
    rounded = finite.astype(precision).astype(float)
    near = exact > exact.max(-1, keepdims=True) - PROBABLE
    near &= near.sum(-1, keepdims=True) > 1  # a lone probable state stays the most probable one
    lost = np.argwhere(near & (np.abs(rounded - finite) > 0.01))
    if lost.size:
        first = tuple(lost[0])
        raise ValueError(
            f"{name}: expected scores whose differences {precision} can hold, got {exact[first]:.17g} at index "
            f"{lost[0].tolist()}, which it rounds to {rounded[first]:.17g}; subtract the same number, such as "
            "the highest score, from all scores of a factor (in unaries: of a variable), or use float64"
        )


def check_possible(name: str, allowed: np.ndarray | jax.Array | None, axes: int) -> None:
    """Raise ValueError if a table (the last `axes` axes) has no allowed entry. Traced masks are not checked."""
    if allowed is None or is_traced(allowed):
        return
    if not allowed.any(tuple(range(-axes, 0))).all():
        raise ValueError(f"{name}: expected at least one finite score in each factor, got -inf everywhere")
