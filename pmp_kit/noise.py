"""Noise families of perturb-and-MAP (maximum a posteriori), all with mean zero.

At scale 1 every family has the variance pi^2/6 of the standard Gumbel distribution, so families can be compared. Only
Gumbel noise makes perturb-and-MAP exact for independent variables with any number of states. With zero-mean Gumbel
noise (location -0.5772), E[max] is an upper bound of log Z (Section 2.2).
"""

from abc import abstractmethod
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import log_ndtr, ndtr

from .engine import checks
from .engine.signatures import Number

TOGETHER = 2**31 - 1
"""The number folded into the key for joint noise of all samples. No sample has this number."""
STANDARD_DEVIATION = float(np.pi / np.sqrt(6.0))
HALF_WIDTH = STANDARD_DEVIATION * float(np.sqrt(3.0))
"""Uniform noise of scale 1 is in the interval [-HALF_WIDTH, HALF_WIDTH]."""


class AbstractNoise(eqx.Module):
    """A family of zero-mean noise.

    Args: scale: multiplies every draw, from 0 (no noise) to 1e6. Raises: TypeError or ValueError that names it.
    """

    scale: Number = 1.0

    def __post_init__(self):
        self.scale = checks.number("scale", self.scale, low=0.0, high=1e6)

    @abstractmethod
    def standard(self, key: jax.Array, shape: tuple[int, ...], dtype: Any) -> jax.Array:
        """Return draws with scale 1. They must be finite: noise of NaN gives wrong samples without an error."""

    def draw(self, key: jax.Array, shape: tuple[int, ...], dtype: Any = float) -> jax.Array:
        """Return independent draws for single states, in nats."""
        return self.scale * self.standard(key, shape, dtype)

    def draw_together(self, key: jax.Array, shape: tuple[int, ...], dtype: Any) -> jax.Array | None:
        """Return joint noise (planes, n, samples) for families whose samples depend on each other, otherwise None.

        Args:
            key: the key of the call, from which the keys of the samples are derived.
            shape: (planes, n, samples).
            dtype: the number type of the result.
        """
        return None

    def draw_log_odds(self, key: jax.Array, shape: tuple[int, ...], dtype: Any = float) -> jax.Array:
        """Return differences of two independent draws, which perturb the log-odds of binary variables, in nats."""
        one, zero = jax.random.split(key)
        return self.draw(one, shape, dtype) - self.draw(zero, shape, dtype)

    def of_normals(self, normals: jax.Array) -> jax.Array:
        """Return noise for single states as a function of standard normal variables (Appendix A).

        Raises: ValueError for families that are no such function.
        """
        raise ValueError(f"noise: expected a family that is a function of normal variables, got {type(self).__name__}")

    def log_odds_of_normals(self, normals: jax.Array) -> jax.Array:
        """Return the same for log-odds, with the distribution of the difference of two draws."""
        raise ValueError(f"noise: expected a family that is a function of normal variables, got {type(self).__name__}")


class Gumbel(AbstractNoise):
    """Zero-mean Gumbel noise, Gumbel(-gamma, 1) with Euler's constant gamma = 0.5772, as in the paper (Section 2.2).

        epsilon = scale (-log(-log U) - gamma),   U uniform in (0, 1)

    Args: scale: multiplies every draw, from 0 (no noise) to 1e6. Raises: TypeError or ValueError that names it.
    """

    def standard(self, key, shape, dtype):
        return jax.random.gumbel(key, shape, dtype) - float(np.euler_gamma)

    def draw_log_odds(self, key, shape: tuple[int, ...], dtype: Any = float):
        """Return logistic noise, the distribution of the difference of two Gumbel draws, from one draw."""
        return self.scale * logistic(key, shape, dtype)

    def of_normals(self, normals):
        return self.scale * gumbel_of_normal(normals)

    def log_odds_of_normals(self, normals):
        return self.scale * logistic_of_normal(normals)


class ReversedGumbel(AbstractNoise):
    """The negative of zero-mean Gumbel noise.

    The difference of two draws is logistic, as for Gumbel noise. So for binary variables it is equivalent to Gumbel
    noise and exact. For three or more states it is not exact.
    """

    def standard(self, key, shape, dtype):
        return float(np.euler_gamma) - jax.random.gumbel(key, shape, dtype)

    def draw_log_odds(self, key, shape: tuple[int, ...], dtype: Any = float):
        """Return logistic noise, as for Gumbel noise."""
        return self.scale * logistic(key, shape, dtype)

    def of_normals(self, normals):
        return -self.scale * gumbel_of_normal(normals)

    def log_odds_of_normals(self, normals):
        return self.scale * logistic_of_normal(normals)


