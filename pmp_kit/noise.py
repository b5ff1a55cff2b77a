"""Noise: the perturbations of perturb-and-MAP, all with mean zero.

At scale 1 every family has the variance pi^2/6 of the standard Gumbel, so that families can be compared. Only Gumbel
noise makes perturb-and-MAP exact for independent variables with any number of states, and only its zero mean (location
-0.5772) makes E[max] an upper bound of log Z (Section 2.2).
"""

from abc import abstractmethod
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import log_ndtr, ndtr

from .engine import validate
from .engine.signatures import Number

TOGETHER = 2**31 - 1
"""Folded into the key of a call for noise that its samples draw together: no sample has this number."""
STANDARD_DEVIATION = float(np.pi / np.sqrt(6.0))
HALF_WIDTH = STANDARD_DEVIATION * float(np.sqrt(3.0))
"""Uniform noise lies between minus this and this."""


class AbstractNoise(eqx.Module):
    """A family of zero-mean noise; `scale` multiplies every draw, and 0 switches the perturbation off."""

    scale: Number = 1.0

    def __post_init__(self):
        self.scale = validate.number("scale", self.scale, low=0.0, high=1e6)

    @abstractmethod
    def standard(self, key: jax.Array, shape: tuple[int, ...], dtype: Any) -> jax.Array:
        """Draw with scale 1."""

    def draw(self, key: jax.Array, shape: tuple[int, ...], dtype: Any = float) -> jax.Array:
        """Independent draws for single states, in nats."""
        return self.scale * self.standard(key, shape, dtype)

    def draw_together(self, key: jax.Array, shape: tuple[int, ...], dtype: Any) -> jax.Array | None:
        """Noise (planes, n, samples) of all samples, for families whose samples depend on each other; else None.

        Args:
            key: that of the call, from which those of the samples are made.
        """
        return None

    def draw_log_odds(self, key: jax.Array, shape: tuple[int, ...], dtype: Any = float) -> jax.Array:
        """The difference of two independent draws: what perturbs the log-odds of a binary variable."""
        one, zero = jax.random.split(key)
        return self.draw(one, shape, dtype) - self.draw(zero, shape, dtype)

    def of_normals(self, normals: jax.Array) -> jax.Array:
        """Noise for single states made of standard normals, so that it can change slowly (Appendix A).

        Raises: ValueError from families that are not made one by one from a distribution function.
        """
        raise ValueError(f"noise: expected a family that can be made of normals, got {type(self).__name__}")

    def log_odds_of_normals(self, normals: jax.Array) -> jax.Array:
        """The same for log-odds: noise with the distribution of the difference of two draws."""
        raise ValueError(f"noise: expected a family that can be made of normals, got {type(self).__name__}")


class Gumbel(AbstractNoise):
    """Gumbel(-c, 1), c = 0.5772 (Euler's constant): the paper's noise."""

    def standard(self, key, shape, dtype):
        return jax.random.gumbel(key, shape, dtype) - float(np.euler_gamma)

    def draw_log_odds(self, key, shape: tuple[int, ...], dtype: Any = float):
        """The difference of two Gumbels is logistic: one draw instead of two."""
        return self.scale * jax.random.logistic(key, shape, dtype)

    def of_normals(self, normals):
        return self.scale * gumbel_of_normal(normals)

    def log_odds_of_normals(self, normals):
        return self.scale * logistic_of_normal(normals)


class ReversedGumbel(AbstractNoise):
    """Minus Gumbel noise: exact for binary variables, whose difference of two draws is logistic as well, and not exact
    for three states or more. So binary models cannot tell it from Gumbel noise.
    """

    def standard(self, key, shape, dtype):
        return float(np.euler_gamma) - jax.random.gumbel(key, shape, dtype)

    def draw_log_odds(self, key, shape: tuple[int, ...], dtype: Any = float):
        """Logistic, as for Gumbel noise."""
        return self.scale * jax.random.logistic(key, shape, dtype)

    def of_normals(self, normals):
        return -self.scale * gumbel_of_normal(normals)

    def log_odds_of_normals(self, normals):
        return self.scale * logistic_of_normal(normals)


