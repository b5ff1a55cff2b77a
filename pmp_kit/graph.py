"""The factor graph: variables, their unaries, and factors. Any object with a method `.graph()` is a model."""

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from .engine import checks, identity_cache, planes
from .engine.arrays import any_traced, known_structure
from .engine.planes import Planes, Rows
from .engine.reductions import largest_change
from .engine.signatures import ArrayLike, NamedArrays, PyTree
from .factors import AbstractFactor, DensePairwise
from .factors.binary_pairs import AbstractBinaryPairs
from .factors.hard import VIOLATION, blended
from .factors.weighted_pairs import AbstractWeightedPairs
from .unaries import unary_parameters
from .variables import Variables


class FactorGraph(eqx.Module):
    """A factor graph, which defines an energy-based model p(x) proportional to exp(score(x)) (Section 2.1).

        score(x) = sum_a theta_a . phi_a(x_a) + sum_i theta_i(x_i) = -E(x)

    Float arrays are parameters. Integer arrays (the wiring) are structure.
    """

    variables: Variables = eqx.field(static=True)
    unaries: Float[Array, "n C"]
    """theta_i, with 0 for forbidden states; `with_forbidden` has -inf there."""
    allowed: Bool[Array, "n C"] | None
    """Which states the unaries allow; None if they allow all."""
    factors: tuple[AbstractFactor, ...]
    inverse_temperature: Float[Array, ""] | None
    """The number that the finite scores of the factors are multiplied by, for Markov chains; None for 1."""

    def __init__(
        self,
        variables: Variables,
        factors: Iterable[AbstractFactor] = (),
        unaries: ArrayLike | NamedArrays | None = None,
    ):
        """Args:
        variables: the blocks of variables.
        factors: the factors between them, in a list or another iterable.
        unaries: theta_i, in nats: (n, C), or a dict block name -> log-odds (*shape) of a binary block or scores
            (*shape, states). Blocks that are not named get 0. -inf forbids a state. To observe a variable, use
            evidence. The graph stores (n, C), so the log-odds of a binary variable are column 1 minus column 0.

        Raises: TypeError or ValueError that names the argument.
        """
        self.variables = checks.instance("variables", variables, Variables, "Variables(name=Binary(3))")
        self.factors, self.inverse_temperature = _checked_factors(factors, variables), None
        self.unaries, self.allowed = unary_parameters(variables, unaries)

    def graph(self) -> "FactorGraph":
        """Return the graph itself, or one with symmetric weights if those of `DensePairwise` are not known to be."""
        factors = tuple(
            DensePairwise.symmetric(factor) if isinstance(factor, DensePairwise) else factor for factor in self.factors
        )
        same = all(one is other for one, other in zip(self.factors, factors, strict=True))
        return self if same else eqx.tree_at(lambda graph: graph.factors, self, factors)

    def tempered(self, inverse_temperature: Float[Array, ""], unaries: Float[Array, "n C"]) -> "FactorGraph":
        """Return the graph with other unaries, and with the finite scores of the factors times a number.

        Hard constraints stay as they are. The messages of the factors would be those of the graph itself, so only
        Markov chains use the result.
        """
        changed = lambda graph: (graph.inverse_temperature, graph.unaries)  # noqa: E731
        return eqx.tree_at(changed, self, (inverse_temperature, unaries), is_leaf=lambda leaf: leaf is None)

    def at_temperature(self, values: Array) -> Array:
        """Return finite scores of a factor, or changes of them, times the inverse temperature."""
        return values if self.inverse_temperature is None else self.inverse_temperature * values

    @property
    def hard(self) -> bool:
        """Whether some factor sends infinite messages, which may contradict each other."""
        return any(factor.hard for factor in self.factors)

    @property
    def sides(self) -> int:
        """The number of parts into which the messages of all factors are divided, for `Alternating`."""
        return sum(factor.sides for factor in self.factors)

    @property
    def is_sparse(self) -> bool:
        """Whether every factor mostly reads beliefs by index, so that sweeps are faster for several samples at once."""
        return all(isinstance(factor, AbstractWeightedPairs) for factor in self.factors)

    @property
    def needs_two_buffers(self) -> bool:
        """Whether all factors compute each message of a pair from the other one, so not in place of the old ones."""
        return all(isinstance(factor, (AbstractBinaryPairs, AbstractWeightedPairs)) for factor in self.factors)

    def with_forbidden(self) -> Float[Array, "n C"]:
        """Return the unaries, -inf for forbidden states, as `FactorGraph` takes them."""
        return self.unaries if self.allowed is None else jnp.where(self.allowed, self.unaries, -jnp.inf)

    def planes(self) -> Float[Array, "planes n"]:
        """Return the unaries as planes. Forbidden states, and states that a variable does not have, get -inf."""
        return planes.from_scores(jnp.where(self.allowed_states(), self.unaries, -jnp.inf))

    def allowed_states(self) -> Bool[np.ndarray | Array, "n C"]:
        """Return which states each variable has and the unaries allow."""
        exists = np.arange(self.variables.num_states) < self.variables.cardinalities[:, None]
        return exists if self.allowed is None else exists & self.allowed

    def possible_states(self, known: np.ndarray) -> Bool[np.ndarray, "n C"]:
        """Return which allowed states agree with observed ones (n,), FREE where there are none; only with values."""
        agrees = (known[:, None] == planes.FREE) | (known[:, None] == np.arange(self.variables.num_states))
        return agrees & np.asarray(self.allowed_states())

    def score(self, states: Planes) -> Float[Array, "*batch"]:
        """Return Theta . Phi(x) = -E(x) of planes of states, in nats; -inf for forbidden configurations."""
        return self.factor_score(states) + self.unary_score(states)

    def score_with(self, unaries: Planes, states: Planes) -> Float[Array, "*batch"]:
        """Return the score of states with these unaries, in nats; infinite unaries count as 0."""
        return self.factor_score(states) + planes.dot(unaries, states)

    def finite_score(self, states: Planes) -> Float[Array, "*batch"]:
        """Return the score in nats, with 0 instead of -inf for violated constraints and forbidden states."""
        return self.finite_factor_score(states) + self._score_of_states(self.unaries, states)

    def finite_factor_score(self, states: Planes) -> Float[Array, "*batch"]:
        """Return the score of the factors in nats, with 0 instead of -inf for violated constraints."""
        zero = jnp.zeros(states.shape[2:], states.dtype)
        return sum((self.at_temperature(factor.finite_score(states)) for factor in self.factors), start=zero)

    def violations(self, states: Planes) -> Float[Array, "*batch"]:
        """Return how far states are from allowed ones; positive if the score is -inf (`AbstractFactor.violations`)."""
        zero = jnp.zeros(states.shape[2:], states.dtype)
        counts = (factor.violations(states).astype(states.dtype) for factor in self.factors if factor.hard)
        count = sum(counts, start=zero)
        return count if self.allowed is None else count + self._score_of_states(~self.allowed, states)

    def factor_score(self, states: Planes) -> Float[Array, "*batch"]:
        """Return Theta_a . Phi_a(x), the score of the factors without the unaries, in nats."""
        zero = jnp.zeros(states.shape[2:], states.dtype)
        score = sum((factor.score(states) for factor in self.factors), start=zero)
        return (
            score
            if self.inverse_temperature is None
            else jnp.where(score > -jnp.inf, self.at_temperature(score), score)
        )

    def unary_score(self, states: Planes) -> Float[Array, "*batch"]:
        """Return Theta_i . Phi_i(x), the score of the unaries, in nats."""
        score = self._score_of_states(self.unaries, states)
        if self.allowed is None:
            return score
        return jnp.where(self._score_of_states(~self.allowed, states) > 0, -jnp.inf, score)

    def _score_of_states(self, values: Array, states: Planes) -> Float[Array, "*batch"]:
        """Return the sum of values (n, C) at the states of all variables."""
        values = values.astype(states.dtype)
        if states.shape[0] > 1:
            return planes.contract(values.T.reshape(-1), states.reshape(values.size, *states.shape[2:]))
        return jnp.sum(values[:, 0]) + planes.contract(values[:, 1] - values[:, 0], states[0])

    def score_range(self, unaries: Planes) -> Float[Array, "*batch"]:
        """Return an upper bound of the difference of two finite scores, in nats, with these unaries."""
        sizes = jnp.abs(planes.finite(unaries))
        spreads = (factor.bounds()[0].astype(sizes.dtype) for factor in self.factors)
        factors = sum(spreads, start=jnp.zeros((), sizes.dtype))
        return factors + (1.0 if unaries.shape[0] == 1 else 2.0) * sizes.max(0).sum(0)

    def beliefs(self, unaries: Planes, messages: tuple[PyTree, ...]) -> Planes:
        """Return the beliefs, which are the unaries plus all arriving messages (Section 2.4)."""
        total = unaries
        for factor, group in zip(self.factors, messages, strict=True):
            total = factor.to_variables(group, total)
        return planes.without_contradictions(total, unaries) if self.hard else total

    def update(self, beliefs: Planes, messages: tuple[PyTree, ...]) -> tuple[PyTree, ...]:
        """Return new undamped max-product messages of all factors from the same beliefs.

        This is the sweep of `Flooding` without damping. `MaxProduct.sweep` calls the factors itself, in the order of
        its schedule.
        """
        groups = zip(self.factors, messages, strict=True)
        return tuple(factor.update(beliefs, old) for factor, old in groups)

    def residual(self, beliefs: Planes, messages: tuple[PyTree, ...]) -> Float[Array, "*batch"]:
        """Return the largest message update of `update` for each batch element, in nats."""
        return largest_change(self.update(beliefs, messages), messages, beliefs[0, 0])

    def locate(self, at: Any) -> tuple[PyTree, ...]:
        """Return the positions of each row of `at` (blocks, width) in each factor, for `conditional`."""
        return tuple(factor.locate(at) for factor in self.factors)

    def conditional(self, states: Planes, unaries: Planes, at: Any, where: tuple[PyTree, ...]) -> Rows:
        """Return the log-conditional of each variable in `at` given all others, up to a constant, in nats.

        Each additional violated constraint subtracts VIOLATION nats. The violations are counted before this, so they
        cancel exactly if a change adds as many violations as it removes. For variables with more states, violations
        count from the state that has the fewest: VIOLATION nats for every state would absorb all other scores.
        """
        field, broken = self.finite_conditional(
            states, unaries[:, jnp.minimum(at, self.variables.count - 1)], at, where
        )
        if broken is None:
            return field
        if field.shape[0] > 1:
            possible = field > -jnp.inf
            broken = jnp.where(possible, broken - jnp.where(possible, broken, jnp.inf).min(0), 0.0)
        return field - VIOLATION * broken

    def finite_conditional(
        self, states: Planes, unaries: Rows, at: Any, where: tuple[PyTree, ...]
    ) -> tuple[Rows, Rows | None]:
        """Return `conditional` without VIOLATION, given the unaries of these variables, and the violated constraints.

        The second result is the number of violated constraints for each state; None if no factor is hard.
        """
        field, broken = unaries, None
        for factor, row in zip(self.factors, where, strict=True):
            finite, violations = factor.conditional(states, at, row)
            field = planes.add_where_possible(field, self.at_temperature(finite))
            if violations is not None:
                broken = violations if broken is None else broken + violations
        return field, broken


