"""Convergence diagnostics of Markov chains: R-hat, effective sample size and Monte Carlo standard error.

They are computed by the package arviz-stats, with the definitions of Vehtari et al. (2021). Install it with
pip install "pmp_kit[diagnostics]".
"""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Float

from ..engine import checks
from ..engine.arrays import refuse_traced
from ..engine.signatures import ArrayLike
from ..results import Trace

SHORTEST = 8


def r_hat(values: ArrayLike) -> Float[np.ndarray, "*rest"]:
    """Return the rank-normalised split R-hat: near 1 if the chains have mixed, above 1.01 if they have not.

    Args:
        values: (T, chains, ...), such as `.values["x"]` of a `Trace`, with at least 8 rows and 2 chains. The second
            axis is always that of the chains. The samples of `sample` have no such axis: of an array (N, n), each
            variable would count as a chain. For states of more than two categories, pass indicators `values == c`.

    Returns: one number for each of the other entries, NaN for constant entries. Cost: T log T for each entry.

    Raises: TypeError or ValueError that names the argument; ImportError without arviz-stats.
    """
    return _by_arviz("rhat", values, chains=2)


def effective_sample_size(values: ArrayLike) -> Float[np.ndarray, "*rest"]:
    """Return the rank-normalised bulk effective sample size (ESS).

    This is the number of independent draws that would estimate the centre of the distribution with the same precision.
    For binary values it is the effective sample size of the mean. It is smaller if the chains disagree.

    Args:
        values: (T, chains, ...), such as `.values["x"]` of a `Trace`, with at least 8 rows, after the burn-in. Samples
            of `sample` are one chain: pass `x[:, None]`. For categories, pass indicators `values == c`.

    Returns, Raises: as for `r_hat`; one chain is enough.
    """
    return _by_arviz("ess", values)


def mcse(values: ArrayLike) -> Float[np.ndarray, "*rest"]:
    """Return the Monte Carlo standard error (MCSE) of the mean.

    It is the standard deviation divided by the square root of the effective sample size of the mean.

    Args:
        values: (T, chains, ...), such as `.values["x"]` of a `Trace`, with at least 8 rows, after the burn-in. Samples
            of `sample` are one chain: pass `x[:, None]`. For categories, pass indicators `values == c`.

    Returns, Raises: as for `r_hat`, in the unit of the values; one chain is enough.
    """
    return _by_arviz("mcse", values)


def _by_arviz(measure: str, values, chains: int = 1) -> np.ndarray:
    """Return the result of a function of arviz_stats for each entry after the axes of draws and chains."""
    array = _checked(values, chains)
    try:
        from arviz_stats.base.array import array_stats
    except ImportError as error:
        raise ImportError('arviz_stats: not installed; pip install "pmp_kit[diagnostics]"') from error
    with np.errstate(invalid="ignore", divide="ignore"):  # constant entries
        result = getattr(array_stats, measure)(array, chain_axis=1, draw_axis=0)
    return np.where((array == array[0, 0]).all((0, 1)), np.nan, result)


def _checked(values, chains: int) -> np.ndarray:
    """Return the checked draws, (T, chains, ...) in float64."""
    if isinstance(values, (Mapping, Trace)):
        got, block = ("Trace", '.values["x"]') if isinstance(values, Trace) else (type(values).__name__, '["x"]')
        raise TypeError(f"values: expected an array (T, chains, ...), got {got}; pass one block of it such as {block}")
    refuse_traced("values", values)
    array = checks.rectangular("values", values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"values: expected numbers, got {checks.describe(array)}")
    if array.ndim < 2 or len(array) < SHORTEST or array.shape[1] < chains:
        least = "" if chains == 1 else f"at least {chains} "
        raise ValueError(f"values: expected shape (at least {SHORTEST} draws, {least}chains, ...), got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("values: expected finite numbers, got NaN or infinity; observe another quantity, or fewer")
    return array.astype(np.float64)
