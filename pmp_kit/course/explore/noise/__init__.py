"""Perturbation lab: perturb, take the best configuration, repeat; compare what comes out with the model itself."""

from __future__ import annotations

from typing import Any, NamedTuple

import ipywidgets as widgets
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from ...plot.pixels import Image
from ..comparing import ComparingExplorer
from ..page.still import Still
from .models import FAMILIES, MODELS, closed_form, noise
from .paint import WIDTH, LabPainter

COUNTS = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)


class LabState(NamedTuple):
    """What perturb-and-MAP gave. m configurations exist."""

    model: str
    labels: tuple[str, ...]
    gibbs: Float[np.ndarray, " m"]
    """p(x) of the model."""
    shares: Float[np.ndarray, " m"]
    """How often each configuration was the best one."""
    formula: Float[np.ndarray, " m"] | None
    """The exact shares, where a formula is known."""
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
        """Total variation between the shares and p(x): the largest difference in the probability of any event."""
        return 0.5 * float(np.abs(self.shares - self.gibbs).sum())

    @property
    def excess(self) -> float:
        """E[max] - log Z, in nats."""
        return self.mean_max - self.log_partition


@jax.jit
def _perturb(draws, chosen, scores, scale, samples):
    """Shares (M,), mean and standard error of the maximum over the first `samples` draws, and log Z."""
    perturbed = scores + scale * (draws @ chosen.T)
    kept = jnp.arange(perturbed.shape[0]) < samples
    best = jnp.argmax(perturbed, axis=1)
    shares = jnp.zeros(scores.shape).at[best].add(kept.astype(scores.dtype)) / samples
    highest = jnp.max(perturbed, axis=1)
    mean = jnp.sum(highest, where=kept) / samples
    variance = jnp.sum((highest - mean) ** 2, where=kept) / samples
    return shares, mean, jnp.sqrt(variance / samples), jax.nn.logsumexp(scores)


def compute(model: str, coupling: float, perturbation: str, scale: float, samples: int, seed: int) -> LabState:
    """Draw, maximise by enumeration, count."""
    labels, statistic, chosen = MODELS[model]
    exists = np.isfinite(statistic)
    scores = np.where(exists, coupling * np.where(exists, statistic, 0.0), -np.inf).astype(np.float32)
    draws = noise(perturbation, seed)
    results = _perturb(draws, chosen.astype(np.float32), scores, float(scale), samples)
    shares, mean, error, log_partition = jax.device_get(results)
    count = len(labels)
    gibbs = np.exp(scores[:count] - log_partition)
    formula = closed_form(model, perturbation, coupling, scale)
    numbers = float(log_partition), float(mean), float(error)
    return LabState(model, labels, gibbs, shares[:count], formula, samples, *numbers, seed)


class PerturbationLab(ComparingExplorer):
    """Perturbation lab: noise on a model of one to four variables, the exact maximum, and what its distribution is.

    Args:
        model, coupling, perturbation, scale, samples: where the controls stand first.
        seed: of the noise.
    """

    title = "Perturbation lab"
    caption = (
        "Bars: how often each configuration is the best one once noise is added. Black lines: the model's own p(x). "
        "Below: the mean of the perturbed maximum; with Gumbel noise of scale 1 it bounds log Z from above."
    )

    def __init__(self, model="two spins", coupling=0.5, perturbation="Gumbel", scale=1.0, samples=5_000, seed=0):
        self._first = {
            "model": model,
            "coupling": coupling,
            "perturbation": perturbation,
            "scale": scale,
            "samples": samples,
        }
        self.seed = seed
        self._painters = {
            name: LabPainter(model.labels, 1.0 if "variable" in name else 0.65) for name, model in MODELS.items()
        }
        super().__init__()

    def make_controls(self) -> dict[str, dict[str, Any]]:
        first = self._first
        return {
            "model": {
                "model": widgets.Dropdown(options=list(MODELS), value=first["model"]),
                "coupling": widgets.FloatSlider(value=first["coupling"], min=-1.5, max=1.5, step=0.05),
            },
            "noise": {
                "perturbation": widgets.Dropdown(options=list(FAMILIES), value=first["perturbation"]),
                "scale": widgets.FloatSlider(value=first["scale"], min=0.1, max=2.0, step=0.05),
                "samples": widgets.SelectionSlider(options=COUNTS, value=first["samples"]),
            },
        }

    def make_picture(self) -> Still:
        return Still(WIDTH)

    def compute(self, params) -> LabState:
        return compute(**params, seed=self.seed)

    def paint(self, state: LabState) -> Image:
        return self._painters[state.model].paint(state)

    def describe(self, state: LabState) -> str:
        bound = f"E[max] − log Z = {state.excess:+.3f} ± {2 * state.error:.3f} nats"
        return f"total variation to p(x) {state.distance:.3f} · {bound} · seed {state.seed}"
