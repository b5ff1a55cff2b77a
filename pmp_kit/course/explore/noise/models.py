"""The tiny models and the noise of the perturbation lab, as tables of one size for one compiled program."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

import pmp_kit as pk
from pmp_kit.noise import logistic

MOST_VARIABLES, MOST_STATES, MOST_CONFIGURATIONS = 4, 3, 16
MOST_DRAWS = 20_000


class LabModel(NamedTuple):
    """A model whose score is coupling times a statistic of the configuration. M = 16 rows, unused ones last.

    Attributes:
        labels: name of each configuration that exists.
        statistic: (M,), -inf where there is no configuration.
        chosen: (M, 4 * 3), 1 where a configuration takes a state of a variable.
    """

    labels: tuple[str, ...]
    statistic: Float[np.ndarray, " M"]
    chosen: Float[np.ndarray, "M states"]


def _model(variables: int, states: int, statistic: Callable[[np.ndarray], float], names: str) -> LabModel:
    configurations = list(itertools.product(range(states), repeat=variables))
    values = np.full(MOST_CONFIGURATIONS, -np.inf)
    chosen = np.zeros((MOST_CONFIGURATIONS, MOST_VARIABLES, MOST_STATES))
    for row, x in enumerate(configurations):
        values[row] = statistic(np.asarray(x))
        chosen[row, np.arange(variables), x] = 1.0
    labels = tuple("".join(names[state] for state in x) for x in configurations)
    return LabModel(labels, values, chosen.reshape(MOST_CONFIGURATIONS, -1))


def _agreement(x: np.ndarray) -> float:
    """Sum over pairs of s_i s_j, s = 2 x - 1."""
    total = (2 * x - 1).sum()
    return (total**2 - x.size) / 2


MODELS = {
    "one variable, 2 states": _model(1, 2, lambda x: float(x[0]), "01"),
    "one variable, 3 states": _model(1, 3, lambda x: float(x[0]), "012"),
    "two spins": _model(2, 2, _agreement, "−+"),
    "three spins": _model(3, 2, _agreement, "−+"),
    "four spins": _model(4, 2, _agreement, "−+"),
}


def _on_state_zero(key, shape) -> Float[Array, ...]:
    """Draw logistic noise on state 0 alone: for two states the same difference as two Gumbels, for three not."""
    noise = logistic(key, shape[:-1])
    return jnp.zeros(shape).at[..., 0].set(noise)


FAMILIES = {
    "Gumbel": lambda key, shape: pk.Gumbel().draw(key, shape),
    "Gaussian": lambda key, shape: pk.Gaussian().draw(key, shape),
    "uniform": lambda key, shape: pk.Uniform().draw(key, shape),
    "logistic on state 0": _on_state_zero,
}


@jax.jit
def _draw(key, family) -> Float[Array, "draws states"]:
    shape = (MOST_DRAWS, MOST_VARIABLES, MOST_STATES)
    draws = [functools.partial(draw, shape=shape) for draw in FAMILIES.values()]
    return jax.lax.switch(family, draws, key).reshape(MOST_DRAWS, -1)


@functools.lru_cache(maxsize=len(FAMILIES))
def noise(family: str, seed: int) -> Float[Array, "draws states"]:
    """Draw all noise of a family for a seed, once; a slider chooses how many draws count."""
    return _draw(jax.random.key(seed), list(FAMILIES).index(family))


def closed_form(model: str, family: str, coupling: float, scale: float) -> np.ndarray | None:
    """Return the perturb-and-MAP distribution (configurations,) if a formula is known, else None.

    Independent variables with Gumbel noise give the softmax of the scores over the scale. With two states any noise
    whose difference is logistic does; two such spins agree with probability 1 - 2 / (1 + exp(2 J / scale))^2.
    """
    strength = coupling / scale
    logistic = family in ("Gumbel", "logistic on state 0")
    if model == "two spins" and logistic:
        likely = 1 - 2 / (1 + np.exp(2 * abs(strength))) ** 2
        agree = likely if strength >= 0 else 1 - likely
        return np.array([agree, 1 - agree, 1 - agree, agree]) / 2
    if (family == "Gumbel" and model == "one variable, 3 states") or (logistic and model == "one variable, 2 states"):
        weights = np.exp(strength * MODELS[model].statistic[: len(MODELS[model].labels)])
        return weights / weights.sum()
    return None
