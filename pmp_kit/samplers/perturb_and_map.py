"""Perturb-and-MAP (maximum a posteriori): add noise to the unaries and maximise the score (Section 2.2, Eq. 2)."""

from collections.abc import Callable
from typing import Any, ClassVar

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from ..engine import checks, identity_cache
from ..engine.chunks import Workload
from ..engine.planes import Planes
from ..engine.signatures import Number
from ..graph import FactorGraph
from ..noise import AbstractNoise, Gumbel
from ..solvers import AbstractSchedule, AbstractSolver, MaxProduct
from ..solvers.max_product import DAMPING
from ..solvers.starts import Start
from .base import AbstractSampler, View, draw_each


class PerturbAndMAP(AbstractSampler):
    """Perturb-and-MAP: each sample is the highest-scoring configuration (MAP) of a perturbed model (Eq. 2).

        x = argmax_x Theta_a . Phi_a(x) + (Theta_i + epsilon) . Phi_i(x),   epsilon = noise

    The samples are independent draws (except with `StratifiedGumbel`), so there are no chains to continue. Auxiliary
    variables are not perturbed. Cost: that of the solver, and one draw of noise for each state of each variable, or for
    each variable if all are binary.
    """

    is_markov_chain: ClassVar[bool] = False

    solver: AbstractSolver
    noise: AbstractNoise

    def __init__(self, solver: AbstractSolver, noise: AbstractNoise | None = None):
        """Args:
        solver: the solver for the highest-scoring configuration, exact or approximate.
        noise: the family and scale of the noise; by default zero-mean Gumbel noise of scale 1.

        Raises: TypeError or ValueError that names the argument.
        """
        self.solver = checks.instance("solver", solver, AbstractSolver, "MaxProduct()")
        self.noise = checks.instance("noise", Gumbel() if noise is None else noise, AbstractNoise, "Gumbel(scale=1.0)")

    @property
    def workload(self) -> Workload:
        return self.solver.workload

    @property
    def inspect(self) -> Callable[..., Any] | None:
        inspect_solver = self.solver.inspect
        if inspect_solver is None:
            return None

        def inspect(graph, unaries, state):
            perturbed, solving = state  # the solver sees the perturbed unaries in place of the model's
            return perturbed, inspect_solver(graph, perturbed, solving)

        return inspect

    def check(self, graph):
        self.solver.check(graph)

    def prepare(self, key, graph, num_samples, previous):
        shape = graph.variables.num_planes, graph.variables.count, num_samples
        together = type(self.noise).draw_together(
            self.noise, key, shape, graph.unaries.dtype
        )  # see `batches.draw_parts`
        return None if together is None else jnp.moveaxis(together, -1, 0)

    def init(self, keys, graph, unaries, previous):
        perturbed = unaries + self.perturbation(keys, graph, unaries, previous)
        return perturbed, self.solver.init(graph, perturbed)

    def perturbation(self, keys: Array, graph: FactorGraph, unaries: Planes, together: Array | None = None) -> Planes:
        """Return the noise of each state, or of the log-odds on a single plane; 0 for auxiliary variables."""
        draw = self.noise.draw_log_odds if unaries.shape[0] == 1 else self.noise.draw
        noise = draw_each(draw, keys, unaries.shape[:2], unaries.dtype) if together is None else together
        return only_own_variables(graph, noise)

    def sweep(self, keys, graph, unaries, state):
        perturbed, solving = state
        return perturbed, self.solver.sweep(graph, perturbed, solving)

    def done(self, state):
        return self.solver.done(state[1])

    def view(self, graph, unaries, state):
        perturbed, solving = state
        states = self.solver.answer(graph, perturbed, solving).states
        return View(graph, perturbed, states, getattr(solving, "messages", None))


class Unperturbed(PerturbAndMAP):
    """The search of `solve`: perturb-and-MAP without noise, and so without keys."""

    def __init__(self, solver: AbstractSolver):
        super().__init__(solver)

    def init(self, keys, graph, unaries, previous):
        return unaries, self.solver.init(graph, unaries)


@identity_cache.by_identity
def unperturbed(solver: AbstractSolver) -> Unperturbed:
    """Return the search of `solve`: the same object for the same solver, so that what is known of it is remembered."""
    return Unperturbed(solver)


def only_own_variables(graph: FactorGraph, noise: Array) -> Array:
    """Return the noise (planes, n, batch) with 0 for auxiliary variables."""
    if graph.variables.auxiliary.any():
        noise = jnp.where(np.asarray(graph.variables.auxiliary)[None, :, None], 0.0, noise)
    return noise


def PMP(
    damping: Number = DAMPING, start: Start = "neutral", keep_best: bool = True, tolerance: Number = 1e-4,
    patience: int = 0, noise: AbstractNoise | None = None, schedule: AbstractSchedule | None = None,
) -> PerturbAndMAP:  # fmt: skip
    """Perturb-and-max-product (PMP): perturb-and-MAP with max-product as the solver (Algorithm 1).

    The defaults differ from the paper's settings, which are `PMP(**paper_settings())`.

    Args:
        damping, start, keep_best, tolerance, patience, schedule: see `MaxProduct`.
        noise: see `PerturbAndMAP`.

    Returns: a `PerturbAndMAP` sampler. Raises: TypeError or ValueError that names the argument.
    """
    return PerturbAndMAP(MaxProduct(damping, start, keep_best, tolerance, patience, schedule), noise)