class SumOfGamma(AbstractNoise):
    """The sum of `kappa` draws of scale 1 / sqrt(kappa) is Gumbel noise of scale 1 (Niepert et al. 2021).

    Gumbel = sum_i (E_i - 1) / i over exponentials E_i, which are sums of kappa Gamma(1 / kappa) draws each. The first
    `terms` are drawn, the rest of the series is normal noise with the rest of the variance. kappa = 1 is Gumbel noise.
    Meant for variables that are chosen kappa at a time. Cost: `terms` gamma draws for each number.
    """

    kappa: Number = 1.0
    terms: int = eqx.field(static=True, default=10)

    def __post_init__(self):
        super().__post_init__()
        self.kappa = validate.number("kappa", self.kappa, low=1.0, high=1e6)
        self.terms = validate.count("terms", self.terms)

    def standard(self, key, shape, dtype):
        of_terms, of_rest = jax.random.split(key)
        order = np.arange(1.0, self.terms + 1).reshape(-1, *(1,) * len(shape))
        gammas = jax.random.gamma(of_terms, 1.0 / self.kappa, (self.terms, *shape), dtype)
        series = jnp.sum((gammas - 1.0 / self.kappa) / jnp.asarray(order, gammas.dtype), axis=0)
        rest = float(np.sqrt(np.pi**2 / 6.0 - np.sum(order**-2.0)))
        return jnp.sqrt(self.kappa) * series + rest * jax.random.normal(of_rest, shape, dtype)


class Gaussian(AbstractNoise):
    """Normal noise with the Gumbel's variance."""

    def standard(self, key, shape, dtype):
        return STANDARD_DEVIATION * jax.random.normal(key, shape, dtype)

    def of_normals(self, normals):
        return self.scale * STANDARD_DEVIATION * normals

    def log_odds_of_normals(self, normals):
        return self.scale * STANDARD_DEVIATION * float(np.sqrt(2.0)) * normals


class Uniform(AbstractNoise):
    """Uniform noise with the Gumbel's variance."""

    def standard(self, key, shape, dtype):
        return jax.random.uniform(key, shape, dtype, -HALF_WIDTH, HALF_WIDTH)

    def of_normals(self, normals):
        return self.scale * HALF_WIDTH * (1.0 - 2.0 * ndtr(-normals))

    def log_odds_of_normals(self, normals):
        """The difference of two uniforms has a triangular distribution."""
        outer = 1.0 - jnp.sqrt(2.0 * ndtr(-jnp.abs(normals)))
        return self.scale * 2.0 * HALF_WIDTH * jnp.copysign(outer, normals)


def gumbel_of_normal(normals):
    """Zero-mean Gumbel noise -c - log(-log Phi(gamma)) from standard normals gamma (Appendix A)."""
    return -float(np.euler_gamma) - jnp.log(-log_normal_cdf(normals))


def logistic_of_normal(normals):
    """Logistic noise log Phi(gamma) - log Phi(-gamma) from standard normals gamma (Appendix A)."""
    return log_normal_cdf(normals) - log_normal_cdf(-normals)


def log_normal_cdf(normals):
    """Log Phi, the logarithm of the normal's distribution function, to full precision in float32.

    Phi is 1 in float32 above 5.3, and jax's log_ndtr is up to 7 % off above 4; log1p(-Phi(-gamma)) is not.
    """
    lower = log_ndtr(-jnp.abs(normals))
    return jnp.where(normals > 0, jnp.log1p(-jnp.exp(lower)), lower)


class StratifiedGumbel(Gumbel):
    """Gumbel noise in strata across the samples of one call (a Latin hypercube): means over them vary less.

    For each variable the S samples fall one into each of S parts of equal probability, in random order. Each sample by
    itself is as with Gumbel noise, but it depends on how many are drawn with it: the one family for which that is so.
    """

    of_normals = AbstractNoise.of_normals  # strata belong to one call: nothing that a chain could keep
    log_odds_of_normals = AbstractNoise.log_odds_of_normals

    def draw_together(self, key, shape, dtype):
        samples = shape[-1]
        order, place = jax.random.split(jax.random.fold_in(key, TOGETHER))
        strata = jnp.broadcast_to(jnp.arange(samples, dtype=dtype), shape)
        strata = jax.random.permutation(order, strata, axis=-1, independent=True)
        uniform = (strata + jax.random.uniform(place, shape, dtype)) / samples
        uniform = jnp.clip(uniform, jnp.finfo(dtype).tiny, 1.0 - jnp.finfo(dtype).epsneg)
        if shape[0] == 1:
            return self.scale * (jnp.log(uniform) - jnp.log1p(-uniform))
        return self.scale * (-jnp.log(-jnp.log(uniform)) - float(np.euler_gamma))
