"""Persistent PMP: the perturbation is perturbed, and max-product goes on from its last messages (Appendix A)."""

from typing import ClassVar, NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ..engine import validate
from ..engine.signatures import Number, PyTree
from ..noise import AbstractNoise, Gumbel
from ..solvers import MaxProduct
from .base import AbstractSampler, View, draw_each, fitting
from .perturb_and_map import only_own_variables


class PersistentState(NamedTuple):
    """What one call works on."""

    normals: Float[Array, "planes n batch"]
    """gamma, the latent normals of the noise."""
    perturbed: Float[Array, "planes n batch"]
    """Unaries plus noise."""
    solving: PyTree
    """The solver's state."""


class Persisted(NamedTuple):
    """What the next call goes on from."""

    normals: Float[Array, "planes n batch"]
    messages: PyTree


class PersistentPMP(AbstractSampler):
    """Perturb-and-max-product with noise that changes slowly from call to call (Appendix A).

    Each call with `previous` is one step: gamma <- sqrt(rho) gamma + sqrt(1 - rho) delta, delta ~ N(0, 1), stays normal
    for ever, with correlation rho^(k/2) after k steps; pushed through the normal's and the noise's distribution
    functions it is noise of that family (Gumbel; logistic on log-odds). Messages start from those of the last call,
    so that a few sweeps a call are enough. Samples of one call are independent; those of one chain are correlated.
    """

    parallel: ClassVar[bool] = True
    rho: Number
    solver: MaxProduct
    noise: AbstractNoise

    def __init__(
        self,
        rho: Number = 0.9,
        solver: MaxProduct | None = None,
        scale: Number = 1.0,
        noise: AbstractNoise | None = None,
    ):
        """Args:
        rho: in [0, 1]: 0 draws new noise each time, as PMP does but with warm messages; 1 keeps the noise.
        solver: by default MaxProduct().
        scale: of Gumbel noise; 0 is no perturbation.
        noise: another family in place of Gumbel(scale): ReversedGumbel, Gaussian or Uniform, with a scale of its own.

        Raises: TypeError or ValueError that names the argument.
        """
        self.rho = validate.number("rho", rho, 0.0, 1.0)
        solver = MaxProduct() if solver is None else solver
        self.solver = validate.instance("solver", solver, MaxProduct, "MaxProduct()")
        noise = Gumbel(validate.number("scale", scale, 0.0, 1e6)) if noise is None else noise
        self.noise = validate.instance("noise", noise, AbstractNoise, "Gumbel(scale=1.0)")
        if type(noise).of_normals is AbstractNoise.of_normals:
            raise ValueError(
                "noise: expected a family that can be made of normals (Gumbel, ReversedGumbel, Gaussian, Uniform), got "
                f"{type(noise).__name__}; PMP(noise=...) takes it"
            )

    def check(self, graph):
        self.solver.check(graph)

    def init(self, keys, graph, unaries, previous):
        normals = draw_each(jax.random.normal, keys, unaries.shape[:2], unaries.dtype)
        if previous is not None:
            fitting(previous, Persisted, getattr(previous, "normals", previous), normals.shape)
            normals = jnp.sqrt(self.rho) * previous.normals + jnp.sqrt(1.0 - self.rho) * normals
        noise = self.noise.log_odds_of_normals(normals) if unaries.shape[0] == 1 else self.noise.of_normals(normals)
        perturbed = unaries + only_own_variables(graph, noise)
        solving = self.solver.init(graph, perturbed)
        if previous is not None:
            # infinite messages are proofs from the last call's evidence, which may be another now
            warm = jax.tree.map(lambda m: jnp.where(jnp.isfinite(m), m, 0.0), previous.messages)
            solving = solving._replace(messages=warm)
        return PersistentState(normals, perturbed, solving)

    def sweep(self, keys, graph, unaries, state):
        return state._replace(solving=self.solver.sweep(graph, state.perturbed, state.solving))

    def done(self, state):
        return self.solver.done(state.solving)

    def view(self, graph, unaries, state):
        states = self.solver.answer(graph, state.perturbed, state.solving).states
        return View(graph, state.perturbed, states, state.solving.messages)

    def keep(self, state):
        return Persisted(state.normals, state.solving.messages)
