"""The factor graph: variables, their unaries, and factors. Anything with a `.graph()` is a model."""

from collections.abc import Mapping

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from . import planes, validate
from .factors import AbstractFactor
from .planes import Planes, Rows
from .variables import Variables


class FactorGraph(eqx.Module):
    """p(x) ~ exp(score(x)), score = sum_a theta_a . phi_a(x_a) + sum_i theta_i(x_i) = -E(x) (Section 2.1).

    Float arrays are parameters, integer arrays are wiring.
    """

    variables: Variables = eqx.field(static=True)
    unaries: Float[Array, "n C"]
    factors: tuple[AbstractFactor, ...]

    def __init__(self, variables, factors=(), unaries=None):
        """Args:
        variables: the blocks of variables.
        factors: the factors between them.
        unaries: theta_i, in nats: (n, C), or a dict block name -> log-odds (*shape) of a binary block or scores
            (*shape, states); blocks that are not named get 0. To fix a variable use evidence.
        """
        self.variables = validate.instance("variables", variables, Variables, "Variables(name=Binary(3))")
        for factor in factors:
            validate.instance("factors", factor, AbstractFactor, "Edges(pairs, weight)")
            if not any(validate.is_traced(leaf) for leaf in jax.tree.leaves(factor)):
                factor.check(variables)
        self.unaries = _unaries(variables, unaries)
        self.factors = tuple(factors)

    def graph(self) -> "FactorGraph":
        return self

    def planes(self) -> Float[Array, "planes n"]:
        """The unaries as planes; states that a variable does not have get -inf."""
        states = np.arange(self.variables.num_states)[None]
        exists = states < self.variables.cardinalities[:, None]
        return planes.from_scores(jnp.where(exists, self.unaries, -jnp.inf))

    def score(self, states: Planes) -> Float[Array, "*batch"]:
        """Theta . Phi(x) = -E(x) of planes of states, in nats."""
        return self.factor_score(states) + self.unary_score(states)

    def factor_score(self, states: Planes) -> Float[Array, "*batch"]:
        """Theta_a . Phi_a(x): the score without the unaries."""
        zero = jnp.zeros(states.shape[2:], states.dtype)
        return sum((factor.score(states) for factor in self.factors), start=zero)

    def unary_score(self, states: Planes) -> Float[Array, "*batch"]:
        """Theta_i . Phi_i(x)."""
        if states.shape[0] > 1:
            return jnp.tensordot(self.unaries.T, states, ((0, 1), (0, 1)))
        odds = self.unaries[:, 1] - self.unaries[:, 0]
        return jnp.sum(self.unaries[:, 0]) + jnp.tensordot(odds, states[0], 1)

    def beliefs(self, unaries: Planes, messages: tuple) -> Planes:
        """Unaries plus all messages that arrive (Section 2.4)."""
        for factor, group in zip(self.factors, messages, strict=True):
            unaries = factor.to_variables(group, unaries)
        return unaries

    def update(self, beliefs: Planes, messages: tuple) -> tuple:
        """New messages of all factors from the same beliefs, undamped: one flooding sweep of max-product."""
        return tuple(f.update(beliefs, group) for f, group in zip(self.factors, messages, strict=True))

    def residual(self, beliefs: Planes, messages: tuple) -> Float[Array, "*batch"]:
        """Largest change that `update` asks of the messages of each copy, in nats."""
        return largest_change(self.update(beliefs, messages), messages, beliefs[0, 0])

    def locate(self, at) -> tuple:
        """Where each row of `at` (blocks, width) is in each factor, for `conditional`."""
        return tuple(factor.locate(at) for factor in self.factors)

    def conditional(self, states: Planes, unaries: Planes, at, where: tuple) -> Rows:
        """Log-conditional of each variable in `at` given all others, up to a constant."""
        field = unaries[:, jnp.minimum(at, self.variables.count - 1)]
        for factor, row in zip(self.factors, where, strict=True):
            field = field + factor.conditional(states, at, row)
        return field


def largest_change(new: tuple, old: tuple, like: Float[Array, "*batch"]) -> Float[Array, "*batch"]:
    """Largest |new - old| over all messages of each copy, shaped as `like`; 0 where there are none."""
    result = jnp.zeros_like(like)
    for one, other in zip(jax.tree.leaves(new), jax.tree.leaves(old), strict=True):
        change, axes = one - other, tuple(range(one.ndim - like.ndim))
        # not max |change|: XLA's CPU reduction of an absolute value that it fuses is many times slower
        for extreme in (jnp.max(change, axis=axes, initial=0.0), -jnp.min(change, axis=axes, initial=0.0)):
            result = jnp.maximum(result, extreme)
    return result


def _unaries(variables: Variables, unaries):
    """Checked unaries as (n, C)."""
    shape = (variables.count, variables.num_states)
    if unaries is None:
        return validate.parameter("unaries", np.zeros(shape))
    if not isinstance(unaries, Mapping):
        return validate.parameter("unaries", unaries, shape)
    given = {name: _block_scores(variables, name, value) for name, value in unaries.items()}
    xp = jnp if any(map(validate.is_traced, given.values())) else np  # values need no compiled function a shape
    rows = []
    for name, block in variables.blocks:
        part = given.get(name, np.zeros((block.size, block.states)))
        rows.append(xp.pad(part, ((0, 0), (0, variables.num_states - block.states))))
    return validate.parameter("unaries", xp.concatenate(rows))


def _block_scores(variables: Variables, name: str, value):
    """Checked scores of one block, (size, states): an array, or traced."""
    ids, block = variables[name], dict(variables.blocks)[name]
    label = f"unaries[{name!r}]"
    array = validate.parameter(label, value)
    xp, array = (jnp, array) if validate.is_traced(array) else (np, np.asarray(array))
    if block.states == 2 and array.shape == ids.shape:
        array = xp.stack([xp.zeros_like(array), array], axis=-1)
    if array.shape != (*ids.shape, block.states):
        odds = f" or {ids.shape} log-odds" if block.states == 2 else ""
        raise ValueError(f"{label}: expected shape {(*ids.shape, block.states)}{odds}, got {array.shape}")
    return array.reshape(block.size, block.states)


def as_graph(model) -> FactorGraph:
    """The factor graph of a model: of anything with a `.graph()`."""
    if not hasattr(model, "graph"):
        raise TypeError(f"model: expected a FactorGraph or anything with .graph(), got {validate.describe(model)}")
    return model.graph()
