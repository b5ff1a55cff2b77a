"""Persistent perturb-and-max-product (PMP): the noise follows an autoregressive process (Appendix A).

Max-product continues from the messages of the last call.
"""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..engine import checks, planes
from ..engine.chunks import Workload
from ..engine.signatures import Number, PyTree
from ..noise import AbstractNoise, Gumbel
from ..solvers import MaxProduct
from .base import AbstractSampler, View, draw_each, fitting
from .perturb_and_map import only_own_variables


class PersistentState(NamedTuple):
    """The state of the sampler. The next call continues from its normal variables and its messages."""

    normals: Float[Array, "planes n batch"]
    """The latent normal variables g of the noise."""
    perturbed: Float[Array, "planes n batch"]
    """Unaries plus noise."""
    solving: PyTree
    """The solver's state."""


class PersistentPMP(AbstractSampler):
    """Perturb-and-max-product (PMP) with noise that changes slowly from call to call (Appendix A).

    The noise follows an autoregressive process of order one. Each call with `previous` and a new key is one step

        g <- sqrt(rho) g + sqrt(1 - rho) delta,   delta ~ N(0, 1)

    of latent normal variables g, which keep the distribution N(0, 1) and have correlation rho^(k/2) after k steps. With
    the key of an earlier call, delta would be the same again, and g would lose its distribution. The variables g are
    transformed to the noise family (Gumbel; logistic for log-odds) by the normal distribution function and the inverse
    distribution function of the noise. The messages start from those of the last call, so a few sweeps per call are
    enough. The samples of one call are independent. The successive samples of one chain are correlated. Cost of a
    sweep: that of the solver.
    """

    workload: ClassVar[Workload] = "messages"
    rho: Number
    solver: MaxProduct
    noise: AbstractNoise

    def __init__(self, rho: Number = 0.9, solver: MaxProduct | None = None, noise: AbstractNoise | None = None):
        """Args:
        rho: persistence of the noise, in [0, 1]. With 0 each call draws new noise, as in PMP, but continues from the
            last messages; with 1 the noise never changes.
        solver: a `MaxProduct`, by default MaxProduct().
        noise: Gumbel, ReversedGumbel, Gaussian or Uniform, with its own scale; by default Gumbel().

        Raises: TypeError or ValueError that names the argument.
        """
        self.rho = checks.number("rho", rho, 0.0, 1.0)
        solver = MaxProduct() if solver is None else solver
        self.solver = checks.instance("solver", solver, MaxProduct, "MaxProduct()")
        noise = Gumbel() if noise is None else noise
        self.noise = checks.instance("noise", noise, AbstractNoise, "Gumbel(scale=1.0)")
        if type(noise).of_normals is AbstractNoise.of_normals:
            raise ValueError(
                "noise: expected a family that is a function of normal variables (Gumbel, ReversedGumbel, Gaussian, "
                f"Uniform), got {type(noise).__name__}; use PMP(noise=...) for this family, or define its of_normals "
                "and log_odds_of_normals"
            )

    def check(self, graph):
        self.solver.check(graph)

    def init(self, keys, graph, unaries, previous):
        normals = draw_each(jax.random.normal, keys, unaries.shape[:2], unaries.dtype)
        if previous is not None:
            fitting(previous, PersistentState, getattr(previous, "normals", None), normals)
            normals = jnp.sqrt(self.rho) * previous.normals + jnp.sqrt(1.0 - self.rho) * normals
        noise = self.noise.log_odds_of_normals(normals) if unaries.shape[0] == 1 else self.noise.of_normals(normals)
        perturbed = unaries + only_own_variables(graph, noise)
        solving = self.solver.init(graph, perturbed)
        if previous is not None:
            fitting(previous, PersistentState, previous.solving.messages, solving.messages)
            # infinite messages follow from the evidence of the last call, which may have changed
            warm = jax.tree.map(planes.finite, previous.solving.messages)
            solving = solving._replace(messages=warm)
        return PersistentState(normals, perturbed, solving)

    def sweep(self, keys, graph, unaries, state):
        return state._replace(solving=self.solver.sweep(graph, state.perturbed, state.solving))

    @property
    def inspect(self) -> Callable[..., Any] | None:
        inspect = self.solver.inspect
        if inspect is None:
            return None
        return lambda graph, unaries, state: state._replace(solving=inspect(graph, state.perturbed, state.solving))

    def done(self, state):
        return self.solver.done(state.solving)

    def view(self, graph, unaries, state):
        states = self.solver.answer(graph, state.perturbed, state.solving).states
        return View(graph, state.perturbed, states, state.solving.messages)
