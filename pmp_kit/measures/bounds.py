"""Bounds of log Z by perturbation, with any solver.

The upper bound (Hazan and Jaakkola 2012, Corollary 1; Section 2.2) uses zero-mean Gumbel noise epsilon on the states of
each variable:

    log Z <= E max_x [score(x) + sum_i epsilon_i(x_i)].

The lower bound (Hazan, Maji and Jaakkola 2013) divides the same noise by the number n of variables:

    log Z >= E max_x [score(x) + 1/n sum_i epsilon_i(x_i)].

A solver that misses the maximum lowers both values. So the lower bound holds with any solver. The upper bound holds
with an exact solver, and with the upper bound of the maximum from a solver that computes one, such as MPLP (max-product
linear programming).
"""

from dataclasses import replace
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array

from ..engine import checks, planes
from ..engine.arrays import outside_jit
from ..engine.signatures import NamedArrays
from ..factors.base import AbstractDetermining
from ..graph import FactorGraph, Model, as_graph
from ..noise import Gumbel, StratifiedGumbel
from ..samplers import PerturbAndMAP
from ..solvers import AbstractSolver, MaxProduct
from ..variables import FREE, Variables
from .errors import mean_and_error
from .perturbed import solve_perturbed


class PerturbationBound(NamedTuple):
    """A mean over perturbations with its standard error, in nats.

    Attributes:
        value: the mean of the perturbed scores of the states found.
        error: its standard error.
        dual: the mean of the solver's upper bounds of the maximum; None from solvers without a bound.
        dual_error: the standard error of `dual`, or None.
    """

    value: float
    error: float
    dual: float | None
    dual_error: float | None


def log_partition_upper(
    key: Array, model: Model, solver: AbstractSolver | None = None, *, num_samples: int = 100, num_sweeps: int = 200,
    evidence: NamedArrays | None = None, stratified: bool = False,
) -> PerturbationBound:  # fmt: skip
    """Estimate the upper bound log Z <= E max_x [score(x) + sum_i epsilon_i(x_i)] (Section 2.2).

    Auxiliary variables are not perturbed if they are deterministic functions of perturbed or observed variables by the
    wiring, such as the output of a gate. Other auxiliary blocks are perturbed: their states are part of the sum in
    log Z, so that without noise the result could be below it.

    In a model without auxiliary variables, the derivative of `value` in the parameters is `data_moments(model,
    samples)`, where `samples` are those of `PerturbAndMAP(solver)`, or `PerturbAndMAP(solver, StratifiedGumbel())` if
    `stratified`, with the same key, number of samples, sweeps and evidence.

    Args:
        key: a JAX key.
        model: a FactorGraph or anything with .graph().
        solver: by default MaxProduct(). `value` is an upper bound for exact solvers, `dual` for all that compute it.
        num_samples: the number of perturbations, at least 2.
        num_sweeps: the maximum number of sweeps for each.
        evidence: dict block name -> states or FREE, in the block's shape; log Z is then the sum over the states that
            agree with it.
        stratified: use `StratifiedGumbel` noise. The mean is then more accurate than its reported standard error.

    Returns: a `PerturbationBound`. Cost: num_samples solutions.

    Raises: TypeError or ValueError that names the argument.
    """
    outside_jit("log_partition_upper", key, model, solver, evidence)
    model = _perturbing_the_undetermined(as_graph(model), evidence)
    noise = StratifiedGumbel() if stratified else Gumbel()
    return _bound(key, model, solver, noise, num_samples, num_sweeps, evidence)


def log_partition_lower(
    key: Array, model: Model, solver: AbstractSolver | None = None, *, num_samples: int = 100, num_sweeps: int = 200,
    evidence: NamedArrays | None = None,
) -> PerturbationBound:  # fmt: skip
    """Estimate the lower bound log Z >= E max_x [score(x) + 1/n sum_i epsilon_i(x_i)] (Hazan, Maji, Jaakkola 2013).

    Here n is the number of perturbed variables, without observed and auxiliary ones. The arguments are those of
    `log_partition_upper`, without `stratified`.

    Returns: a `PerturbationBound`, whose `dual` is not a bound of log Z. Cost: num_samples solutions.

    Raises: TypeError or ValueError that names the argument.
    """
    outside_jit("log_partition_lower", key, model, solver, evidence)
    variables = as_graph(model).variables
    free = (variables.evidence(evidence, 1)[0] == FREE) & ~variables.auxiliary
    noise = Gumbel(1.0 / max(int(free.sum()), 1))
    return _bound(key, model, solver, noise, num_samples, num_sweeps, evidence)


def _bound(key, model, solver, noise, num_samples, num_sweeps, evidence) -> PerturbationBound:
    solver = checks.instance("solver", MaxProduct() if solver is None else solver, AbstractSolver, "MaxProduct()")
    sampler = PerturbAndMAP(solver, noise)
    values, duals = solve_perturbed(
        key, model, sampler, _maximum, num_samples=num_samples, num_sweeps=num_sweeps, evidence=evidence
    )
    if duals is None:
        return PerturbationBound(*mean_and_error(values), None, None)
    return PerturbationBound(*mean_and_error(values), *mean_and_error(duals))


def _perturbing_the_undetermined(graph: FactorGraph, evidence) -> FactorGraph:
    """Return the graph with auxiliary=False for blocks in which some variable is not determined by others."""
    variables = graph.variables
    known = ~variables.auxiliary | (variables.evidence(evidence, 1)[0] != FREE)
    determining = (factor for factor in graph.factors if isinstance(factor, AbstractDetermining))
    gates = [pair for factor in determining for pair in factor.determined]
    count = -1
    while count < known.sum():
        count = known.sum()
        for outputs, inputs in gates:
            known[outputs[known[inputs].all(1)]] = True
    blocks = {
        name: replace(block, auxiliary=block.auxiliary and bool(known[variables[name]].all()))
        for name, block in variables.blocks
    }
    unaries = graph.unaries if graph.allowed is None else np.where(graph.allowed, graph.unaries, -np.inf)
    return FactorGraph(Variables(**blocks), graph.factors, unaries)


def _maximum(sampler, graph, unaries, state):
    """Return score plus noise of the states found, and the solver's upper bound of its maximum, (batch,) each."""
    perturbed, solving = state
    answer = sampler.solver.answer(graph, perturbed, solving)
    drawn = jnp.isfinite(perturbed) & ~planes.is_clamped(unaries)
    noise = jnp.where(drawn, perturbed - jnp.where(drawn, unaries, 0.0), 0.0)
    value = graph.score(answer.states) + planes.dot(noise, answer.states)
    if answer.bound is None:
        return value, None
    some = planes.decode(perturbed)  # any states: the constant that solvers leave out is the same
    constant = graph.unary_score(some) + planes.dot(noise - jnp.where(drawn, perturbed, 0.0), some)
    return value, answer.bound + jnp.where(value > -jnp.inf, value - answer.score, constant)
