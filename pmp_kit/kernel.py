"""Kernels: a sampler's single steps on a model, for people who write their own loops."""

from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from . import loops
from .engine import chunks, planes, validate
from .engine.arrays import on_device
from .engine.planes import Planes
from .engine.signatures import NamedArrays, PyTree
from .graph import FactorGraph, Model, as_graph
from .samplers import PMP, AbstractSampler
from .verbs import check_fit, check_previous


class KernelState(NamedTuple):
    """Samples on their way.

    Attributes:
        sweeps: sweeps done.
        state: the sampler's own state, samples on the last axis.
    """

    sweeps: Int[Array, ""]
    state: PyTree


class Kernel(eqx.Module):
    """A sampler's single steps on a model: `init`, then `sweep` as often as you like, `states` at any time.

    All methods are pure functions of pytrees, for jit, scan and while_loop. The number of the sweep is folded into the
    key, so that one key serves for all sweeps; with the key of `sample` the states are those of `sample`. Kernels of
    Markov chains on one model (not of tempering, which has several) can take turns on one state.

    Cost: of `sweep`, one sweep of each sample.
    """

    graph: FactorGraph
    sampler: AbstractSampler
    unaries: Planes

    def __init__(
        self, model: Model, sampler: AbstractSampler | None = None, *, num_samples: int,
        evidence: NamedArrays | None = None,
    ):  # fmt: skip
        """Args:
        model: a FactorGraph or anything with .graph().
        sampler: by default PMP().
        num_samples: how many samples run side by side.
        evidence: dict block name -> states or FREE, in the block's shape, or (num_samples, *shape).

        Raises: TypeError or ValueError that names the argument.
        """
        self.graph = as_graph(model)
        sampler = PMP() if sampler is None else sampler
        self.sampler = validate.instance("sampler", sampler, AbstractSampler, "PMP()")
        number = validate.count("num_samples", num_samples)
        check_fit(self.sampler, self.graph, validate.traced(self.graph, self.sampler))
        known = on_device(self.graph.variables.evidence(evidence, number).T)
        self.unaries = loops.clamped_unaries(self.graph, known)

    def init(self, key: Array, previous: PyTree = None) -> KernelState:
        """The state before the first sweep; `previous` is what `chains` gave, to continue."""
        check_previous(previous, self.sampler, self.unaries.shape[-1])
        return KernelState(jnp.int32(0), loops.start(*self._with(key), previous))

    def sweep(self, key: Array, state: KernelState) -> KernelState:
        """The state after one more sweep; samples that are done rest."""
        return KernelState(state.sweeps + 1, loops.advance(*self._with(key), *state))

    def states(self, state: KernelState) -> dict[str, Array]:
        """The samples if the sweeps ended here: block name -> (num_samples, *shape), int32."""
        view = self.sampler.view(self.graph, self.unaries, state.state)
        return self.graph.variables.unflatten(planes.to_states(view.states).T)

    def done(self, state: KernelState) -> Bool[Array, " num_samples"]:
        """Which samples no longer change; those of Markov chains always do."""
        return self.sampler.done(state.state)

    def chains(self, state: KernelState) -> PyTree:
        """What to pass as `previous`, here or to `sample`; None for samplers whose draws are independent."""
        return chunks.samples_first(self.sampler.keep(state.state))

    def _with(self, key: Array) -> tuple[Array, FactorGraph, AbstractSampler, Planes]:
        return validate.key(key), self.graph, self.sampler, self.unaries
