"""The contract of a factor: what a new type must know, and nothing about the rest of the graph."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine.planes import Planes, Rows, from_scores, with_each_state
from ..engine.signatures import Number, PyTree
from ..variables import Variables


class AbstractFactor(eqx.Module):
    """A group of factors of one kind: wiring (integer arrays) and log-potentials (float arrays, the parameters).

    Max-product needs no message from variables to factors: by Algorithm 1, m(i->a) = belief_i - m(a->i), so a group
    computes its new messages from the beliefs and from its own old messages, in a layout of its own.
    All arrays of messages, beliefs and states end in the same batch axes: independent copies of the graph.

    A new type gives `scopes`, `score`, `neutral_messages`, `to_variables` and `update`. The other methods have defaults
    made of these; the defaults are right, and slower than what a type can do that knows its own form.
    """

    @property
    def sides(self) -> int:
        """Parts of the messages that `update_side` can renew one after the other, with new beliefs in between."""
        return 1

    @property
    def hard(self) -> bool:
        """Whether a message may be infinite, or may grow without end on loops (see `hard`)."""
        return False

    @property
    @abstractmethod
    def scopes(self) -> tuple[np.ndarray, ...]:
        """Which variables each factor joins: arrays of ids (F, m), one for each size m. Wiring alone decides."""

    def check(self, variables: Variables) -> None:
        """Raise ValueError if the wiring does not fit `variables`. Called once, on values, never on traced arrays."""
        for ids in self.scopes:
            check_range("ids", ids, variables)

    @abstractmethod
    def score(self, states: Planes) -> Float[Array, "*batch"]:
        """theta_a . phi_a(x), summed over the group, in nats."""

    def finite_score(self, states: Planes) -> Float[Array, "*batch"]:
        """The score without broken constraints and forbidden entries, which count 0 here."""
        score = self.score(states)
        return jnp.where(score == -jnp.inf, 0.0, score)

    def violations(self, states: Planes) -> Float[Array, "*batch"]:
        """How many constraints are broken and forbidden entries taken; above 0 where the score is -inf."""
        return (self.score(states) == -jnp.inf).astype(states.dtype)

    @abstractmethod
    def neutral_messages(self, batch: tuple[int, ...]) -> PyTree:
        """The neutral start: each message is the mean of the log-potential over the other variables' states."""

    @abstractmethod
    def to_variables(self, messages: PyTree, beliefs: Planes) -> Planes:
        """Add the messages that arrive at each variable to `beliefs`."""

    @abstractmethod
    def update(self, beliefs: Planes, messages: PyTree) -> PyTree:
        """New max-product messages m(a->i), undamped, from beliefs that contain the old ones."""

    def update_side(self, beliefs: Planes, messages: PyTree, side: int) -> PyTree:
        """New messages of one of the `sides`, the others as they were."""
        return self.update(beliefs, messages)

    def spread(self) -> Float[Array, ""]:
        """A bound of the largest minus the smallest finite score of the group, in nats."""
        return 2.0 * sum((jnp.abs(leaf).sum() for leaf in float_leaves(self)), start=jnp.zeros(()))

    def soft_update(self, beliefs: Planes, messages: PyTree, temperature: Number) -> PyTree:
        """New sum-product messages T log sum exp(. / T) at temperature T, undamped; `update` is their limit T -> 0."""
        raise ValueError(
            f"factors: expected factors that offer sum-product messages, got {type(self).__name__}; use max-product"
        )

    def bethe(self, beliefs: Planes, messages: PyTree, temperature: Number) -> Float[Array, "*batch"] | None:
        """sum_a <phi_a> + T [H(q_a) - sum_{i in a} H(q_i)], the group's part of Eq. (4); None where not offered."""
        return None

    def pair_tables(self) -> tuple[Int[Array, "P 2"], Float[Array, "P C1 C2"]]:
        """The group as a list of pairs of variables, each with a table of scores, -inf where forbidden."""
        raise ValueError(
            f"factors: expected a pairwise model, got {type(self).__name__}; "
            "use MaxProduct() as a solver, PMP() or Gibbs() as a sampler"
        )

    def locate(self, at: Any) -> PyTree:
        """Where the variables `at` (blocks, width) are in this group: computed once, then one row for each block."""
        return jnp.asarray(at)

    def conditional(self, states: Planes, at: Any, where: PyTree) -> Rows:
        """Finite score of every state of the variables `at` (width,), the others as in `states`.

        `where` is the row of `locate` for this block. Ids that are not in the group get a constant.

        Returns: (planes, width, *batch).
        """
        return self._of_each_state(self.finite_score, states, at)

    def violation_change(self, states: Planes, at: Any, where: PyTree) -> Rows | None:
        """As `conditional`, of the number of violations; None where nothing is ever violated."""
        return self._of_each_state(self.violations, states, at) if self.hard else None

    def _of_each_state(self, measure: Callable[[Planes], Array], states: Planes, at: Any) -> Rows:
        """`measure` of the states in which one of the variables `at` takes each of its states: (planes, width, ...)."""
        values = jax.lax.map(lambda i: jnp.stack([measure(x) for x in with_each_state(states, i)]), jnp.asarray(at))
        return from_scores(values)

    def shift(self, fields: Planes, variable: Array, rise: Array, where: PyTree) -> Planes | None:
        """`fields`, the conditionals of all variables, after one binary variable of each copy changed; None where all
        must be computed again.

        Args:
            fields: on a single plane, (1, n, batch).
            variable: which one, (batch,).
            rise: +1 where it went from 0 to 1, -1 the other way, 0 where it stayed, (batch,).
            where: the row of `locate` for all variables.
        """
        return None

    @property
    def forbids(self) -> bool:
        """Whether the score of some states is -inf."""
        return self.hard

    def free_parameters(self) -> "AbstractFactor":
        """The group with True in place of each parameter that counts, False where structure fixes it."""
        return jax.tree.map(lambda leaf: np.ones(leaf.shape, bool), eqx.filter(self, eqx.is_inexact_array))

    @property
    def determined(self) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """Which variables are functions of others by the wiring: ids (F,), and those (F, m) that determine each."""
        return ()

    def tied(self) -> "AbstractFactor":
        """The same group with parameters that must stay equal made from one another, so that gradients are equal.

        The score does so by itself; `conditional` may read only one of them, or some that count for nothing.
        """
        return self

    def couples(self, members: np.ndarray) -> bool:
        """Whether some factor joins two of the variables marked in `members` (n,) bool. Values never matter."""
        return any(bool((members[ids].sum(1) > 1).any()) for ids in self.scopes)


