"""Whether Markov chains have mixed: effective sample size and split R-hat (Gelman et al. 2013; Vehtari et al. 2021)."""

import numpy as np
from jaxtyping import Float

from .. import validate

SHORTEST = 8


def split_r_hat(values) -> Float[np.ndarray, "*rest"]:
    """Sqrt of the variance of all draws over that inside half chains: 1 when mixed, above 1.01 when not yet.

    Args:
        values: (T, chains, ...), as the values of a `Trace`, T at least 8.

    Returns: one number for each entry of the rest of the shape; NaN where nothing ever moves.
    """
    halves = _halves(values)
    inside, total = _variances(halves)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.sqrt(total / inside).reshape(np.shape(values)[2:])


def effective_sample_size(values) -> Float[np.ndarray, "*rest"]:
    """How many independent draws give the mean as precisely: T chains / (1 + 2 sum of autocorrelations).

    The sum ends by Geyer's initial monotone rule; chains that disagree lower it.

    Args:
        values: (T, chains, ...), as the values of a `Trace`, T at least 8; without the draws before mixing.

    Returns: one number for each entry of the rest of the shape; NaN where nothing ever moves. Cost: T log T each.
    """
    halves = _halves(values)
    sizes = [_one_size(halves[..., k]) for k in range(halves.shape[-1])]
    return np.array(sizes).reshape(np.shape(values)[2:])


def _halves(values) -> np.ndarray:
    """Each chain as two, (T // 2, 2 chains, K); the middle draw of an odd T is left out."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"values: expected numbers, got {validate.describe(array)}")
    if array.ndim < 2 or len(array) < SHORTEST or array.shape[1] == 0:
        raise ValueError(f"values: expected shape (at least {SHORTEST} draws, chains, ...), got {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError("values: expected finite numbers, got NaN or infinity; observe another quantity, or fewer")
    array = array.reshape(len(array), array.shape[1], -1).astype(np.float64)
    half = len(array) // 2
    return np.concatenate([array[:half], array[-half:]], axis=1)


def _variances(halves: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean variance inside half chains, and that plus the variance between them, (K,) each."""
    draws = len(halves)
    inside = halves.var(0, ddof=1).mean(0)
    return inside, inside * (draws - 1) / draws + halves.mean(0).var(0, ddof=1)


def _one_size(halves: np.ndarray) -> float:
    """Effective sample size of half chains (T, chains)."""
    draws, chains = halves.shape
    inside, total = (float(v[0]) for v in _variances(halves[..., None]))
    if total == 0:
        return float("nan")
    correlation = 1.0 - (inside - _autocovariance(halves).mean(1)) / total
    correlation[0] = 1.0
    pairs = correlation[: draws - draws % 2].reshape(-1, 2).sum(1)  # positive and falling for a reversible chain
    negative = np.flatnonzero(pairs < 0)
    pairs = np.minimum.accumulate(pairs[: negative[0] if negative.size else None])
    time = max(2.0 * pairs.sum() - 1.0, 1.0 / np.log10(max(draws * chains, 10)))
    return draws * chains / time


def _autocovariance(halves: np.ndarray) -> np.ndarray:
    """Autocovariance at lags 0 .. T - 1 of each chain, (T, chains), divided by T."""
    draws = len(halves)
    centred = halves - halves.mean(0)
    spectrum = np.fft.rfft(centred, 2 * draws, axis=0)
    return np.fft.irfft(np.abs(spectrum) ** 2, 2 * draws, axis=0)[:draws] / draws
