"""The interface of a factor: the methods that a new factor type defines."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ..engine.planes import Planes, Rows, from_scores, with_each_state
from ..engine.signatures import Number, PyTree
from ..variables import Variables
from .hard import VIOLATION


class AbstractFactor(eqx.Module):
    """A group of factors of one type: wiring (integer arrays) and log-potentials (float arrays, the parameters).

    A group stores only messages from factors to variables, because m_{i->a} = belief_i - m_{a->i} (Algorithm 1). It
    computes its new messages from the beliefs and its old messages. Each type chooses its own layout of messages. All
    arrays of messages, beliefs and states end in the same batch axes, one entry for each batch element.

    Two classes derive from it and define most methods of new types: `AbstractGroup` (`factors/group.py`) for factors
    of m binary variables, and `AbstractTable` (`factors/table.py`) for tables of scores. `AbstractWeightedPairs`
    (`factors/weighted_pairs.py`) has the wiring of pairs with a weight each, but no messages.

    A new type defines `scopes`, `score`, `neutral_messages`, `to_variables` and `update`, for `SumProduct` also
    `soft_update`, and for `ForwardBackward` and solvers of pairwise models `pair_tables`. The other methods have
    default implementations, which are correct; a specialised implementation is faster. If the score can be -inf, define
    `violations`, a count of how far the states are from allowed ones. Keep the wiring in NumPy arrays. JAX arrays that
    are made inside `jit` have no values, so ids in them are not checked. No method may return NaN: a variable with a
    NaN belief or conditional gets state 0. The methods are not checked where they are used, so a wrong one gives wrong
    samples without an error. `pk.testing.check_factor` compares all of them with enumeration.
    """

    binary: ClassVar[bool] = False
    """Whether `check` refuses variables with more than two states, whose log-odds say nothing of the other states."""

    @property
    def sides(self) -> int:
        """The number of parts into which the messages are divided.

        `update_side` updates one part. The beliefs are recomputed before the next part is updated.
        """
        return 1

    @property
    def hard(self) -> bool:
        """Whether the score can be -inf, so that messages may be infinite or may grow without bound on loops.

        A class that defines `violations` is hard. Infinite messages then stay infinite, finite ones are clipped to a
        limit from `bounds`, and a NaN message (from inf - inf) is replaced by the old one. Samplers of single variables
        use `violations`.
        """
        return type(self).violations is not AbstractFactor.violations

    @property
    @abstractmethod
    def scopes(self) -> tuple[np.ndarray, ...]:
        """The variables of each factor as arrays of ids (F, m), one array for each size m. Weights do not matter."""

    def check(self, variables: Variables) -> None:
        """Raise ValueError if the wiring does not fit `variables`. It is called for each graph, never while traced."""
        for ids in self.scopes:
            (check_binary if self.binary else check_range)("ids", ids, variables)

    @abstractmethod
    def score(self, states: Planes) -> Float[Array, "*batch"]:
        """Return theta_a . phi_a(x), summed over the group, in nats; no NaN, also for states that no variable has."""

    def finite_score(self, states: Planes) -> Float[Array, "*batch"]:
        """Return the score in nats, with 0 instead of -inf for violated constraints and forbidden entries.

        Groups that are not `hard` count no violations, so their -inf becomes a penalty here. With the default, a hard
        group counts as one factor for `fit(positive="exact")`.
        """
        score = self.score(states)
        return jnp.where(score == -jnp.inf, 0.0 if self.hard else -VIOLATION, score)

    def violations(self, states: Planes) -> Float[Array, "*batch"]:
        """Return a count of violations: 0 for allowed states, positive where the score is -inf.

        Chains leave an impossible state by changes of single variables that lower it. So the distance from an allowed
        state, summed over the factors, is better than the default, which is 1 for the whole group.
        """
        return (self.score(states) == -jnp.inf).astype(states.dtype)

    @abstractmethod
    def neutral_messages(self, batch: tuple[int, ...]) -> PyTree:
        """Return the initial messages: each is the mean of the log-potential over the other variables' states."""

    @abstractmethod
    def to_variables(self, messages: PyTree, beliefs: Planes) -> Planes:
        """Return `beliefs` plus the messages that arrive at each variable."""

    @abstractmethod
    def update(self, beliefs: Planes, messages: PyTree) -> PyTree:
        """Return new undamped max-product messages m_{a->i}; `beliefs` include the old messages."""

    def update_side(self, beliefs: Planes, messages: PyTree, side: int) -> PyTree:
        """Return the messages with new values in part `side` of the `sides` and old values in the other parts."""
        return self.update(beliefs, messages)

    def bounds(self) -> tuple[Float[Array, ""], Float[Array, ""]]:
        """Return upper bounds of two numbers in nats: the spread of the finite scores, and their size.

        The spread is the difference between the largest and the smallest finite score; it limits the messages of hard
        factors. The size is the sum of the absolute values of all finite scores; rounding is relative to it. By
        default, the size is the sum over all parameters, and the spread is twice as large. A score with other large
        numbers needs a definition of its own.
        """
        size = sum((jnp.abs(leaf).sum() for leaf in float_leaves(self)), start=jnp.zeros(()))
        return 2.0 * size, size

    def soft_update(self, beliefs: Planes, messages: PyTree, temperature: Number) -> PyTree:
        """Return new undamped sum-product messages T log sum exp(. / T) at temperature T; `update` is T -> 0."""
        raise ValueError(
            f"factors: expected factors with sum-product messages, got {type(self).__name__}; define its soft_update, "
            "or use max-product"
        )

    def pair_tables(self) -> tuple[Int[Array, "P 2"], Float[Array, "P C1 C2"]]:
        """Return the group as pairs of variables and a table of scores for each pair, -inf for forbidden entries.

        Tables may be padded to the largest of the group; what is beyond the states of a variable is not read.
        """
        raise ValueError(
            f"factors: expected a pairwise model, got {type(self).__name__}; "
            "use MaxProduct() as a solver, or Exhaustive() for few configurations; PMP() as a sampler"
        )

    def as_tables(self) -> list[tuple[Int[Array, "F m"], Float[Array, "F *states"]]] | None:
        """Return the group as tables for elimination, ids and scores, -inf for forbidden entries; None without any.

        There is one entry for each size of table. By default these are `pair_tables`, if the type has them.
        """
        return None if type(self).pair_tables is AbstractFactor.pair_tables else [self.pair_tables()]

    def locate(self, at: Any) -> PyTree:
        """Return the positions of the variables `at` (blocks, width) in this group, with one row for each block."""
        return jnp.asarray(at)

    def conditional(self, states: Planes, at: Any, where: PyTree) -> tuple[Rows, Rows | None]:
        """Return the finite score and the violations for every state of the variables `at` (width,).

        All other variables have their states in `states`. Variables that are not in the group get a constant. `where`
        is the row of `locate` for this block.

        Returns: the finite scores, (planes, width, *batch), in nats, and the numbers of violations in the same form;
        None in place of the violations if the group is not hard.
        """
        broken = self._of_each_state(self.violations, states, at) if self.hard else None
        return self._of_each_state(self.finite_score, states, at), broken

    def _of_each_state(self, measure: Callable[[Planes], Array], states: Planes, at: Any) -> Rows:
        """Return `measure` for each state of each variable in `at`, (planes, width, *batch)."""
        values = jax.lax.map(lambda i: jnp.stack([measure(x) for x in with_each_state(states, i)]), jnp.asarray(at))
        return from_scores(values.astype(states.dtype))

    def couples(self, members: np.ndarray) -> bool:
        """Return whether some factor joins two of the variables marked in `members` (n,) bool, whatever the weights."""
        return any(bool((members[ids].sum(1) > 1).any()) for ids in self.scopes)


