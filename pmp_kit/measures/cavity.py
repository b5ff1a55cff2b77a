"""The cavity estimate: marginals of perturb-and-max-product without the variable's own noise (Rao-Blackwell).

A variable takes the state with the largest belief, and its own noise is part of that belief. Given the noise of all the
others, the belief without it (the cavity) says how likely each state is: softmax(cavity / scale) under Gumbel noise.
Averaging that instead of the decoded state has the same mean and less variance: exactly so on trees, where max-product
is exact; with loops, where noise comes back around them, nearly so.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array

from ..engine import planes, validate
from ..engine.signatures import Floats, NamedArrays
from ..graph import Model, as_graph
from ..noise import Gumbel
from ..samplers import PMP, PerturbAndMAP
from .perturbed import observe_perturbed


class CavityMarginals(NamedTuple):
    """Marginals of the sampler by block name, (*shape, states), with standard errors."""

    values: dict[str, Floats]
    errors: dict[str, Floats]


def cavity_marginals(
    key: Array, model: Model, sampler: PerturbAndMAP | None = None, *, num_samples: int = 100, num_sweeps: int = 50,
    evidence: NamedArrays | None = None,
) -> CavityMarginals:  # fmt: skip
    """p(x_i = c) of samples of perturb-and-max-product, averaged over cavities, not decoded states (Algorithm 1).

    Args:
        key: a JAX key.
        model: a FactorGraph or anything with .graph().
        sampler: by default PMP(); perturb-and-MAP around a solver that passes messages, with Gumbel noise.
        num_samples: perturbations, at least 2.
        num_sweeps: the most sweeps for each.
        evidence: dict block name -> states or FREE, in the block's shape, or (num_samples, *shape).

    Cost: that of `sample`.

    Raises: TypeError or ValueError that names the argument; ValueError if the solver passes no messages.
    """
    sampler = validate.instance("sampler", PMP() if sampler is None else sampler, PerturbAndMAP, "PMP()")
    noise = validate.instance("sampler.noise", sampler.noise, Gumbel, "Gumbel(scale=1.0)")
    validate.number("sampler.noise.scale", noise.scale, low=1e-6)
    p = observe_perturbed(
        key, model, sampler, _probabilities, num_samples=num_samples, num_sweeps=num_sweeps, evidence=evidence
    )
    variables = as_graph(model).variables
    mean, deviation = p.mean(0, np.float64), p.std(0, np.float64, ddof=1)  # sums of many, without rounding
    return CavityMarginals(_by_block(variables, mean), _by_block(variables, deviation / np.sqrt(len(p))))


def _probabilities(sampler, graph, unaries, state):
    """(C, n, batch)."""
    _, solving = state
    if not hasattr(solving, "messages"):
        raise ValueError("sampler: expected one that passes messages, such as PMP(); average its samples instead")
    cavity = graph.beliefs(unaries, solving.messages) / sampler.noise.scale
    unperturbed = np.asarray(graph.variables.auxiliary)[None, :, None]
    means = jnp.where(unperturbed, planes.decode(cavity), planes.means(cavity))
    return planes.indicators(means, jnp.arange(graph.variables.count, dtype=jnp.int32), graph.variables.num_states)


def _by_block(variables, values) -> dict:
    """(C, n) by name, (*shape, states)."""
    blocks = dict(variables.blocks)
    return {name: values.T[variables[name]][..., : blocks[name].states] for name in variables.names}
