"""The interface of a sampler, which advances many independent chains (or draws) of a graph sweep by sweep."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Shaped

from ..engine import checks
from ..engine.checks import described
from ..engine.chunks import Workload
from ..engine.planes import FREE, Planes
from ..engine.signatures import PyTree
from ..graph import FactorGraph


class View(NamedTuple):
    """The observable parts of a sampler's state (see `pk.observe`). Parts that are not observed are not computed.

    Attributes:
        graph: the factor graph of the model.
        unaries: the unaries that the sampler uses; perturbed in perturb-and-MAP samplers.
        states: the present sample, as planes of states.
        messages: the messages; None for samplers without message passing.
    """

    graph: FactorGraph
    unaries: Planes
    states: Planes
    messages: PyTree | None


class AbstractSampler(eqx.Module):
    """The hyperparameters of a sampler, and the methods of its loop.

    One sweep updates every message, or every variable, once. All arrays end in one batch axis, which is the axis of
    samples. `pmp_kit.engine.planes` describes the arrays (planes, n, batch). `keys` holds one key for each sample, so a
    sample does not depend on the number of samples. A new sampler defines `init`, `sweep`, `done` and `view`;
    `pk.testing.check_sampler` tries them.
    """

    workload: ClassVar[Workload] = "variables"
    """What a sweep computes: "messages", "gradients" or "variables". It decides how many samples are computed at once.
    "host" if compiled code calls back to NumPy: two such programs that run at the same time can deadlock."""
    is_markov_chain: ClassVar[bool] = True
    """Whether the state continues the chains in a next call; False for independent draws."""
    inspect: ClassVar[Callable[..., Any] | None] = None
    """A check (graph, unaries, state) -> state before every 6 sweeps, after which alone samples can be finished."""

    def check(self, graph: FactorGraph) -> None:
        """Raise ValueError if the sampler does not support the graph. It is never called on traced arrays."""

    def prepare(self, key: Array, graph: FactorGraph, num_samples: int, previous: PyTree | None) -> PyTree | None:
        """Return the `previous` for `init`, (num_samples, ...). Joint draws of all samples are made here."""
        return previous

    @abstractmethod
    def init(self, keys: Array, graph: FactorGraph, unaries: Planes, previous: PyTree | None) -> PyTree:
        """Return the sampler's state before the first sweep.

        Args:
            keys: one JAX key for each sample, (batch,).
            graph: the graph.
            unaries: (planes, n, batch), clamped by the evidence, not perturbed.
            previous: the last state of another call, to continue the chains; None to start new ones.
        """

    @abstractmethod
    def sweep(self, keys: Array, graph: FactorGraph, unaries: Planes, state: Any) -> PyTree:
        """Return the state after one sweep. Finished samples do not change."""

    @abstractmethod
    def done(self, state: Any) -> Bool[Array, " batch"]:
        """Return which samples are finished."""

    @abstractmethod
    def view(self, graph: FactorGraph, unaries: Planes, state: Any) -> View:
        """Return the sample and the other observable parts of the state."""


def check_evidence(what: str, part: Any, states: np.ndarray, evidence: np.ndarray, first: int = 0) -> None:
    """Raise ValueError if states (..., n) with the numbers from `first` contradict the evidence, (1 or N, n).

    Args:
        what: "sample", or "problem" of a solver.
        part: the sampler or the solver that returned the states.
    """
    states = states.reshape(-1, states.shape[-1])
    if len(evidence) > 1:
        evidence = evidence[first : first + len(states)]
        states = states[: len(evidence)]  # the last chunk is filled by repeated samples
    observed = evidence != FREE
    if observed.any() and (wrong := observed & (evidence != states)).any():
        row, variable = np.argwhere(wrong)[0]
        known = evidence[min(row, len(evidence) - 1), variable]
        raise ValueError(
            f"evidence: expected states that agree with it, got state {states[row, variable]} of variable {variable}, "
            f"observed as {known}, in {what} {first + row} from {checks.describe(part)}; keep the states of the "
            "variables that pmp_kit.engine.planes.is_clamped(unaries) marks"
        )


def draw_each(draw: Any, keys: Array, shape: tuple[int, ...], dtype: Any) -> Shaped[Array, "*shape batch"]:
    """Return one draw of `shape` for each key, with the samples on the last axis."""
    return jax.vmap(lambda key: draw(key, shape, dtype), out_axes=-1)(keys)


def keys_of(key, data) -> Any:
    """Return fold_in(key, data) for each entry of `data`, or for each entry of `key` if it is an array of keys.

    Without a key (None), the result is None.
    """
    if key is None:
        return None
    if key.ndim:
        return jax.vmap(jax.random.fold_in, (0, None))(key, data)
    return jax.vmap(jax.random.fold_in, (None, 0))(key, data)


def split_each(keys: Array, number: int = 2) -> Array:
    """Split every key and return `number` arrays of keys, each with one key for each sample."""
    return jnp.moveaxis(jax.vmap(lambda key: jax.random.split(key, number))(keys), 1, 0)


def check_previous(previous, sampler, num_samples: int) -> None:
    """Raise ValueError or TypeError unless the sampler can continue its chains from `previous`."""
    if previous is None:
        return
    if not sampler.is_markov_chain:
        raise ValueError(
            f"previous: expected a sampler that continues its chains, got {type(sampler).__name__}, whose samples are "
            "independent; use PersistentPMP(), or leave `previous` out"
        )
    if hasattr(previous, "chains"):  # the result of `sample` or `trace`
        hint = "write .chains after it"
        if previous.chains is None:
            hint = "its samples are independent; to start chains at them, see the questions in docs/faq.md"
        raise TypeError(f"previous: expected the .chains of an earlier call, got {type(previous).__name__}; {hint}")
    for leaf in jax.tree.leaves(previous):
        if not hasattr(leaf, "shape"):
            raise TypeError(f"previous: expected the .chains of an earlier call, got {checks.describe(previous)}")
        got = leaf.shape[:1] or (0,)
        if got[0] != num_samples:
            raise ValueError(
                f"previous: expected the .chains of {num_samples} samples, got {got[0]}; "
                "use the same num_samples as before"
            )


def fitting(previous: Any, kind: type, arrays: PyTree, wanted: PyTree) -> None:
    """Raise ValueError unless `previous` has the type `kind`, and its arrays have the shapes of the wanted ones."""
    right = isinstance(previous, kind)
    if not right or jax.tree.map(jnp.shape, arrays) != jax.tree.map(jnp.shape, wanted):
        raise ValueError(
            "previous: expected the .chains of the same sampler on the same variables, got "
            f"{described(previous)} in place of {described(wanted) if right else kind.__name__}; leave `previous` out "
            "to start new chains"
        )
