"""Scores that may be -inf: finite parameters, and a mask of the entries that are allowed."""

from collections.abc import Sequence

import jax
import jax.numpy as jnp
import numpy as np

from ..engine import checks
from ..engine.arrays import contains_traced, is_traced

LARGE = 1e5
"""Scores below this are rounded by less than 0.01 in float32."""
PROBABLE = 20.0
"""Nats below the highest score, up to which a state has a probability that matters (2e-9)."""


def finite_part(
    name: str, scores, axes: int = 1, lengths: Sequence[int] | None = None
) -> tuple[jax.Array, np.ndarray | jax.Array | None]:
    """Split scores, some of which may be -inf, into finite parameters and a mask of the allowed entries.

    Args:
        axes: the number of last axes that are the table of one factor or variable, for `check_rounding`.
        lengths: the sizes of tables that are one after the other in a flat array, in place of `axes`.

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
    if lengths is None:
        check_rounding(name, given, axes)
    elif np.abs(np.where(allowed, given, 0.0)).max(initial=0.0) >= LARGE:
        for number, table in enumerate(np.split(given, np.cumsum(lengths)[:-1])):
            check_rounding(f"{name}[{number}]", table)
    return value, None if allowed.all() else allowed


def check_rounding(name: str, scores: np.ndarray, axes: int = 1) -> None:
    """Raise ValueError if JAX's precision rounds scores near the highest one of a table by more than 0.01.

    A large offset that all scores of a table share, as in logarithms of likelihoods, leaves few digits for their
    differences. The same number may be subtracted from all of them, but not another one from each row.

    Args:
        axes: the number of last axes that are one table.
    """
    shape, exact = scores.shape, scores.astype(float)
    if 1 < axes <= scores.ndim:
        exact = exact.reshape(*shape[: scores.ndim - axes], -1)
    finite = np.where(np.isfinite(exact), exact, 0.0)
    if not finite.ndim or np.abs(finite).max(initial=0.0) < LARGE:
        return
    precision = jax.dtypes.canonicalize_dtype(np.float64)
    rounded = finite.astype(precision).astype(float)
    near = exact > exact.max(-1, keepdims=True) - PROBABLE
    near &= near.sum(-1, keepdims=True) > 1  # a lone probable state stays the most probable one
    lost = np.argwhere(near & (np.abs(rounded - finite) > 0.01))
    if lost.size:
        first = tuple(lost[0])
        index = np.unravel_index(np.ravel_multi_index(first, exact.shape), shape)
        raise ValueError(
            f"{name}: expected scores whose differences {precision} can hold, got {exact[first]:.17g} at index "
            f"{[int(one) for one in index]}, which it rounds to {rounded[first]:.17g}; subtract the highest score, "
            f"{exact.max(-1)[first[:-1]]:.17g}, from all scores of this factor (in unaries: of this variable), or use "
            "float64"
        )


def check_possible(name: str, allowed: np.ndarray | jax.Array | None, axes: int) -> None:
    """Raise ValueError if a table (the last `axes` axes) has no allowed entry. Traced masks are not checked."""
    if allowed is None or is_traced(allowed):
        return
    if not allowed.any(tuple(range(-axes, 0))).all():
        raise ValueError(f"{name}: expected at least one finite score in each factor, got -inf everywhere")
