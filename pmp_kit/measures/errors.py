"""Errors relative to a true model or data: moments of samples, parameters, and the exact divergence of small models."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import numpy as np

from .. import exact
from ..engine import checks, parameters
from ..engine.arrays import outside_jit
from ..engine.signatures import ArrayLike, NamedArrays
from ..factors import AbstractFactor, CountPotential, DensePairwise, NWise, Tables
from ..factors.base import float_leaves
from ..graph import FactorGraph, Model, as_graph
from ..variables import check_rows
from . import mmd as metrics


class MomentErrors(NamedTuple):
    """Root mean square errors of moments, which are probabilities of the states c, d > 0.

    With three or more states, the errors depend on which state has the number 0, because it is left out. States from 2
    on that occur in neither set are left out as well.

    Attributes:
        first: the error of p(x_i = c).
        second: the error of p(x_i = c, x_j = d) for two different variables i and j.
    """

    first: float
    second: float


class ParameterErrors(NamedTuple):
    """Root mean square errors of parameters, in nats.

    Attributes:
        factors: the error of all free log-potentials, without those that the structure fixes, such as forbidden
            entries.
        unaries: the error of the log-odds of state 1, and for variables with more states of the scores minus their
            mean.
    """

    factors: float
    unaries: float


def mean_and_error(values: ArrayLike) -> tuple[Any, Any]:
    """Return the mean of independent values along the last axis, and its standard error.

    Args:
        values: (..., N).

    Returns: two numbers, or arrays (...); the error is None for a single value, and NaN where a value is infinite.
    """
    values = np.asarray(values, np.float64)
    number = values.shape[-1]
    with np.errstate(invalid="ignore"):
        error = values.std(-1, ddof=1) / np.sqrt(number) if number > 1 else None
    mean = values.mean(-1)
    if mean.ndim:
        return mean, error
    return float(mean), None if error is None else float(error)


def moment_errors(samples: metrics.Data, reference: metrics.Data) -> MomentErrors:
    """Return the root mean square errors (RMSE) of the first and second moments of samples, relative to a reference.

    Two sets of samples of the same model differ as well, by sampling noise. So compare with the errors of real data.

    Args:
        samples: (N, ...) states, or a dict of such arrays; blocks that the reference does not have are ignored.
        reference: (M, ...) states, or a dict of such arrays.

    Returns: a `MomentErrors`. Cost: N n^2 for n variables (times states^2).

    Raises: TypeError or ValueError if the two arguments do not match.
    """
    x, y = metrics.matrices(samples, reference)
    x, y, variable = _indicators(x, y)
    first = x.mean(0) - y.mean(0)
    second = x.T @ x / len(x) - y.T @ y / len(y)
    pairs = np.triu(variable[:, None] != variable[None])
    return MomentErrors(_root_mean_square(first), _root_mean_square(second[pairs]))


def parameter_errors(model: Model, truth: Model) -> ParameterErrors:
    """Return the root mean square errors (RMSE) of the parameters of a learned model (Section 5.4).

    A change of a table may change no probability, for example a constant that is added to all entries. It counts as an
    error nevertheless. The units are those of the parameters, for states 0 and 1: a weight is 4 J of a model of spins,
    and unaries contain sums of J. For errors of J and h convert both models with `binary_to_spins`.

    Args:
        model, truth: two models with the same blocks and the same factors.

    Returns: a `ParameterErrors`. Cost: the number of parameters.

    Raises: TypeError if an argument is not a model; ValueError if blocks or factors differ.
    """
    outside_jit("parameter_errors", model, truth)
    one, other = as_graph(model), as_graph(truth)
    _check_same(one, other)
    mask = [free for factor in other.factors for free in _free_parameters(factor)]
    pairs = zip(_parameters(one.factors), _parameters(other.factors), mask, strict=True)
    factors = np.concatenate([np.zeros(0), *((a - b)[m] for a, b, m in pairs)])
    return ParameterErrors(_root_mean_square(factors), _root_mean_square(_centred(one) - _centred(other)))


def _free_parameters(factor: AbstractFactor) -> list[np.ndarray]:
    """Return which entries of each parameter can change: not the diagonal of a matrix, and no forbidden entries."""
    if isinstance(factor, DensePairwise):
        return [np.broadcast_to(~np.eye(factor.at.shape[-1], dtype=bool), factor.weight.shape)]
    if isinstance(factor, (NWise, Tables, CountPotential)):
        return [np.isfinite(factor.with_forbidden())]
    return [np.ones(leaf.shape, bool) for leaf in float_leaves(factor)]


def divergence(model: Model, samples: NamedArrays, pseudo_count: float = 0.5) -> float:
    """Return KL(model || samples) from the frequencies of all joint states, in nats, for small models (Section 5.1).

    KL is the Kullback-Leibler divergence. N exact samples give about (M - 1) / 2N and not 0, for M possible joint
    states, if N is much larger than M. Do not compare samplers with fewer samples: a wrong sampler whose samples differ
    less from each other may then get a smaller value than exact samples.

    Args:
        model: the true model, a FactorGraph or anything with .graph().
        samples: dict block name -> states (N, *shape), all blocks.
        pseudo_count: a number that is added to the count of each joint state that the model allows.

    Cost: two scores of each joint state. Raises: TypeError or ValueError that names the argument; ValueError if there
    are more than 2^20 joint states, no samples, or FREE entries.
    """
    outside_jit("divergence", model, samples)
    graph = as_graph(model)
    parameters.refuse_unusable(graph)
    pseudo_count = checks.number("pseudo_count", pseudo_count, 0.0)
    index = exact.index_of(graph.variables, samples)
    check_rows("samples", index[..., None])
    p = np.asarray(exact.probabilities(graph), np.float64)
    allowed = np.asarray(exact.log_weights(graph)) > -np.inf  # p may be 0 for them, if it is too small for float32
    counts = np.bincount(index, minlength=len(p)) + pseudo_count * allowed
    q, some = counts / counts.sum(), p > 0
    if (q[some] == 0).any():
        return float("inf")
    return float(np.sum(p[some] * np.log(p[some] / q[some])))


def _indicators(x, y):
    """Return both sets with K columns, one for each state c > 0 of each variable, and the variables (K,)."""
    largest = int(max(x.max(), y.max(), 1))
    columns = [(x == c, y == c) for c in range(1, largest + 1)]
    one, other = (np.concatenate([pair[side] for pair in columns], 1).astype(np.float64) for side in (0, 1))
    variable = np.tile(np.arange(x.shape[1]), largest)
    first = np.arange(variable.size) < x.shape[1]  # kept if it does not occur, as for binary variables alone
    seen = first | one.any(0) | other.any(0)
    return one[:, seen], other[:, seen], variable[seen]


def _check_same(one: FactorGraph, other: FactorGraph) -> None:
    if one.variables != other.variables:
        raise ValueError(f"model: expected the blocks {other.variables.blocks}, got {one.variables.blocks}")
    shapes = [
        [(type(f).__name__, *(leaf.shape for leaf in jax.tree.leaves(f))) for f in g.factors] for g in (one, other)
    ]
    if shapes[0] != shapes[1]:
        raise ValueError(f"model: expected the factors of the truth, {shapes[1]}, got {shapes[0]}")
    wirings = [
        jax.tree.leaves(eqx.filter((g.factors, g.allowed), eqx.is_inexact_array, inverse=True)) for g in (one, other)
    ]
    if len(wirings[0]) != len(wirings[1]) or not all(map(np.array_equal, *wirings)):
        raise ValueError("model: expected the wiring of the truth, got factors of other variables or forbidden states")


def _parameters(factors) -> list[np.ndarray]:
    return [np.asarray(leaf, np.float64) for leaf in float_leaves(factors)]


def _centred(graph: FactorGraph) -> np.ndarray:
    """Return the unaries of possible states minus their mean for each variable; binary variables give log-odds."""
    unaries = np.asarray(graph.unaries, np.float64)
    possible = np.asarray(graph.allowed_states())
    binary = graph.variables.cardinalities == 2
    log_odds = (unaries[:, 1] - unaries[:, 0])[binary & possible[:, :2].all(1)]
    means = np.sum(unaries, 1, where=possible, keepdims=True) / possible.sum(1, keepdims=True)
    return np.concatenate([log_odds, (unaries - means)[possible & ~binary[:, None]]])


def _root_mean_square(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2))) if values.size else 0.0
