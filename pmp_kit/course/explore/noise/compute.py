"""Perturb-and-MAP on tiny models: draw noise, maximise by enumeration, count the maximisers."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from .models import MODELS, MOST_STATES, MOST_VARIABLES, closed_form, noise


class State(NamedTuple):
    """Results of perturb-and-MAP on a model with m configurations."""

    model: str
    labels: tuple[str, ...]
    gibbs: Float[np.ndarray, " m"]
    """p(x) of the model."""
    shares: Float[np.ndarray, " m"]
    """Share of the draws in which each configuration had the highest perturbed score."""
    formula: Float[np.ndarray, " m"] | None
    """The exact shares, where a formula is known."""
    scores: Float[np.ndarray, " m"]
    """Score of each configuration in the model, in nats."""
    draw: Float[np.ndarray, "variables states"]
    """Noise of the first draw on each state of each variable."""
    added: Float[np.ndarray, " m"]
    """Sum of this noise in each configuration."""
    samples: int
    log_partition: float
    """log Z in nats."""
    mean_max: float
    """Mean of the perturbed maximum, in nats."""
    error: float
    """Its standard error."""
    seed: int

    @property
    def distance(self) -> float:
        """Total variation distance between the shares and p(x)."""
        return 0.5 * float(np.abs(self.shares - self.gibbs).sum())

    @property
    def excess(self) -> float:
        """The mean of the maxima minus log Z, in nats."""
        return self.mean_max - self.log_partition


@jax.jit
def _perturb(draws, chosen, scores, scale):
    """Return the noise of the first draw (M,), and the perturbed scores of all draws (draws, M)."""
    added = scale * (draws @ chosen.T)
    return added[0], scores + added


@jax.jit
def _count(perturbed, scores, samples):
    """Return shares (M,), mean and error of the maximum over `samples`, and log Z.

    It is a program of its own, because XLA may round a value that it computes twice in two ways: then no perturbed
    score of a draw is equal to their maximum.
    """
    kept = jnp.arange(perturbed.shape[0]) < samples
    highest = jnp.max(perturbed, axis=1)
    best = (perturbed == highest[:, None]).astype(scores.dtype)  # several if noise on one state leaves others equal
    shares = jnp.sum(best / best.sum(1, keepdims=True), axis=0, where=kept[:, None]) / samples
    mean = jnp.sum(highest, where=kept) / samples
    variance = jnp.sum((highest - mean) ** 2, where=kept) / samples
    return shares, mean, jnp.sqrt(variance / samples), jax.nn.logsumexp(scores)


def state(model: str, coupling: float, distribution: str, perturbation: float, samples: int, seed: int) -> State:
    """Draw, maximise by enumeration, count."""
    labels, statistic, chosen = MODELS[model]
    exists = np.isfinite(statistic)
    scores = np.where(exists, coupling * np.where(exists, statistic, 0.0), -np.inf).astype(np.float32)
    draws = noise(distribution, seed)
    added, perturbed = _perturb(draws, chosen.astype(np.float32), scores, float(perturbation))
    added, shares, mean, error, log_partition = jax.device_get((added, *_count(perturbed, scores, samples)))
    count, variables, states = len(labels), len(labels[0]), len(set("".join(labels)))
    first = float(perturbation) * np.asarray(draws[0]).reshape(MOST_VARIABLES, MOST_STATES)[:variables, :states]
    gibbs = np.exp(scores[:count] - log_partition)
    formula = closed_form(model, distribution, coupling, perturbation)
    numbers = float(log_partition), float(mean), float(error)
    one_draw = scores[:count], first, added[:count]
    return State(model, labels, gibbs, shares[:count], formula, *one_draw, samples, *numbers, seed)