class SumOfGamma(AbstractNoise):
    """Sum-of-gamma noise: the sum of `kappa` draws of scale 1 / sqrt(kappa) is Gumbel noise (Niepert et al. 2021).

    It uses the series Gumbel = sum_i (E_i - 1) / i over exponential variables E_i, each of which is a sum of kappa
    Gamma(1 / kappa) variables. The first `terms` terms of the series are drawn. Normal noise with the remaining
    variance replaces the other terms. With kappa = 1 this is nearly Gumbel noise. It is intended for models in which
    kappa variables are 1, such as `ExactlyK` with k = kappa. Cost: `terms` gamma draws for each number.

    Args:
        scale: multiplies every draw.
        kappa: from 1 to 1e6.
        terms: the number of terms that are drawn, at least 1.

    Raises: TypeError or ValueError that names the argument.
    """

    kappa: Number = 1.0
    terms: int = eqx.field(static=True, default=10)

    def __post_init__(self):
        super().__post_init__()
        self.kappa = checks.number("kappa", self.kappa, low=1.0, high=1e6)
        self.terms = checks.count("terms", self.terms)

    def standard(self, key, shape, dtype):
        of_terms, of_rest = jax.random.split(key)
        order = np.arange(1.0, self.terms + 1).reshape(-1, *(1,) * len(shape))
        gammas = jax.random.gamma(of_terms, 1.0 / self.kappa, (self.terms, *shape), dtype)
        series = jnp.sum((gammas - 1.0 / self.kappa) / jnp.asarray(order, gammas.dtype), axis=0)
        rest = float(np.sqrt(np.pi**2 / 6.0 - np.sum(order**-2.0)))
        return jnp.sqrt(self.kappa) * series + rest * jax.random.normal(of_rest, shape, dtype)


class Gaussian(AbstractNoise):
    """Normal noise, at scale 1 with the variance of Gumbel noise."""

    def standard(self, key, shape, dtype):
        return STANDARD_DEVIATION * jax.random.normal(key, shape, dtype)

    def of_normals(self, normals):
        return self.scale * STANDARD_DEVIATION * normals

    def log_odds_of_normals(self, normals):
        return self.scale * STANDARD_DEVIATION * float(np.sqrt(2.0)) * normals


class Uniform(AbstractNoise):
    """Uniform noise with mean zero, at scale 1 with the variance of Gumbel noise."""

    def standard(self, key, shape, dtype):
        return jax.random.uniform(key, shape, dtype, -HALF_WIDTH, HALF_WIDTH)

    def of_normals(self, normals):
        return self.scale * HALF_WIDTH * (1.0 - 2.0 * ndtr(-normals))

    def log_odds_of_normals(self, normals):
        """Return noise with a triangular distribution, the difference of two uniform draws."""
        outer = 1.0 - jnp.sqrt(2.0 * ndtr(-jnp.abs(normals)))
        return self.scale * 2.0 * HALF_WIDTH * jnp.copysign(outer, normals)


def logistic(key, shape: tuple[int, ...], dtype: Any = float):
    """Return standard logistic noise. In float32 its absolute value is at most 16.7.

    jax.random.logistic is -87 once in 2^23 float32 draws, which puts variables in states of any small probability.
    """
    return log_odds(open_uniform(key, shape, dtype))


def open_uniform(key, shape: tuple[int, ...], dtype: Any = float):
    """Return uniform numbers between 0 and 1, half a step above those of JAX, which may be 0."""
    uniform = jax.random.uniform(key, shape, dtype)
    return uniform + 0.5 * jnp.finfo(uniform.dtype).eps


def log_odds(probability):
    """Return log(p / (1 - p)). One logarithm of the ratio takes two thirds of the time of a difference of two."""
    return jnp.log(probability / (1.0 - probability))


def gumbel_of_normal(normals):
    """Return zero-mean Gumbel noise -gamma - log(-log Phi(g)) for standard normal variables g (Appendix A)."""
    return -float(np.euler_gamma) - jnp.log(-log_normal_cdf(normals))


def logistic_of_normal(normals):
    """Return logistic noise log Phi(g) - log Phi(-g) for standard normal variables g (Appendix A)."""
    return log_normal_cdf(normals) - log_normal_cdf(-normals)


def log_normal_cdf(normals):
    """Return log Phi(g), the logarithm of the normal distribution function, to full precision in float32.

    In float32, Phi(g) rounds to 1 above g = 5.4, and JAX's log_ndtr has errors up to 7 % above g = 4. The formula
    log1p(-Phi(-g)) is accurate there.
    """
    lower = log_ndtr(-jnp.abs(normals))
    return jnp.where(normals > 0, jnp.log1p(-jnp.exp(lower)), lower)


class StratifiedGumbel(Gumbel):
    """Stratified Gumbel noise (a Latin hypercube) over the samples of one call, which reduces the variance of means.

    For each variable, the range is divided into S parts of equal probability, and each of the S samples falls into a
    different part, in random order. Each single sample has the distribution of Gumbel noise. With this family only, a
    sample depends on the number of samples that are drawn with it. The noise of all samples is drawn at once, also in
    `stream`: S numbers for each state of each variable.
    """

    of_normals = AbstractNoise.of_normals  # strata exist only within one call, so chains cannot continue them
    log_odds_of_normals = AbstractNoise.log_odds_of_normals

    def draw_together(self, key, shape, dtype):
        samples = shape[-1]
        order, place = jax.random.split(jax.random.fold_in(key, TOGETHER))
        strata = jnp.broadcast_to(jnp.arange(samples, dtype=dtype), shape)
        strata = jax.random.permutation(order, strata, axis=-1, independent=True)
        uniform = (strata + open_uniform(place, shape, dtype)) / samples
        uniform = jnp.minimum(uniform, 1.0 - jnp.finfo(dtype).epsneg)  # the sum may round up to `samples`
        if shape[0] == 1:
            return self.scale * log_odds(uniform)
        return self.scale * (-jnp.log(-jnp.log(uniform)) - float(np.euler_gamma))
