"""The interface of a sampler, which advances many independent chains (or draws) of a graph sweep by sweep."""

from abc import abstractmethod
from functools import partial
from typing import Any, ClassVar, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int, Shaped

from ..engine import validate
from ..engine.forms import described, finished, parts_of_run, same_form
from ..engine.planes import FREE, Planes
from ..engine.signatures import PyTree
from ..engine.sweeps import Span, until_done
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
    sample does not depend on the number of samples.
    """

    parallel: ClassVar[bool] = False
    """Whether a sweep updates all variables or messages at once; see `AbstractSolver.parallel`."""
    shared_out: ClassVar[bool] = False
    """Whether the samples are distributed over the cores of a CPU, because a sweep of any size uses only one core."""

    on_host: ClassVar[bool] = False
    """Whether compiled code calls back to NumPy; see `AbstractSolver.on_host`."""

    continues: ClassVar[bool] = True
    """Whether the result of `keep` continues the chains in the next call; False for independent draws."""

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
            previous: the result of `keep` of the last call, to continue the chains; None to start new ones.
        """

    @abstractmethod
    def sweep(self, keys: Array, graph: FactorGraph, unaries: Planes, state: Any) -> PyTree:
        """Return the state after one sweep."""

    def run(
        self, keys: Array, graph: FactorGraph, unaries: Planes, state: Any, span: Span
    ) -> tuple[Planes, PyTree, Int[Array, " batch"]]:
        """Make at most the sweeps of a span. Return the samples, the state, and the sweeps of each sample."""
        sweep = lambda t, state: checked_sweep(self, keys_of(keys, t + 1), graph, unaries, state)  # noqa: E731
        done = partial(finished, self, batch=unaries.shape[-1])
        state, used = until_done(sweep, done, state, span)
        return viewed(self, graph, unaries, state).states, state, used

    @abstractmethod
    def done(self, state: Any) -> Bool[Array, " batch"]:
        """Return which samples are finished, so that they no longer change."""

    @abstractmethod
    def view(self, graph: FactorGraph, unaries: Planes, state: Any) -> View:
        """Return the sample and the other observable parts of the state."""

    @abstractmethod
    def keep(self, state: Any) -> PyTree:
        """Return the part of the state that the next call needs to continue the chains."""


def checked_sweep(sampler: AbstractSampler, keys: Array, graph: FactorGraph, unaries: Planes, state: Any) -> PyTree:
    """Return the state after one sweep. Raise ValueError unless it has the form of the state before."""
    return same_form(f"{type(sampler).__name__}.sweep", sampler.sweep(keys, graph, unaries, state), state)


def checked_draw(
    sampler: AbstractSampler, keys: Array, graph: FactorGraph, unaries: Planes, state: Any, span: Span
) -> tuple[Planes, PyTree, Int[Array, " batch"]]:
    """Return the result of `run`. Raise ValueError unless it has samples and a number of sweeps for each of them."""
    result, name = sampler.run(keys, graph, unaries, state, span), type(sampler).__name__
    states, state, used = parts_of_run(f"{name}.run", result, "samples", object, unaries.shape[-1])
    return same_form(f"samples of {name}", states, unaries), state, used


def viewed(sampler: AbstractSampler, graph: FactorGraph, unaries: Planes, state: Any) -> View:
    """Return `view`. Raise ValueError unless it is a `View` with planes of states."""
    view, name = sampler.view(graph, unaries, state), f"{type(sampler).__name__}.view"
    if not isinstance(view, View):
        raise ValueError(f"{name}: expected View(...), got {described(view)}")
    same_form(f"states of {name}", view.states, unaries)
    return view


def checked_keep(sampler: AbstractSampler, state: Any, number: int) -> PyTree:
    """Return `keep` of a state of `number` samples. Raise ValueError unless it can continue the chains."""
    kept = sampler.keep(state)
    leaves = jax.tree.leaves(kept)
    if (sampler.continues and not leaves) or any(jnp.shape(leaf)[-1:] != (number,) for leaf in leaves):
        raise ValueError(
            f"{type(sampler).__name__}.keep: expected arrays with the samples ({number}) on the last axis, got "
            f"{described(kept)}; set `continues` to False if the samples are independent draws"
        )
    return kept


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
            f"observed as {known}, in {what} {first + row} from {validate.describe(part)}; keep the states of the "
            "variables that pmp_kit.engine.planes.is_clamped(unaries) marks"
        )


def draw_each(draw: Any, keys: Array, shape: tuple[int, ...], dtype: Any) -> Shaped[Array, "*shape batch"]:
    """Return one draw of `shape` for each key, with the samples on the last axis."""
    return jax.vmap(lambda key: draw(key, shape, dtype), out_axes=-1)(keys)


def keys_of(key, data):
    """Return fold_in(key, data) for each entry of `data`, or for each entry of `key` if it is an array of keys."""
    if key.ndim:
        return jax.vmap(jax.random.fold_in, (0, None))(key, data)
    return jax.vmap(jax.random.fold_in, (None, 0))(key, data)


def split_each(keys: Array, number: int = 2) -> Array:
    """Split every key and return `number` arrays of keys, each with one key for each sample."""
    return jnp.moveaxis(jax.vmap(lambda key: jax.random.split(key, number))(keys), 1, 0)


def fitting(previous: Any, kind: type, arrays: PyTree, wanted: PyTree) -> None:
    """Raise ValueError unless `previous` has the type `kind`, and its arrays have the shapes of the wanted ones."""
    right = isinstance(previous, kind)
    if not right or jax.tree.map(jnp.shape, arrays) != jax.tree.map(jnp.shape, wanted):
        raise ValueError(
            "previous: expected the .chains of the same sampler on the same variables, got "
            f"{described(previous)} in place of {described(wanted) if right else kind.__name__}; leave `previous` out "
            "to start new chains"
        )
