"""Samples of any model, recorded on their way, with arrays of the model multiplied by sliders."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Int

import pmp_kit as pk

from ....engine import planes
from ....graph import as_graph
from ..shared.different import different
from ..shared.limits import SETTLED

ROWS = 32
"""Number of times that the samples are recorded on their way."""
MOST_EXACT = 2**12
"""Configurations up to which exact marginals are computed."""
MOST_SHOWN, SMALL = 60, 64
"""Samples whose pictures are sent; and pixels of a picture of which many states fit on a page without a kernel."""
SURE = 4.0
"""Standard errors: a larger difference between samples and exact marginals is not an accident."""


def parameters(model) -> dict[str, Float[np.ndarray, ...]]:
    """Return the arrays of numbers of a model by name, without those that are zero everywhere."""
    places = jax.tree_util.tree_flatten_with_path(model)[0]
    named = {jax.tree_util.keystr(place).lstrip("."): np.asarray(leaf) for place, leaf in places}
    return {name: leaf for name, leaf in named.items() if leaf.dtype.kind == "f" and leaf.any()}


def chosen(model, wanted: Sequence[str] | Mapping[str, str] | None, most: int) -> dict[str, str]:
    """Return word on the slider -> name of the array; by default the first two, by the last word of their names.

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
    """Multiply some arrays of the model. Its structure stays, so that nothing compiles again."""

    def turn(place, leaf):
        name = jax.tree_util.keystr(place).lstrip(".")
        return leaf * jnp.asarray(scales[name], leaf.dtype) if name in scales else leaf

    return jax.tree_util.tree_map_with_path(turn, model)


class Batch(NamedTuple):
    """S samples, recorded R = ROWS + 1 times; row 0 is before the first sweep."""

    states: Int[np.ndarray, "R S n"]
    allowed: Bool[np.ndarray, "R S"]
    """Whether the configuration obeys all hard constraints."""
    residual: Float[np.ndarray, "R S"] | None
    """Largest message update of the next sweep; None if the sampler has no messages."""


def watch(view):
    """Observe states, whether they are allowed, and the residual if there are messages."""
    residual = None if view.messages is None else pk.observe.residual(view)
    return planes.to_states(view.states), pk.observe.score(view) > -jnp.inf, residual


def draw(model, sampler, evidence, samples: int, every: int, seed: int) -> Batch:
    """Draw samples and record them every `every` sweeps."""
    history = pk.trace(
        jax.random.key(seed), model, sampler,
        num_sweeps=ROWS * every, every=every, observe=watch, num_samples=samples, evidence=evidence,
    )  # fmt: skip
    return Batch(*history.values)


def exact(model, evidence) -> dict | None:
    """Return exact marginals by block name, (*shape, states), if there are few configurations.

    Raises:
        ValueError: no configuration obeys all constraints and the evidence.
    """
    variables = as_graph(model).variables
    if np.prod(variables.cardinalities.astype(float)) > MOST_EXACT:
        return None
    return pk.exact.marginals(model, evidence)


def shares(states: Int[np.ndarray, "S ..."], num_states: int) -> Float[np.ndarray, "... states"]:
    """Return the share of the samples in which each variable is in each state."""
    return np.stack([(states == state).mean(0) for state in range(num_states)], axis=-1)


def plain(named: dict, block: str) -> Int[np.ndarray, "S h w"]:
    """Return the states of a block as pictures; a single axis becomes a row.

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
    """Return what is drawn of the samples.

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
    """Return the shares of ones of binary variables, else all shares."""
    return shares[..., 1].ravel() if shares.shape[-1] == 2 else shares.ravel()


def pmp(damping: float, perturbation: float) -> pk.PerturbAndMAP:
    """Make the default sampler."""
    return pk.PMP(damping=damping, tolerance=0.0, noise=pk.Gumbel(perturbation))


class State(NamedTuple):
    """S samples after some sweeps."""

    pictures: Int[np.ndarray, "S h w"]
    most: int
    """The largest state that can be drawn; with a `show`, the largest that is drawn."""
    allowed: Bool[np.ndarray, " S"]
    different: int
    """The number of different samples."""
    marginals: Float[np.ndarray, " entries"]
    """Shares of the block that is shown: of ones (binary), or of each state of each variable."""
    exact: Float[np.ndarray, " entries"] | None
    settled: Float[np.ndarray, " rows"] | None
    """Share of samples that have settled, at each row; None if the sampler has no messages."""
    lawful: Float[np.ndarray, " rows"]
    """Share of samples that obey all hard constraints, at each row."""
    row: int
    sweeps: int
    seed: int

    @property
    def worst(self) -> int | None:
        """Index of the marginal with the largest error beyond chance (SURE standard errors); None if there is none."""
        if self.exact is None:
            return None
        errors = np.abs(self.marginals - self.exact)
        spread = np.sqrt(self.exact * (1 - self.exact) / len(self.allowed))
        beyond = errors > SURE * spread + 1 / len(self.allowed)
        return int(np.where(beyond, errors, -1.0).argmax()) if beyond.any() else None


def shown(state: State) -> int:
    """Return how many samples are sent: fewer where their pictures are large."""
    return min(len(state.pictures), max(9, min(MOST_SHOWN, MOST_SHOWN * SMALL // state.pictures[0].size)))


def rows_of_map(state: State, num_states: int) -> int:
    """Return the number of rows of a map of the marginals.

    There is a row for each variable if it has several states. Else there is one for each place of the picture, if
    several variables belong to a place, or the rows are those of the picture, if the sizes fit.
    """
    count, (high, wide) = state.marginals.size, state.pictures.shape[1:]
    if num_states > 2:
        return count // num_states
    places = high * wide
    if count > places and count % places == 0:
        return places
    return high if count % high == 0 else 1


def entry_name(entry: int, num_states: int) -> str:
    """Name an entry of `entries`; variables are counted from 1, states from 0."""
    if num_states == 2:
        return f"variable {entry + 1}"
    return f"variable {entry // num_states + 1}, state {entry % num_states}"


def state(batch: Batch, row: int, named: dict, block: str, num_states: int, show: Callable | None, **known) -> State:
    """Summarise one row of a batch.

    Args:
        batch: the recorded samples.
        row: the row that is looked at.
        named: its states by block name.
        block, num_states: the block whose marginals are shown, and the number of states of its variables.
        show: as for the class.
        known: exact (entries), sweeps and seed.
    """
    settled = None if batch.residual is None else (batch.residual < SETTLED).mean(1)
    drawn = pictures(show, block, named)
    return State(
        pictures=drawn,
        most=num_states - 1 if show is None else int(drawn.max()),
        allowed=batch.allowed[row],
        different=different(drawn),
        marginals=entries(shares(named[block], num_states)),
        settled=settled,
        lawful=batch.allowed.mean(1),
        row=row,
        **known,
    )