class AbstractDetermining(AbstractFactor):
    """A factor that makes some of its variables deterministic functions of the others."""

    @property
    @abstractmethod
    def determined(self) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """The ids (F,) of variables that are deterministic functions of others, and the ids (F, m) of the others."""


def float_leaves(factors: PyTree) -> list[Array]:
    """Return the parameters of a factor, or of several, as a list of arrays."""
    return jax.tree.leaves(eqx.filter(factors, eqx.is_inexact_array))


def check_binary(name: str, ids: np.ndarray, variables: Variables) -> None:
    """Raise ValueError unless all ids exist and are binary variables."""
    check_range(name, ids, variables)
    wrong = ids[variables.cardinalities[ids] != 2]
    if wrong.size:
        raise ValueError(
            f"{name}: expected binary variables, got variable {wrong[0]} with {variables.cardinalities[wrong[0]]} "
            "states; use EdgeTables (pairs), NWise, Tables or Custom for any number of states"
        )


def check_range(name: str, ids: np.ndarray, variables: Variables) -> None:
    """Raise ValueError unless all ids exist."""
    if ids.size and ids.min() < 0:
        raise ValueError(f"{name}: expected ids >= 0, got {ids.min()}; take ids from variables['x']")
    if ids.size and ids.max() >= variables.count:
        raise ValueError(
            f"{name}: expected ids below n = {variables.count}, got {ids.max()}; take ids from variables['x']"
        )


def positions(ids, at):
    """Return the index of each element of `at` in `ids`, or ids.size if it is absent."""
    order = jnp.argsort(ids)
    slot = jnp.minimum(jnp.searchsorted(ids[order], jnp.asarray(at, ids.dtype)), ids.size - 1)
    return jnp.where(ids[order][slot] == at, order[slot], ids.size)
