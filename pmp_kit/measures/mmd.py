"""Maximum mean discrepancy (MMD) between samples and data, with the average Hamming kernel of Section 5.

    MMD^2(x, y) = mean k(x_i, x_j) + mean k(y_i, y_j) - 2 mean k(x_i, y_j),    k(x, y) = exp(-scale * H(x, y) / D)

H is the number of variables that differ (the Hamming distance), and D is the number of variables. The paper's formula
omits the separate means. At the paper's scale 1, the kernel is nearly linear in H, so it measures mainly the mean of
each pixel. Scale 10 is sensitive to structure.

The V-statistic includes the pairs i = j, so a perfect sampler has the expected value (1/N + 1/M) (1 - mean k). The
U-statistic excludes them, so a perfect sampler has the expected value zero. Compare with data that the model was not
fitted to. Distances are whole numbers, so an exact histogram of the distances of all pairs is enough for all scales.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias, overload

import jax
import numpy as np
from jaxtyping import Int
from numpy.typing import NDArray

from ..engine import checks
from ..engine.arrays import refuse_traced
from ..engine.signatures import ArrayLike, States

SCALES = (1.0, 10.0, 50.0)
Data: TypeAlias = ArrayLike | dict[str, Any]
"""States (N, ...), or such arrays by block name."""
PAIRS_AT_ONCE = 4_000_000  # keeps the working memory near 100 MB
MANY_STATES = 100
"""States with larger numbers are numbered anew, because times grow with the largest number."""
FEWEST_PAIRS = 30
"""The effective number of pairs of the reference from which `null` is estimated from the reference alone."""


class Discrepancy(NamedTuple):
    """MMD^2 at one scale of the kernel.

    Attributes:
        scale: the scale of the kernel.
        v: the V-statistic, whose logarithm the paper reports.
        u: the U-statistic, which is unbiased and near zero for a perfect sampler.
        null: the standard deviation of `u` for a perfect sampler, estimated from the reference. If the kernel reaches
            few pairs of the reference, it is estimated from samples and reference together.
    """

    scale: float
    v: float
    u: float
    null: float

    @property
    def sigmas(self) -> float:
        """The U-statistic divided by its standard deviation for a perfect sampler; NaN if this deviation is 0."""
        return self.u / self.null if self.null > 0 else float("nan")


def mmd(samples: Data, reference: Data, *, scale: float = 1.0, statistic: str = "u") -> float:
    """Return the squared maximum mean discrepancy (MMD^2) between two sets of samples (Section 5).

    Args:
        samples: (N, ...) states, or a dict of such arrays by block name, as `sample` returns. Blocks that the reference
            does not have (hidden variables) are ignored.
        reference: the data, (M, ...) states or a dict of such arrays.
        scale: the scale of the kernel exp(-scale * H / D); larger values give a faster decay with the distance.
        statistic: "u" (unbiased) or "v" (as in the paper).

    Returns: MMD^2, without units. Cost: (N + M)^2 D. Raises: TypeError or ValueError if the arguments do not match.
    """
    if statistic not in ("u", "v"):
        raise ValueError(f"statistic: expected 'u' (unbiased) or 'v' (the paper's), got {statistic!r}")
    return getattr(mmd_panel(samples, reference, scales=(scale,))[0], statistic)


def mmd_panel(samples: Data, reference: Data, *, scales: Sequence[float] | float = SCALES) -> list[Discrepancy]:
    """Return MMD^2 at several scales: both statistics, and their standard deviation for a perfect sampler.

    Args:
        samples, reference: as for `mmd`.
        scales: one scale or a sequence of scales.

    Returns: one `Discrepancy` for each scale. Raises: TypeError or ValueError if the arguments do not match.
    """
    scales = [checks.number("scales", scale, low=1e-6, high=1e6) for scale in np.atleast_1d(scales)]
    x, y = matrices(samples, reference)
    xx, yy, xy = _distances_within(x), _distances_within(y), _distances(x, y)
    together = functools.cache(lambda: np.concatenate([xx + xy, yy + _distances(y, x)]))
    return [_discrepancy(scale, xx, yy, xy, together) for scale in scales]


@overload
def independent_pixels(key: jax.Array, data: dict[str, Any], num_samples: int) -> dict[str, States]: ...
@overload
def independent_pixels(key: jax.Array, data: ArrayLike, num_samples: int) -> States: ...
def independent_pixels(key: jax.Array, data: Any, num_samples: int) -> Any:
    """Draw samples with independent variables, each with the frequencies that it has in the data.

    A model whose samples are not clearly better than these has learned no structure.

    Args:
        key: a JAX key.
        data: (N, ...) states, or a dict of such arrays by block name.
        num_samples: the number of samples.

    Returns: samples in the form of the data, int32. Raises: TypeError or ValueError that names the argument.
    """
    key, number = checks.key(key), checks.count("num_samples", num_samples)
    if not isinstance(data, dict):
        return _independent(key, _states("data", data), number)
    of_blocks = zip(jax.random.split(key, len(data)), data.items(), strict=True)
    return {name: _independent(own, _states("data", block, axes=1), number) for own, (name, block) in of_blocks}


def _independent(key: jax.Array, data: np.ndarray, number: int) -> np.ndarray:
    """Return `independent_pixels` of one checked array of states."""
    if data.max() > 1:
        rows = np.asarray(jax.random.randint(key, (number, *data.shape[1:]), 0, len(data)))
        return np.take_along_axis(data, rows, 0)
    uniform = np.asarray(jax.random.uniform(key, (number, *data.shape[1:])))
    return (uniform < data.mean(0)).astype(np.int32)


def _discrepancy(
    scale: float, xx: np.ndarray, yy: np.ndarray, xy: np.ndarray, together: Callable[[], np.ndarray]
) -> Discrepancy:
    """From the histograms of distances, each (rows, D + 1); those within a set without the pairs i = j.

    The square of a narrow kernel depends on the few nearest pairs. A reference that by chance has none of them would
    give a deviation near 0, while u contains those between samples and reference. `null` is then estimated from both
    sets, whose histograms `together` computes when they are needed, (N + M, D + 1).
    """
    kernel = np.exp(-scale * np.arange(xx.shape[1]) / (xx.shape[1] - 1))
    n, m = len(xx), len(yy)
    sum_xx, sum_yy, mean_xy = (xx @ kernel).sum(), (yy @ kernel).sum(), (xy @ kernel).mean() / m
    v = (sum_xx + n) / n**2 + (sum_yy + m) / m**2 - 2 * mean_xy
    u = sum_xx / (n * (n - 1)) + sum_yy / (m * (m - 1)) - 2 * mean_xy
    spread = 2 / (n * (n - 1)) + 2 / (m * (m - 1)) + 4 / (n * m)
    pairs = yy.sum(0) / 2  # at each distance
    enough = (pairs @ kernel**2) ** 2 >= FEWEST_PAIRS * (pairs @ kernel**4)
    square = _centred_square(yy if enough else together(), kernel)
    return Discrepancy(scale, float(v), float(u), float(np.sqrt(spread * square)))


def _centred_square(distances: np.ndarray, kernel: np.ndarray) -> float:
    """Return an unbiased estimate of E[h(y, y')^2], where h(y, y') = k(y, y') - E k(y, .) - E k(., y') + E k.

    The three sums are U-statistics, because `distances` exclude the pairs of a sample with itself.
    """
    m = len(distances)
    rows = distances @ kernel
    squares = (distances @ kernel**2).sum()
    total = squares - 2 * (rows**2).sum() / (m - 2) + rows.sum() ** 2 / ((m - 1) * (m - 2))
    return max(total / (m * (m - 3)), 0.0)


def _distances_within(x: np.ndarray) -> Int[np.ndarray, "rows distances"]:
    """Return `_distances` of a set from itself, without the pairs i = j.

    These pairs are subtracted from the integer counts, which is exact. Their kernel is 1, and smaller kernel values
    could be lost to rounding in a sum that includes them.
    """
    counts = _distances(x, x)
    counts[:, 0] -= 1
    return counts


def _distances(x: np.ndarray, y: np.ndarray) -> Int[np.ndarray, "rows distances"]:
    """Return the number of rows of y (M, D) at Hamming distance 0 .. D from each row of x (N, D), (N, D + 1)."""
    size = x.shape[1]
    code_x, code_y, half = _codes(x, y)
    counts = np.empty((len(x), size + 1), np.int64)
    block = max(1, PAIRS_AT_ONCE // len(y))
    for start in range(0, len(x), block):
        agree = code_x[start : start + block] @ code_y.T  # D minus `half` for each difference
        distance = np.rint((size - agree) / half).astype(np.int64)
        distance += np.arange(len(distance))[:, None] * (size + 1)
        rows = np.bincount(distance.ravel(), minlength=len(agree) * (size + 1))
        counts[start : start + block] = rows.reshape(len(agree), size + 1)
    return counts


def _codes(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Return codes whose inner products count equal states: signs for binary states, else one-hot columns."""
    largest = max(x.max(), y.max())
    if largest <= 1:
        return (2 * x - 1).astype(np.float32), (2 * y - 1).astype(np.float32), 2.0
    one_hot = [np.concatenate([z == state for state in range(largest + 1)], axis=1).astype(np.float32) for z in (x, y)]
    return one_hot[0], one_hot[1], 1.0


def matrices(samples: Any, reference: Any) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return both arguments after checking them, as (N, D) and (M, D)."""
    if isinstance(samples, dict) != isinstance(reference, dict):
        raise TypeError(
            f"samples, reference: expected two arrays or two dicts, got {type(samples).__name__} and "
            f'{type(reference).__name__}; use one block of the dict such as samples["v"]'
        )
    if not isinstance(samples, dict):
        samples, reference = {"": samples}, {"": reference}
    if not reference:
        raise ValueError("reference: expected at least one block, got an empty dict")
    if missing := sorted(set(reference) - set(samples)):
        raise ValueError(f"samples: expected the blocks {sorted(reference)} of the reference, got none for {missing}")
    axes = 2 if "" in reference else 1  # a block may be a single variable
    both = {"samples": samples, "reference": reference}
    pairs = [[_states(f"{who} {name}".strip(), data[name], axes) for who, data in both.items()] for name in reference]
    for x, y in pairs:
        if x.shape[1:] != y.shape[1:]:
            raise ValueError(f"samples: expected shape (N, {', '.join(map(str, y.shape[1:]))}), got {x.shape}")
    if len({len(x) for x, _ in pairs}) > 1 or len({len(y) for _, y in pairs}) > 1:
        raise ValueError("samples, reference: expected the same number of samples in every block")
    x, y = (np.concatenate([pair[side].reshape(len(pair[side]), -1) for pair in pairs], axis=1) for side in (0, 1))
    if min(len(x), len(y)) < 4:
        raise ValueError(f"samples, reference: expected at least 4 samples each, got {len(x)} and {len(y)}")
    return _small_numbers(x, y) if max(x.max(), y.max()) > MANY_STATES else (x, y)


def _small_numbers(x: np.ndarray, y: np.ndarray) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return both with the states of each variable numbered anew: 0, and then those that occur, by size."""
    together = np.concatenate([np.zeros((1, x.shape[1]), np.int32), x, y])
    columns = [np.unique(column, return_inverse=True)[1][1:] for column in together.T]
    numbers = np.stack(columns, axis=1).astype(np.int32)
    return numbers[: len(x)], numbers[len(x) :]


def _states(name: str, value, axes: int = 2) -> Int[np.ndarray, "N ..."]:
    """Return a checked array of states with a leading axis of samples, and at least `axes` axes."""
    refuse_traced(name, value)
    array = checks.rectangular(name, value)
    if array.dtype.kind not in "iub":
        advice = "threshold or round them, then write x.astype(int)"
        raise TypeError(f"{name}: expected whole-number states, got dtype {array.dtype}; {advice}")
    if array.ndim < axes or 0 in array.shape:
        raise ValueError(
            f"{name}: expected shape (number of samples, variables ...), none of them 0, got {array.shape}"
        )
    if array.min() < 0:
        fix = (
            "this looks like spins, use (spins + 1) // 2"
            if array.min() == -1 and array.max() <= 1
            else "only evidence may be FREE"
        )
        raise ValueError(f"{name}: expected states 0, 1, ..., got {array[array < 0][0]}; {fix}")
    if array.max() > checks.MOST:
        raise ValueError(f"{name}: expected states up to {checks.MOST}, got {array.max()}; number them from 0")
    return array.astype(np.int32)
