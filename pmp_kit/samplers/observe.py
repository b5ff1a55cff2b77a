"""Functions of a `View` that `trace` can record at each row.

Any other function of a `View` (`pmp_kit.samplers.View`) can be used as well. The last axis of all arrays of a view and
of the result is that of the samples. The shapes below leave it out. `beliefs`, `messages` and `residual` raise
ValueError for samplers without messages.
"""

import jax.numpy as jnp
from jaxtyping import Array, Float

from ..engine import planes
from ..engine.signatures import PyTree
from . import View


def states(view: View) -> dict[str, Array]:
    """Return the present sample by block name: state numbers (*shape), as `sample` returns them."""
    return _named(view, planes.to_states(view.states))


def beliefs(view: View) -> dict[str, Array]:
    """Return the beliefs, which are the (perturbed) unaries plus all messages, by block name.

    They are log-odds (*shape) if all variables of the graph are binary, else scores (*shape, states), in nats.
    """
    total = view.graph.beliefs(view.unaries, _messages(view))
    if total.shape[0] == 1:
        return _named(view, total[0])
    named = _named(view, jnp.moveaxis(total, 0, 1))  # (*shape, C, batch)
    return {name: named[name][..., : block.states, :] for name, block in view.graph.variables.blocks}


def messages(view: View) -> tuple[PyTree, ...]:
    """Return the messages of all groups of factors, each in its own layout."""
    return _messages(view)


def residual(view: View) -> Float[Array, " batch"]:
    """Return the largest message update of a flooding sweep before damping, in nats."""
    messages = _messages(view)
    return view.graph.residual(view.graph.beliefs(view.unaries, messages), messages)


def score(view: View) -> Float[Array, " batch"]:
    """Return the score -E(x) of the sample under the model, in nats."""
    return view.graph.score(view.states)


def perturbed_score(view: View) -> Float[Array, " batch"]:
    """Return the score of the sample under the perturbed model, in nats.

    If the solver is exact and the noise is Gumbel noise of scale 1, the mean of this score is an upper bound of log Z
    (`measures.log_partition_upper` also treats auxiliary variables). On graphs of binary variables, the noise
    of state 0, which has mean zero, is not drawn and not included.
    """
    shift = jnp.where(jnp.isfinite(view.unaries), view.unaries - view.graph.planes()[..., None], 0.0)
    return view.graph.score(view.states) + planes.dot(shift, view.states)


def _named(view: View, flat: Array) -> dict[str, Array]:
    """Split (n, ...) by name into arrays (*shape, ...)."""
    ids = view.graph.variables
    return {name: flat[at.min() : at.max() + 1].reshape(at.shape + flat.shape[1:]) for name, at in ids.items()}


def _messages(view: View) -> tuple[PyTree, ...]:
    if view.messages is None:
        raise ValueError("observe: expected a sampler that passes messages, such as PMP(); observe states instead")
    return view.messages
