"""Convergence diagnostics of Markov chains: R-hat, effective sample size and Monte Carlo standard error.

The definitions are those of Vehtari, Gelman, Simpson, Carpenter and Buerkner (2021), and the results those of ArviZ.
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

    Raises: TypeError or ValueError that names the argument.
    """
    halves = halves_of(_checked(values, chains=2))
    folded = np.abs(halves - np.median(halves, (0, 1)))  # sees chains that differ in their spread alone
    return np.fmax(split_r_hat(_normal_scores(halves)), split_r_hat(_normal_scores(folded)))


def effective_sample_size(values: ArrayLike) -> Float[np.ndarray, "*rest"]:
    """Return the rank-normalised bulk effective sample size (ESS).

    This is the number of independent draws that would estimate the centre of the distribution with the same precision.
    For binary values it is the effective sample size of the mean. It is smaller if the chains disagree.

    Args:
        values: (T, chains, ...), such as `.values["x"]` of a `Trace`, with at least 8 rows, after the burn-in. Samples
            of `sample` are one chain: pass `x[:, None]`. For categories, pass indicators `values == c`.

    Returns, Raises: as for `r_hat`; one chain is enough.
    """
    return effective_size(_normal_scores(halves_of(_checked(values))))


def mcse(values: ArrayLike) -> Float[np.ndarray, "*rest"]:
    """Return the Monte Carlo standard error (MCSE) of the mean.

    It is the standard deviation divided by the square root of the effective sample size of the mean.

    Args:
        values: (T, chains, ...), such as `.values["x"]` of a `Trace`, with at least 8 rows, after the burn-in. Samples
            of `sample` are one chain: pass `x[:, None]`. For categories, pass indicators `values == c`.

    Returns, Raises: as for `r_hat`, in the unit of the values; one chain is enough.
    """
    array = _checked(values)
    draws = np.moveaxis(array, (0, 1), (-2, -1)).reshape(*array.shape[2:], -1)  # the same sums for any other axes
    return draws.std(-1, ddof=1) / np.sqrt(effective_size(halves_of(array)))


def split_r_hat(halves: np.ndarray) -> np.ndarray:
    """Return R-hat of the halves of chains (T, M, ...); infinite for different constants, NaN if all are the same."""
    within, means = halves.var(0, ddof=1).mean(0), halves.mean(0)
    with np.errstate(invalid="ignore", divide="ignore"):  # constant entries
        ratio = len(halves) * means.var(0, ddof=1) / within
    return np.sqrt((ratio - 1.0) / len(halves) + 1.0)


def effective_size(halves: np.ndarray) -> np.ndarray:
    """Return the effective sample size of the mean of the halves of chains (T, M, ...); NaN for constant entries.

    The autocorrelations are summed in pairs while the sum of a pair is positive, and no pair counts for more than the
    one before it (Geyer's initial monotone sequence).
    """
    draws, chains, *rest = halves.shape
    rows = np.moveaxis(halves, 0, -1)  # (M, ..., T)
    centred = rows - rows.mean(-1, keepdims=True)
    spectrum = np.fft.rfft(centred, 2 * draws)
    covariance = np.fft.irfft(np.abs(spectrum) ** 2, 2 * draws)[..., :draws].mean(0) / draws
    within = covariance[..., :1] * draws / (draws - 1.0)
    total = covariance[..., :1] + rows.mean(-1).var(0, ddof=1)[..., None]
    with np.errstate(invalid="ignore", divide="ignore"):  # constant entries
        correlation = 1.0 - (within - covariance) / total
    correlation[..., 0] = 1.0
    number = (draws - 3) // 2  # the last lags have hardly any products
    pairs = correlation[..., : 2 * number].reshape(*rest, number, 2).sum(-1)
    positive = np.logical_and.accumulate(pairs > 0.0, axis=-1)
    summed = np.where(positive, np.minimum.accumulate(pairs, axis=-1), 0.0).sum(-1)
    next_one = np.take_along_axis(correlation, 2 * positive.sum(-1, keepdims=True), -1)[..., 0]
    size = draws * chains
    time = np.maximum(2.0 * summed - 1.0 + np.maximum(next_one, 0.0), 1.0 / np.log10(size))
    return np.where((halves == halves[0, 0]).all((0, 1)), np.nan, size / time)


def halves_of(array: np.ndarray) -> np.ndarray:
    """Return the halves of chains (T, M, ...) as chains, (T // 2, 2 M, ...)."""
    half = len(array) // 2
    return np.concatenate([array[:half], array[-half:]], axis=1)


def _normal_scores(array: np.ndarray) -> np.ndarray:
    """Return the normal scores of the ranks of all draws (T, M, ...), for each entry."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    flat = array.reshape(array.shape[0] * array.shape[1], -1)
    return ndtri((rankdata(flat, axis=0) - 0.375) / (len(flat) + 0.25)).reshape(array.shape)


def _checked(values, chains: int = 1) -> np.ndarray:
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
