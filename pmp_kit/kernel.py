"""Kernels: the single sweeps of a sampler on a model, for loops of your own."""

from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int

from . import run
from .engine import checks, planes
from .engine.arrays import any_traced, on_device
from .engine.planes import Planes
from .engine.signatures import NamedArrays, PyTree
from .graph import FactorGraph, Model, as_graph
from .sample import check_supported
from .samplers import PMP, AbstractSampler
from .samplers.base import check_previous


class KernelState(NamedTuple):
    """The state of a `Kernel` between two sweeps.

    Attributes:
        sweeps: the number of sweeps so far.
        state: the state of the sampler, with the samples on the last axis.
    """

    sweeps: Int[Array, ""]
    state: PyTree


class Kernel(eqx.Module):
    """The single sweeps of a sampler on a model, for loops of your own.

    Call `init` once and then `sweep` any number of times. `states` returns the present samples. All methods are pure
    functions of pytrees, so they work inside `jit`, `scan` and `while_loop`. JAX cannot hash a method itself: compile
    it with `equinox.filter_jit(kernel.sweep)`. The number of the sweep is folded into the key, so the same key can be
    passed to all sweeps. With the key of `sample`, the states equal those of `sample` up to rounding.
    Kernels of several Markov chain samplers on one model can be applied to one state in turn, except
    `ParallelTempering`, whose state contains several chains. Cost of `sweep`: one sweep of each sample.
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
        num_samples: the number of samples, which are computed in parallel.
        evidence: dict block name -> states or FREE, in the block's shape, or (num_samples, *shape).

        Raises: TypeError or ValueError that names the argument.
        """
        self.graph = as_graph(model)
        sampler = PMP() if sampler is None else sampler
        self.sampler = checks.instance("sampler", sampler, AbstractSampler, "PMP()")
        number = checks.count("num_samples", num_samples)
        check_supported(self.sampler, self.graph, any_traced((self.graph, self.sampler)))
        known = on_device(self.graph.variables.evidence(evidence, number).T)
        self.unaries = run.clamped_unaries(self.graph, known)

    def init(self, key: Array, previous: PyTree = None) -> KernelState:
        """Return the state before the first sweep; `previous` is a result of `chains`, to continue these chains.

        Its sweeps are counted from 0 again, so continued chains need a new key in all further calls.
        """
        check_previous(previous, self.sampler, self.unaries.shape[-1])
        return KernelState(jnp.int32(0), run.first_state(*self._with(key), previous))

    def sweep(self, key: Array, state: KernelState) -> KernelState:
        """Return the state after one more sweep. Finished samples do not change."""
        state = checks.instance("state", state, KernelState, "kernel.init(key)")
        return KernelState(state.sweeps + 1, run.next_state(*self._with(key), *state))

    def states(self, state: KernelState) -> dict[str, Array]:
        """Return the present samples, dict block name -> (num_samples, *shape) int32."""
        view = self.sampler.view(self.graph, self.unaries, state.state)
        return self.graph.variables.unflatten(planes.to_states(view.states).T)

    def done(self, state: KernelState) -> Bool[Array, " num_samples"]:
        """Return which samples are finished, (num_samples,) bool. Markov chains are never finished."""
        return self.sampler.done(state.state)

    def chains(self, state: KernelState) -> PyTree:
        """Return the value for `previous`, here or in `sample`; None for samplers with independent draws."""
        return run.chains_of(self.sampler, state.state)

    def _with(self, key: Array) -> tuple[Array, FactorGraph, AbstractSampler, Planes]:
        return checks.key(key), self.graph, self.sampler, self.unaries