class Model(Protocol):
    """A FactorGraph, or any object with a method `.graph()` that returns one."""

    def graph(self) -> FactorGraph: ...


AnyModel = TypeVar("AnyModel", bound=Model)
"""The type of a model, for functions that return a model of the same type."""


def damped(factor: AbstractFactor, old: PyTree, new: PyTree, kept: PyTree, limit: Array) -> PyTree:
    """Return damped messages of a group, kept * old + (1 - kept) * new.

    Parts of the messages that were not updated are the same arrays in old and new, and are returned without cost.

    Args:
        factor: the group.
        old, new: its old and new messages.
        kept: the share of each old message that is kept (the damping), in the form of the messages; with 1 nothing
            changes.
        limit: the limit of finite messages of hard factors, in nats, (*batch,). On loops they may grow without bound.
    """

    def move(old, new, kept):
        if new is old:
            return old
        return blended(old, new, kept, limit) if factor.hard else old + (1.0 - kept) * (new - old)

    return jax.tree.map(move, old, new, kept)


def _checked_factors(factors: Iterable[AbstractFactor], variables: Variables) -> tuple[AbstractFactor, ...]:
    """Return the factors as a tuple after checking each of them against the variables."""
    if not isinstance(factors, Iterable):
        raise TypeError(f"factors: expected a list of factors, got {type(factors).__name__}; write [factor]")
    result = tuple(factors)
    for factor in result:
        checks.instance("factors", factor, AbstractFactor, "Edges(pairs, weight)")
        with known_structure(factor) as known:
            if known is not None:
                known.check(variables)
    return result


