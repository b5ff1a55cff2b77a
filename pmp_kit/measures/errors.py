"""Errors against a truth: moments of samples, parameters of a model, and the exact divergence of a small model."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import numpy as np

from .. import exact
from ..engine import validate
from ..engine.signatures import ArrayLike, NamedArrays
from ..graph import FactorGraph, Model, as_graph
from . import mmd as metrics


class MomentErrors(NamedTuple):
    """Root mean squares of differences of moments, as probabilities."""

    first: float
    """Of p(x_i = c)."""
    second: float
    """Of p(x_i = c, x_j = d), i and j two different variables."""


class ParameterErrors(NamedTuple):
    """Root mean squares of differences of parameters, in nats."""

    factors: float
    """Of all log-potentials that structure does not fix (as it fixes a dense weight's diagonal, forbidden entries)."""
    unaries: float
    """Of the log-odds of state 1; for more states, of the scores less their mean."""


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
    """How far the first and second moments of samples are from those of a reference.

    Args:
        samples: (N, ...) states or a dict of such arrays; blocks that the reference does not have are left out.
        reference: (M, ...) or a dict.

    Two sets of samples of the same model differ as well, by their noise: compare with a row of real data.
    Cost: N n^2 for n variables (times states^2).

    Raises: TypeError or ValueError where the two do not fit together.
    """
    x, y = metrics.matrices(samples, reference)
    x, y, variable = _indicators(x, y)
    first = x.mean(0) - y.mean(0)
    second = x.T @ x / len(x) - y.T @ y / len(y)
    pairs = np.triu(variable[:, None] != variable[None])
    return MomentErrors(_root_mean_square(first), _root_mean_square(second[pairs]))


def parameter_errors(model: Model, truth: Model) -> ParameterErrors:
    """Root mean square errors of the parameters of a learned model (Section 5.4).

    Args:
        model, truth: two models with the same blocks and the same factors.

    Tables of more than two numbers have directions that change no probability; errors along those count too.
    Cost: the number of parameters.

    Raises: ValueError if blocks or factors differ.
    """
    one, other = as_graph(model), as_graph(truth)
    _check_same(one, other)
    mask = jax.tree.leaves([factor.free_parameters() for factor in other.factors])
    pairs = zip(_parameters(one.factors), _parameters(other.factors), mask, strict=True)
    factors = np.concatenate([np.zeros(0), *((a - b)[m] for a, b, m in pairs)])
    return ParameterErrors(_root_mean_square(factors), _root_mean_square(_centred(one) - _centred(other)))


def divergence(model: Model, samples: NamedArrays, pseudo_count: float = 0.5) -> float:
    """KL(model || samples) by counting all joint states, in nats, for models that can be enumerated (Section 5.1).

    Args:
        model: a FactorGraph or anything with .graph(); the truth.
        samples: dict block name -> states (N, *shape), all blocks.
        pseudo_count: added to the count of each of the M states. N exact samples give about (M - 1) / 2N, not 0.

    Cost: M scores. Raises: ValueError if M is beyond 2^20, or a sample has FREE entries.
    """
    graph = as_graph(model)
    pseudo_count = validate.number("pseudo_count", pseudo_count, 0.0)
    index = exact.index_of(graph.variables, samples)
    counts = np.bincount(index, minlength=exact.num_configurations(graph.variables)) + pseudo_count
    p, q = np.asarray(exact.probabilities(graph), np.float64), counts / counts.sum()
    some = p > 0
    if (q[some] == 0).any():
        return float("inf")
    return float(np.sum(p[some] * np.log(p[some] / q[some])))


def _indicators(x, y):
    """Both sets with a column for each state of each variable but the first, (N, K) and (M, K); the variables, (K,)."""
    largest = int(max(x.max(), y.max(), 1))
    columns = [(x == c, y == c) for c in range(1, largest + 1)]
    one, other = (np.concatenate([pair[side] for pair in columns], 1).astype(np.float64) for side in (0, 1))
    variable = np.tile(np.arange(x.shape[1]), largest)
    seen = (variable.size == x.shape[1]) | one.any(0) | other.any(0)  # states that a variable may not have
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
    return [np.asarray(leaf, np.float64) for leaf in jax.tree.leaves(eqx.filter(factors, eqx.is_inexact_array))]


def _centred(graph: FactorGraph) -> np.ndarray:
    """Unaries of possible states without the constant of each variable that changes no probability."""
    unaries = np.asarray(graph.unaries, np.float64)
    possible = np.arange(unaries.shape[1])[None] < graph.variables.cardinalities[:, None]
    if graph.allowed is not None:
        possible = possible & np.asarray(graph.allowed)
    if graph.variables.num_states == 2:
        return (unaries[:, 1] - unaries[:, 0])[possible.all(1)]
    means = np.sum(unaries, 1, where=possible, keepdims=True) / possible.sum(1, keepdims=True)
    return (unaries - means)[possible]


def _root_mean_square(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2))) if values.size else 0.0
