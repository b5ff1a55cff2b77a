"""What the composer looks at: numbers of a model that can be turned up and down, and a batch of samples on its way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Int

import pmp_kit as pk
from pmp_kit.engine import planes
from pmp_kit.graph import as_graph

ROWS = 32
"""Looks at the samples on their way."""
SETTLED = 1e-3
"""Nats: a sample whose messages ask for no larger change counts as settled."""
MOST_EXACT = 2**12
"""Configurations up to which exact marginals are computed."""


def parameters(model) -> dict[str, Float[np.ndarray, ...]]:
    """The arrays of numbers of a model by name, those that are zero throughout left out."""
    places = jax.tree_util.tree_flatten_with_path(model)[0]
    named = {jax.tree_util.keystr(place).lstrip("."): np.asarray(leaf) for place, leaf in places}
    return {name: leaf for name, leaf in named.items() if leaf.dtype.kind == "f" and leaf.any()}


def chosen(model, wanted: Sequence[str] | Mapping[str, str] | None, most: int) -> dict[str, str]:
    """Word on the slider -> name of the array; by default the first two of the model, by the last word of their names.

    Raises:
        ValueError: unknown names, or too many.
    """
    there = list(parameters(model))
    if wanted is None:
        short = [name.split(".")[-1] for name in there[:2]]
        return dict(zip(short if len(set(short)) == len(short) else there, there, strict=False))
    words = dict(wanted) if isinstance(wanted, Mapping) else {name: name for name in wanted}
    odd = [name for name in words.values() if name not in there]
    if odd or len(words) > most:
        got = repr(odd[0]) if odd else f"{len(words)} of them"
        raise ValueError(f"parameters: expected at most {most} of {there}, got {got}; leave them out to get the first")
    return words


@jax.jit
def scaled(model, scales: dict[str, Float[Any, ""]]):
    """The model with some of its arrays multiplied; with the same form, so that nothing compiles again."""

    def turn(place, leaf):
        name = jax.tree_util.keystr(place).lstrip(".")
        return leaf * jnp.asarray(scales[name], leaf.dtype) if name in scales else leaf

    return jax.tree_util.tree_map_with_path(turn, model)


class Batch(NamedTuple):
    """Samples on their way, R = ROWS + 1 looks at S of them; row 0 is before the first sweep."""

    states: Int[np.ndarray, "R S n"]
    allowed: Bool[np.ndarray, "R S"]
    """Whether the configuration keeps all hard rules."""
    residual: Float[np.ndarray, "R S"] | None
    """Largest change that the next sweep asks for; None where the sampler passes no messages."""


def watch(view):
    """Observes states, whether they are allowed, and the residual where there are messages."""
    residual = None if view.messages is None else pk.observe.residual(view)
    return planes.to_states(view.states), pk.observe.score(view) > -jnp.inf, residual


def draw(model, sampler, evidence, samples: int, every: int, seed: int) -> Batch:
    """ROWS looks, `every` sweeps apart."""
    history = pk.trace(
        jax.random.key(seed), model, sampler,
        num_sweeps=ROWS * every, every=every, observe=watch, num_samples=samples, evidence=evidence,
    )  # fmt: skip
    return Batch(*history.values)


def exact(model, evidence) -> dict | None:
    """Exact marginals by block name, (*shape, states), where there are few configurations.

    Raises:
        ValueError: no configuration keeps all the rules and the evidence.
    """
    variables = as_graph(model).variables
    if np.prod(variables.cardinalities.astype(float)) > MOST_EXACT:
        return None
    return pk.exact.marginals(model, evidence)


def shares(states: Int[np.ndarray, "S ..."], num_states: int) -> Float[np.ndarray, "... states"]:
    """How often each variable is in each state."""
    return np.stack([(states == state).mean(0) for state in range(num_states)], axis=-1)


def plain(named: dict, block: str) -> Int[np.ndarray, "S h w"]:
    """The states of a block as pictures: one axis becomes a row.

    Raises:
        ValueError: a block of more than two axes.
    """
    states = np.asarray(named[block])
    if states.ndim > 3:
        raise ValueError(
            f"show: expected a block of one or two axes, got {block!r} of shape {states.shape[1:]}; give a function "
            "of the samples that returns integers (samples, height, width)"
        )
    return states.reshape(states.shape[0], *([1] * (3 - states.ndim)), *states.shape[1:])


def pictures(show: Callable | None, block: str, named: dict) -> Int[np.ndarray, "S h w"]:
    """What is drawn of samples.

    Raises:
        ValueError: `show` returns no integers (samples, height, width).
    """
    if show is None:
        return plain(named, block)
    drawn = np.asarray(show(named))
    number = len(next(iter(named.values())))
    if drawn.ndim != 3 or drawn.shape[0] != number or drawn.dtype.kind not in "iub":
        raise ValueError(
            f"show: expected integers of shape ({number}, height, width), got {drawn.dtype} of shape {drawn.shape}; "
            "return one small picture for each sample"
        )
    return drawn.astype(int)


def entries(shares: Float[np.ndarray, "... states"]) -> Float[np.ndarray, " entries"]:
    """Of binary variables the share of ones, else all shares."""
    return shares[..., 1].ravel() if shares.shape[-1] == 2 else shares.ravel()


class ComposerState(NamedTuple):
    """A batch of S samples after some sweeps."""

    pictures: Int[np.ndarray, "S h w"]
    allowed: Bool[np.ndarray, " S"]
    different: int
    marginals: Float[np.ndarray, " entries"]
    """Shares of the block that is looked at: of ones (binary), or of each state of each variable."""
    exact: Float[np.ndarray, " entries"] | None
    settled: Float[np.ndarray, " rows"] | None
    """Share of samples whose messages stand, at each look; None where the sampler passes none."""
    lawful: Float[np.ndarray, " rows"]
    """Share of samples that keep all hard rules, at each look."""
    row: int
    sweeps: int
    seed: int


def pmp(damping: float, perturbation: float) -> pk.PerturbAndMAP:
    """The sampler that the composer takes by default."""
    return pk.PMP(damping=damping, tolerance=0.0, noise=pk.Gumbel(perturbation))