def as_graph(model: Model) -> FactorGraph:
    """Return the factor graph of a model, which is any object with a method `.graph()`."""
    if isinstance(model, FactorGraph):
        return _checked_shape(FactorGraph.graph(model))  # Equinox takes 25 microseconds to bind a method
    immutable = isinstance(model, eqx.Module) and all(isinstance(leaf, jax.Array) for leaf in jax.tree.leaves(model))
    return _built_once(model) if immutable and not any_traced((model,)) else _built(model)


def _built(model: Model) -> FactorGraph:
    """Return the checked factor graph of a model."""
    build = getattr(model, "graph", None)
    if build is None or isinstance(model, type):
        hint = f"; write {model.__name__}(...)" if isinstance(model, type) else ""
        got = checks.describe(model)
        raise TypeError(f"model: expected a FactorGraph or anything with .graph(), got {got}{hint}")
    graph = build() if callable(build) else build
    if not (callable(build) and isinstance(graph, FactorGraph)):
        got = checks.describe(graph)
        raise TypeError(f"model: expected a method .graph() that returns a FactorGraph, got {got}")
    return _checked_shape(graph)


_built_once = identity_cache.by_identity(_built)


def _checked_shape(graph: FactorGraph) -> FactorGraph:
    """Return the graph. Raise ValueError if its unaries do not fit, as in a batch of graphs from jax.vmap."""
    wanted, got = (graph.variables.count, graph.variables.num_states), graph.unaries.shape
    if got != wanted:
        hint = "call the function inside jax.vmap for many models" if len(got) > 2 else "build the model again"
        raise ValueError(f"model: expected unaries of shape {wanted}, got {got}; {hint}")
    return graph