def float_leaves(factor: AbstractFactor) -> list[Array]:
    """The parameters of a factor, as arrays."""
    return jax.tree.leaves(eqx.filter(factor, eqx.is_inexact_array))


def check_binary(name: str, ids: np.ndarray, variables: Variables) -> None:
    """Raise ValueError unless all ids exist and are binary variables."""
    check_range(name, ids, variables)
    wrong = ids[variables.cardinalities[ids] != 2]
    if wrong.size:
        raise ValueError(
            f"{name}: expected binary variables, got variable {wrong[0]} with {variables.cardinalities[wrong[0]]} "
            "states; use EdgeTables (pairs) or NWise for any number of states"
        )


def check_range(name: str, ids: np.ndarray, variables: Variables) -> None:
    """Raise ValueError unless all ids exist."""
    if ids.size and ids.max() >= variables.count:
        raise ValueError(f"{name}: expected ids below n = {variables.count}, got {ids.max()}")


def positions(ids, at):
    """Index of each of `at` in `ids`, ids.size where it is absent."""
    order = jnp.argsort(ids)
    slot = jnp.minimum(jnp.searchsorted(ids[order], jnp.asarray(at, ids.dtype)), ids.size - 1)
    return jnp.where(ids[order][slot] == at, order[slot], ids.size)
