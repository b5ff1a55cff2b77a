"""The quality of samples while a candidate is tuned: their perturbed scores, or the moments of a reference."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from .. import run
from ..engine import planes
from ..engine.signatures import NamedArrays
from ..graph import FactorGraph
from ..learning.data import as_planes, refuse_impossible, violations
from ..learning.moments import mean_score
from ..samplers import PerturbAndMAP
from ..samplers.chain import finite_weight
from ..variables import FREE, check_rows

GROUPS = 8
"""Groups of samples whose differences give the error of moments."""
ROUNDING = 1e-5
"""A distance of moments, in their standard deviations, below which it is rounding: there is nothing to improve."""
BETWEEN_IMPOSSIBLE = 0.1
"""The weight of the number of violated constraints beside the weight 1 of any violation.

It only decides between impossible samples. With a greater weight, the loss would follow the few samples that are
farthest from possible, and it would rise while more and more samples keep all constraints.
"""


class Losses(NamedTuple):
    """The loss of each call, and its standard error."""

    mean: Float[np.ndarray, " K"]
    error: Float[np.ndarray, " K"]


class AbstractQuality:
    """What is measured on the samples of one call, and the loss that follows from all measurements."""

    _graph: FactorGraph

    def possible(self, samples: NamedArrays) -> float:
        """Return the share of the samples that are possible, so that their score is not -inf."""
        flat = self._graph.variables.flatten(samples)
        return float(np.mean(np.asarray(violations(self._graph, flat)) == 0))

    @abstractmethod
    def measure(self, samples: NamedArrays) -> np.ndarray:
        """Return numbers of the samples of one call, of any fixed shape."""

    @abstractmethod
    def losses(self, candidates: Sequence[np.ndarray]) -> list[Losses]:
        """Return the losses of each candidate from its measurements (K, ...); the first candidate is `PMP()`."""


class PerturbedScores(AbstractQuality):
    """Each sample has one perturbed model, the same for all candidates. The quality is its score there (Eq. 2).

    The loss is the mean difference to the best score that any candidate found for the same sample. The unit is the
    mean difference between this best and the worst score. An impossible sample has a score below the lowest of all
    samples: lowest - (1 + 0.1 v) (highest - lowest), where v is its number of violated constraints divided by the
    largest such number.
    """

    def __init__(self, key: Array, graph: FactorGraph, sampler: PerturbAndMAP, evidence: Int[np.ndarray, "S n"]):
        self._graph = graph
        self._unaries = _perturbed_unaries(key, graph, sampler, evidence)

    def measure(self, samples):
        """Return the scores without violated constraints, and the numbers of violated constraints, (2, S)."""
        flat = self._graph.variables.flatten(samples)
        return np.stack(_perturbed_scores(self._graph, self._unaries, flat))

    def losses(self, candidates):
        scores, violations = np.moveaxis(np.concatenate(candidates).astype(np.float64), 1, 0)  # (calls, S) each
        share = violations / (violations.max() or 1.0)
        impossible = scores.min() - (np.ptp(scores) or 1.0) * (1.0 + BETWEEN_IMPOSSIBLE * share)
        values = np.where(violations > 0, impossible, scores)
        missing = values.max(0) - values
        missing = missing / (missing.max(0).mean() or 1.0)
        parts = np.split(missing, np.cumsum([len(found) for found in candidates])[:-1])
        return [Losses(one.mean(1), one.std(1) / np.sqrt(one.shape[1])) for one in parts]


class Moments(AbstractQuality):
    """The loss is the root mean square difference of the moments E[d score / d parameters] to those of a reference.

    Each moment is divided by sqrt(v + mean v), where v is its variance over samples of the reference. Otherwise a
    weight that many factors share would outweigh all other parameters. The unit is the loss of the first call of
    `PMP()`.
    """

    def __init__(self, graph: FactorGraph, reference: NamedArrays, evidence: Int[np.ndarray, "S n"]):
        self._graph = graph
        flat = graph.variables.flatten_all(reference, argument="reference")
        check_rows("reference", flat)
        refuse_impossible("reference", flat, graph)
        _refuse_other_evidence(flat, evidence)
        sizes, found = self._of_groups(flat)
        wanted = np.average(found, axis=0, weights=sizes)
        variance = (sizes[:, None] * (found - wanted) ** 2).sum(0) / max(len(sizes) - 1, 1)
        self._unit = np.sqrt(variance + (variance.mean() or 1.0))
        self._wanted = wanted / self._unit

    def _of_groups(self, flat) -> tuple[np.ndarray, np.ndarray]:
        """Return the sizes (G,) and the moments (G, M) of groups of states (N, n)."""
        groups = np.array_split(flat, min(GROUPS, len(flat)))
        return np.array(list(map(len, groups))), np.stack([_moments(self._graph, jnp.asarray(one)) for one in groups])

    def measure(self, samples):
        weights, found = self._of_groups(self._graph.variables.flatten(samples))
        found = found / self._unit
        groups = range(len(found))
        left_out = [_distance(np.delete(weights, g), np.delete(found, g, 0), self._wanted) for g in groups]
        return np.array([_distance(weights, found, self._wanted), *left_out])

    def losses(self, candidates):
        first = candidates[0][0, 0]
        unit = first if first > ROUNDING else 1.0
        result = []
        for distances in candidates:
            number = distances.shape[1] - 1
            error = np.sqrt(max(number - 1, 0)) * distances[:, 1:].std(1)  # jackknife
            result.append(Losses(distances[:, 0] / unit, error / unit))
        return result


def _refuse_other_evidence(states, evidence) -> None:
    """Raise ValueError unless variables that are observed alike in all samples have these states in `states`."""
    observed = (evidence == evidence[0]).all(0) & (evidence[0] != FREE)
    if (states[:, observed] != evidence[0, observed]).any():
        raise ValueError(
            "reference: expected samples of the model given the evidence, got other states of observed variables; draw "
            "the reference with the same evidence"
        )


def _distance(weights, moments, wanted) -> float:
    """Return the root mean square difference of the weighted mean of moments (G, M) to the wanted ones (M,)."""
    return float(np.sqrt(np.mean((np.average(moments, axis=0, weights=weights) - wanted) ** 2)))


@jax.jit
def _perturbed_unaries(key, graph, sampler, evidence):
    """Return the perturbed unaries of the samples that `sample` draws with this key, (planes, n, S)."""
    unaries = run.clamped_unaries(graph, evidence.T)
    return sampler.view(graph, unaries, run.first_state(key, graph, sampler, unaries, None)).unaries


@jax.jit
def _perturbed_scores(graph, unaries, samples):
    """Return the relative perturbed score of each sample without violated constraints, and the number of these.

    They are (S,) each. The scores are those of `samplers.chain.finite_weight`, in which large unaries absorb nothing.
    """
    states = planes.from_states(samples.T, graph.variables.num_planes, unaries.dtype)
    return finite_weight(graph, unaries, states), graph.violations(states)


@jax.jit
def _moments(graph, states) -> Any:
    """Return the moments of states (N, n) as one vector."""
    gradient = eqx.filter_grad(mean_score)(graph, as_planes(graph, states))
    return jnp.concatenate([leaf.reshape(-1) for leaf in jax.tree.leaves(gradient)])
