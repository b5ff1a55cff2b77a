"""Starts: the messages before the first sweep. Max-product has many fixed points, and the start decides which."""

from abc import abstractmethod

import equinox as eqx
import jax
from jaxtyping import Array, Key, PyTree

from .. import validate
from ..graph import FactorGraph


class AbstractStart(eqx.Module):
    """How messages begin; all copies begin alike, so that nothing depends on which run side by side."""

    @abstractmethod
    def messages(self, graph: FactorGraph, batch: tuple[int, ...]) -> PyTree:
        """One group of messages for each factor of the graph."""


class NeutralStart(AbstractStart):
    """Each message the mean of its log-potential, times `share`: 1 is neutral, 0 is all zero, as the authors' code.

    Algorithm 1 starts at zero. In {0,1} a zero message is not neutral: it leans to one state. At share 2 it leans as
    far to the other.
    """

    share: float

    def __init__(self, share=1.0):
        """Args: share: of the neutral message, a number."""
        self.share = validate.number("share", share, -1e3, 1e3)

    def messages(self, graph, batch):
        neutral = tuple(factor.neutral_messages(batch) for factor in graph.factors)
        return jax.tree.map(lambda m: self.share * m, neutral)


class RandomStart(AbstractStart):
    """Neutral messages plus independent normal noise; Algorithm 1 is deterministic. Cost: one draw for each message."""

    key: Key[Array, ""]
    scale: float

    def __init__(self, key, scale=1.0):
        """Args:
        key: a JAX key.
        scale: standard deviation of the noise, in nats.

        Raises: TypeError or ValueError that names the argument.
        """
        self.key = validate.key(key)
        self.scale = validate.number("scale", scale, 0.0, 1e6)

    def messages(self, graph, batch):
        leaves, structure = jax.tree.flatten(NeutralStart().messages(graph, batch))
        noisy = []
        for number, leaf in enumerate(leaves):
            shape = leaf.shape[: leaf.ndim - len(batch)] + (1,) * len(batch)
            noise = jax.random.normal(jax.random.fold_in(self.key, number), shape, leaf.dtype)
            noisy.append(leaf + self.scale * noise)
        return jax.tree.unflatten(structure, noisy)


def as_start(start) -> AbstractStart:
    """A start from its name, "neutral" or "zero", or itself."""
    if isinstance(start, AbstractStart):
        return start
    named = {"zero": 0.0, "neutral": 1.0}
    if not isinstance(start, str) or start not in named:
        names = ", ".join(map(repr, named))
        raise ValueError(f"start: expected one of {names}, or RandomStart(key), got {validate.describe(start)}")
    return NeutralStart(named[start])
