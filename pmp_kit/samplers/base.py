"""The contract of a sampler: many independent chains (or draws) of a graph, advanced sweep by sweep."""

from abc import abstractmethod
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Shaped

from ..engine.planes import Planes
from ..engine.signatures import PyTree
from ..graph import FactorGraph


class View(NamedTuple):
    """What can be observed of a sampler's state; see `pk.observe`. What is not observed is never computed."""

    graph: FactorGraph
    unaries: Planes
    """The unaries that the sampler works with, perturbed where it perturbs."""
    states: Planes
    """The sample if the sweeps ended here."""
    messages: PyTree | None
    """Messages, for samplers that pass any."""


class AbstractSampler(eqx.Module):
    """Hyper-parameters of a sampler. One sweep updates every message, or every variable, once.

    All arrays end in one batch axis: the samples. `keys` holds one key for each sample, so that a sample does not
    depend on how many are drawn beside it.
    """

    parallel: ClassVar[bool] = False
    """Whether a sweep updates everything at once; see `AbstractSolver.parallel`."""
    shared_out: ClassVar[bool] = False
    """Whether the cores of a CPU share the samples, for sweeps that keep one core busy however many there are."""

    on_host: ClassVar[bool] = False
    """Whether compiled code calls back to NumPy; see `AbstractSolver.on_host`."""

    continues: ClassVar[bool] = True
    """Whether what `keep` gives lets the next call go on from here; False where samples are independent draws."""

    def check(self, graph: FactorGraph) -> None:
        """Raise ValueError if the sampler does not fit the graph. Called once, on values."""

    def prepare(self, key: Array, graph: FactorGraph, num_samples: int, previous: PyTree | None) -> PyTree | None:
        """What `init` gets as `previous`, but (num_samples, ...): the place for draws that samples share."""
        return previous

    @abstractmethod
    def init(self, keys: Array, graph: FactorGraph, unaries: Planes, previous: PyTree | None) -> PyTree:
        """The state before the first sweep.

        Args:
            unaries: (planes, n, batch), clamped by the evidence, not perturbed.
            previous: what `keep` gave after the last call, to continue the chains; None to start afresh.
        """

    @abstractmethod
    def sweep(self, keys: Array, graph: FactorGraph, unaries: Planes, state: Any) -> PyTree:
        """One sweep."""

    @abstractmethod
    def done(self, state: Any) -> Bool[Array, " batch"]:
        """Which samples no longer change."""

    @abstractmethod
    def view(self, graph: FactorGraph, unaries: Planes, state: Any) -> View:
        """The sample, and what else can be observed."""

    @abstractmethod
    def keep(self, state: Any) -> PyTree:
        """What the next call needs to continue the chains."""


def draw_each(draw: Any, keys: Array, shape: tuple[int, ...], dtype: Any) -> Shaped[Array, "*shape batch"]:
    """One draw of `shape` for each key, samples on the last axis."""
    return jax.vmap(lambda key: draw(key, shape, dtype), out_axes=-1)(keys)


def split_each(keys: Array, number: int = 2) -> Array:
    """Split every key: `number` arrays of keys, one key for each sample in each."""
    return jnp.moveaxis(jax.vmap(lambda key: jax.random.split(key, number))(keys), 1, 0)


def never(batch: int) -> Bool[Array, " batch"]:
    """Chains of Markov chain samplers are never done."""
    return jnp.zeros(batch, bool)


def fitting(previous: Any, kind: type, states: Any, shape: tuple[int, ...]) -> None:
    """Raise ValueError unless `previous` comes from a sampler and a model like these."""
    if not isinstance(previous, kind) or states.shape != shape:
        raise ValueError(
            "previous: expected the .chains of the same sampler on the same variables, got those of another; "
            "leave `previous` out to start afresh"
        )
