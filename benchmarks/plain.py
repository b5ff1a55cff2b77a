"""The reference of the benchmark: a plain implementation of the paper's algorithm on the problem of a workload."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks import plain_deconvolution, plain_pairwise
from pmp_kit.course.experiments.speed.workloads import Workload


class Plain(NamedTuple):
    """Plain implementations of the algorithm on one problem."""

    run: Callable[..., jax.Array]
    """run(key, damping=, num_sweeps=) returns states (chains, variables of the workload's `blocks`)."""
    entries: int
    """The number of messages that `run` computes in a sweep, including those between uncoupled variables."""
    edge_list: Callable[..., jax.Array] | None = None
    """The same as `run` on a list of edges, if the structure is sparse."""


def plain(work: Workload) -> Plain:
    """Return the plain implementations of a workload."""
    return FORMS[work.name](work)


def dense(work: Workload) -> Plain:
    """The algorithm on a complete graph: one matrix of messages for each chain."""
    weight, bias = work.model.weight, work.model.bias
    return Plain(
        partial(plain_pairwise.dense, weight=weight, bias=bias, chains=work.chains), len(bias) ** 2 * work.chains
    )


def restricted(work: Workload) -> Plain:
    """The algorithm between visible and hidden units."""
    model = work.model
    biases = {"visible_bias": model.visible_bias, "hidden_bias": model.hidden_bias}
    run = partial(plain_pairwise.bipartite, weight=model.weight, chains=work.chains, **biases)
    return Plain(run, 2 * model.weight.size * work.chains)


def sparse(work: Workload) -> Plain:
    """The implementations of a pairwise model on a matrix and on a list of edges."""
    model, (factor,) = work.model, work.model.factors
    bias = model.unaries[:, 1] - model.unaries[:, 0]
    pairs, weight = factor.pairs.T, factor.weights
    matrix = np.zeros((len(bias), len(bias)), np.float32)
    for row, column in (pairs.T, pairs.T[::-1]):
        np.add.at(matrix, (row, column), weight)
    run = partial(plain_pairwise.dense, weight=jnp.asarray(matrix), bias=bias, chains=work.chains)
    edges = partial(plain_pairwise.edges, pairs=pairs, weight=weight, bias=bias, chains=work.chains)
    return Plain(run, matrix.size * work.chains, edges)


def deconvolution(work: Workload) -> Plain:
    """The algorithm of blind deconvolution."""
    model = work.model
    features, observed = model.variables["W"], jnp.asarray(work.evidence["X"])
    odds = model.unaries[:, 1] - model.unaries[:, 0]
    feature_odds, location_odds = (float(odds[model.variables[block].flat[0]]) for block in ("W", "S"))
    run = partial(
        plain_deconvolution.deconvolution,
        images=observed, feature_odds=feature_odds, location_odds=location_odds, feature_size=features.shape,
    )  # fmt: skip
    return Plain(run, 4 * features.size * observed.size)


FORMS = {
    "dense": dense,
    "rbm": restricted,
    "lattice": sparse,
    "erdos-renyi": sparse,
    "deconvolution": deconvolution,
}
