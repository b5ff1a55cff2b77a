"""Whether Markov chains have mixed: R-hat, effective sample size and Monte Carlo standard error, computed by ArviZ.

The definitions are those of Vehtari et al. 2021, as the package arviz-stats has them. It is an extra of the kit:
pip install "pmp_kit[diagnostics]".
"""

import numpy as np
from jaxtyping import Float

from ..engine import validate
from ..engine.signatures import ArrayLike

SHORTEST = 8


def r_hat(values: ArrayLike) -> Float[np.ndarray, "*rest"]:
    """Rank-normalised split R-hat: 1 when the chains have mixed, above 1.01 when they have not yet.

    Args:
        values: (T, chains, ...), as the values of a `Trace`, T at least 8, at least 2 chains.

    Returns: one number for each entry of the rest of the shape; NaN where nothing ever moves. Cost: T log T each.

    Raises: TypeError or ValueError that names the argument; ImportError without arviz-stats.
    """
    return _by_arviz("rhat", values, chains=2)


def effective_sample_size(values: ArrayLike) -> Float[np.ndarray, "*rest"]:
    """How many independent draws estimate the centre of the distribution as precisely: bulk ESS, rank-normalised.

    For values that are 0 or 1 it is that of the mean. Chains that disagree lower it.

    Args:
        values: (T, chains, ...), as the values of a `Trace`, T at least 8; without the draws before mixing.

    Returns, Raises: as `r_hat`; one chain is enough.
    """
    return _by_arviz("ess", values)


def mcse(values: ArrayLike) -> Float[np.ndarray, "*rest"]:
    """Monte Carlo standard error of the mean: the standard deviation over the root of the mean's effective sample size.

    Args:
        values: (T, chains, ...), as the values of a `Trace`, T at least 8; without the draws before mixing.

    Returns, Raises: as `r_hat`, in the unit of the values; one chain is enough.
    """
    return _by_arviz("mcse", values)


def _by_arviz(measure: str, values, chains: int = 1) -> np.ndarray:
    """A function of arviz_stats on arrays, for each entry after the axes of draws and chains."""
    array = _checked(values, chains)
    try:
        from arviz_stats.base.array import array_stats
    except ImportError as error:
        raise ImportError('arviz_stats: not installed; pip install "pmp_kit[diagnostics]"') from error
    with np.errstate(invalid="ignore", divide="ignore"):  # entries that never move
        result = getattr(array_stats, measure)(array, chain_axis=1, draw_axis=0)
    return np.where((array == array[0, 0]).all((0, 1)), np.nan, result)


def _checked(values, chains: int) -> np.ndarray:
    """Finite draws, (T, chains, ...) in float64."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"values: expected numbers, got {validate.describe(array)}")
    if array.ndim < 2 or len(array) < SHORTEST or array.shape[1] < chains:
        least = "" if chains == 1 else f"at least {chains} "
        raise ValueError(f"values: expected shape (at least {SHORTEST} draws, {least}chains, ...), got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("values: expected finite numbers, got NaN or infinity; observe another quantity, or fewer")
    return array.astype(np.float64)
