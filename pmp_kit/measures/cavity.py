"""The cavity estimate: marginals of perturb-and-max-product without the variable's own noise (Rao-Blackwell).

A variable gets the state with the largest belief, and its own noise is part of this belief. Given the noise of all
other variables, the belief without the own noise (the cavity) determines the probability of each state: it is
softmax(cavity / scale) for Gumbel noise. The average of these probabilities has the same mean as the average of the
decoded states, and a smaller variance. This is exact on trees. On loops it is an approximation, because the own noise
also affects the incoming messages.
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array

from ..engine import checks, planes
from ..engine.arrays import outside_jit
from ..engine.signatures import Floats, NamedArrays
from ..graph import Model, as_graph
from ..noise import Gumbel
from ..samplers import PMP, PerturbAndMAP
from .perturbed import solve_perturbed


class CavityMarginals(NamedTuple):
    """Marginals of the sampler, with standard errors.

    Attributes:
        values: the marginals p(x_i = c), dict block name -> (*shape, states).
        errors: their standard errors, in the same form.
    """

    values: dict[str, Floats]
    errors: dict[str, Floats]


def cavity_marginals(
    key: Array, model: Model, sampler: PerturbAndMAP | None = None, *, num_samples: int = 100, num_sweeps: int = 50,
    evidence: NamedArrays | None = None,
) -> CavityMarginals:  # fmt: skip
    """Estimate p(x_i = c) of perturb-and-max-product samples by averages over cavities (Algorithm 1).

    These are not the marginals of the model: they have the bias of the sampler. The cavity is here the belief of a
    variable without the variable's own noise. It determines the probability of each state. Averages of these
    probabilities have a smaller variance than averages of decoded states. They are exact on trees and approximate on
    loops.

    Args:
        key: a JAX key.
        model: a FactorGraph or anything with .graph().
        sampler: by default PMP(); perturb-and-MAP with a message-passing solver and Gumbel noise.
        num_samples: the number of perturbations, at least 2.
        num_sweeps: the maximum number of sweeps for each.
        evidence: dict block name -> states or FREE, in the block's shape, or (num_samples, *shape).

    Returns: a `CavityMarginals`. Cost: that of `sample`.

    Raises: TypeError or ValueError that names the argument; ValueError if the solver passes no messages.
    """
    outside_jit("cavity_marginals", key, model, sampler, evidence)
    sampler = checks.instance("sampler", PMP() if sampler is None else sampler, PerturbAndMAP, "PMP()")
    noise = checks.instance("sampler.noise", sampler.noise, Gumbel, "Gumbel(scale=1.0)")
    checks.number("sampler.noise.scale", noise.scale, low=1e-6)
    p = solve_perturbed(
        key, model, sampler, _probabilities, num_samples=num_samples, num_sweeps=num_sweeps, evidence=evidence
    )
    variables = as_graph(model).variables
    mean, deviation = p.mean(0, np.float64), p.std(0, np.float64, ddof=1)  # float64 avoids rounding errors in long sums
    return CavityMarginals(*map(variables.unflatten_marginals, (mean, deviation / np.sqrt(len(p)))))


def _probabilities(sampler, graph, unaries, state):
    """Return the conditional probabilities of all states, (C, n, batch)."""
    messages = sampler.view(graph, unaries, state).messages
    if messages is None:
        raise ValueError("sampler: expected one that passes messages such as PMP(); average its samples instead")
    cavity = graph.beliefs(unaries, messages) / sampler.noise.scale
    unperturbed = np.asarray(graph.variables.auxiliary)[None, :, None]
    means = jnp.where(unperturbed, planes.decode(cavity), planes.means(cavity))
    return planes.indicators(means, jnp.arange(graph.variables.count, dtype=jnp.int32), graph.variables.num_states)
