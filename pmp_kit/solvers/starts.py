"""Starts: the messages before the first sweep. Max-product has many fixed points, and the start decides which."""

from abc import abstractmethod
from typing import TypeAlias

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Key

from ..engine import validate
from ..engine.signatures import Number, PyTree
from ..graph import FactorGraph


class AbstractStart(eqx.Module):
    """How messages begin; all copies begin alike, so that nothing depends on which run side by side."""

    @abstractmethod
    def messages(self, graph: FactorGraph, batch: tuple[int, ...]) -> tuple[PyTree, ...]:
        """One group of messages for each factor of the graph."""


class NeutralStart(AbstractStart):
    """Each message the mean of its log-potential, times `share`: 1 is neutral, 0 is all zero, as the authors' code.

    Algorithm 1 starts at zero. In {0,1} a zero message is not neutral: it leans to one state. At share 2 it leans as
    far to the other.
    """

    share: Number

    def __init__(self, share: Number = 1.0):
        """Args: share: of the neutral message, a number."""
        self.share = validate.number("share", share, -1e3, 1e3)

    def messages(self, graph, batch):
        neutral = tuple(factor.neutral_messages(batch) for factor in graph.factors)
        return jax.tree.map(lambda m: self.share * m, neutral)


class RandomStart(AbstractStart):
    """The messages of one undamped sweep from beliefs that are independent normal noise; costs one sweep."""

    key: Key[Array, ""]
    scale: Number

    def __init__(self, key: Array, scale: Number = 1.0):
        """Args:
        key: a JAX key.
        scale: standard deviation of the beliefs, in nats.

        Raises: TypeError or ValueError that names the argument.
        """
        self.key = validate.key(key)
        self.scale = validate.number("scale", scale, 0.0, 1e6)

    def messages(self, graph, batch):
        shape = (graph.variables.num_planes, graph.variables.count) + (1,) * len(batch)
        noise = self.scale * jax.random.normal(self.key, shape, graph.unaries.dtype)
        silent = NeutralStart(0.0).messages(graph, batch)
        return graph.update(jnp.broadcast_to(noise, (*shape[:2], *batch)), silent)


Start: TypeAlias = str | AbstractStart


def as_start(start: Start) -> AbstractStart:
    """A start from its name, "neutral" or "zero", or itself."""
    if isinstance(start, AbstractStart):
        return start
    named = {"zero": 0.0, "neutral": 1.0}
    if not isinstance(start, str) or start not in named:
        names = ", ".join(map(repr, named))
        raise ValueError(f"start: expected one of {names}, or RandomStart(key), got {validate.describe(start)}")
    return NeutralStart(named[start])
