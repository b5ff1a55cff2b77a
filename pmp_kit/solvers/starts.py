"""Starts: the messages before the first sweep. They influence which fixed point max-product reaches."""

from abc import abstractmethod
from typing import TypeAlias

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Key

from ..engine import checks
from ..engine.signatures import Number, PyTree
from ..graph import FactorGraph

MOST_SHARE = 4.0
"""The largest share: messages of at most 2 |w|, for which the clipped beliefs of pairs are right (see `bounded`)."""


class AbstractStart(eqx.Module):
    """The initial messages. They are equal for all batch elements, which therefore do not depend on each other."""

    @abstractmethod
    def messages(self, graph: FactorGraph, batch: tuple[int, ...]) -> tuple[PyTree, ...]:
        """Return the initial messages, one entry for each group of factors; at most 2 |w| for a pair of weight w."""


class NeutralStart(AbstractStart):
    """Initial messages equal to `share` times the mean of the log-potential over the other variables' states.

    Share 1 is neutral. Share 0 gives zero messages, as in Algorithm 1 and the authors' code. With states {0, 1}, zero
    messages are not neutral: compared with the neutral messages they favour one state. Share 2 favours the other state
    by the same amount.
    """

    share: Number

    def __init__(self, share: Number = 1.0):
        """Args: share: the multiple of the neutral messages, from -4 to 4. Raises: TypeError or ValueError."""
        self.share = checks.number("share", share, -MOST_SHARE, MOST_SHARE)

    def messages(self, graph, batch):
        neutral = tuple(factor.neutral_messages(batch) for factor in graph.factors)
        return jax.tree.map(lambda m: (self.share * m).astype(graph.unaries.dtype), neutral)


class RandomStart(AbstractStart):
    """Initial messages computed by one undamped sweep from independent normal beliefs. Cost: one sweep."""

    key: Key[Array, ""]
    scale: Number

    def __init__(self, key: Array, scale: Number = 1.0):
        """Args:
        key: a JAX key.
        scale: standard deviation of the beliefs, in nats.

        Raises: TypeError or ValueError that names the argument.
        """
        self.key = checks.key(key)
        self.scale = checks.number("scale", scale, 0.0, 1e6)

    def messages(self, graph, batch):
        shape = (graph.variables.num_planes, graph.variables.count) + (1,) * len(batch)
        noise = self.scale * jax.random.normal(self.key, shape, graph.unaries.dtype)
        forms = jax.eval_shape(lambda graph: NeutralStart(0.0).messages(graph, batch), graph)
        silent = jax.tree.map(lambda form: jnp.zeros(form.shape, form.dtype), forms)  # neutral ones are not computed
        return graph.update(jnp.broadcast_to(noise, (*shape[:2], *batch)), silent)


Start: TypeAlias = str | AbstractStart


def as_start(start: Start) -> AbstractStart:
    """Return the start with the name "neutral" or "zero"; a start object is returned unchanged."""
    if isinstance(start, AbstractStart):
        return start
    named = {"zero": 0.0, "neutral": 1.0}
    if not isinstance(start, str) or start not in named:
        names = ", ".join(map(repr, named))
        raise ValueError(f"start: expected one of {names}, or RandomStart(key), got {checks.describe(start)}")
    return NeutralStart(named[start])
