"""An example of a factor: its variables, all of its joint states and their scores, and calls of its methods."""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..engine import planes
from ..engine.checks import described
from ..factors import AbstractFactor
from ..variables import Categorical, Variables
from .enumeration import Table, joint_scores, joint_states
from .report import ROUNDING, fail

MOST_STATES = 2**14
"""The most joint states of the variables of an example."""
NAN = "look for 0 / 0, 0 * inf and inf - inf"


class Example(NamedTuple):
    """A factor in a model, with the true scores of its joint states."""

    factor: AbstractFactor
    variables: Variables
    states: np.ndarray
    """All joint states of the variables of the example (M, n); a further variable of the model is in state 0."""
    scores: np.ndarray
    """Their scores (M,), the sum of the tables."""
    tables: list[Table]

    @property
    def name(self) -> str:
        """The name of the class."""
        return type(self.factor).__name__

    @property
    def size(self) -> float:
        """The sum of the largest absolute values of the tables."""
        return float(sum(np.abs(scores[np.isfinite(scores)]).max(initial=0.0) for _, scores in self.tables))

    @property
    def forbids(self) -> bool:
        """Whether some entry of a table is -inf."""
        return any(np.isneginf(scores).any() for _, scores in self.tables)


def made(factor: AbstractFactor, variables: Variables, tables: Any) -> Example:
    """Return the example with the tables that were given, or with that of its only factor.

    Raises: ValueError that names the argument.
    """
    states = joint_states(variables.cardinalities)
    example = Example(factor, variables, states, np.zeros(len(states)), [])
    if tables is None:
        count = sum(len(ids) for ids in factor.scopes)
        if count != 1:
            raise ValueError(
                f"tables: expected one (ids, scores) for each of the {count} factors, got None; or check a group of "
                "one factor, whose table comes from its score"
            )
        (ids,) = next(ids for ids in factor.scopes if len(ids))
        return _with_table_of_score(example, tuple(int(i) for i in ids))
    given = [(tuple(int(i) for i in ids), np.asarray(scores, np.float64)) for ids, scores in tables]
    for ids, scores in given:
        if scores.shape != (wanted := tuple(variables.cardinalities[list(ids)].tolist())):
            raise ValueError(f"tables: expected scores of shape {wanted} for the variables {ids}, got {scores.shape}")
        if np.isnan(scores).any():
            raise ValueError(f"tables: expected numbers for the variables {ids}, got NaN")
    return example._replace(tables=given, scores=joint_scores(states, given))


def _with_table_of_score(example: Example, ids: tuple[int, ...]) -> Example:
    """Return the example with the table of a single factor, from its score."""
    scores, states = scores_of(example), example.states
    others = [i for i in range(example.variables.count) if i not in ids]
    table = np.zeros(tuple(example.variables.cardinalities[list(ids)]))
    first = (states[:, others] == 0).all(1)
    table[tuple(states[first][:, i] for i in ids)] = scores[first]
    expected = table[tuple(states[:, i] for i in ids)]
    wrong = differ(scores, expected, rounding(np.abs(table)))
    if wrong.any():
        one = states[wrong.argmax()].tolist()
        fail(
            f"{example.name}.scopes", "all variables of which the score is a function",
            f"only {list(ids)}, but the score of {one} is that of no other state of {others}",
        )  # fmt: skip
    return example._replace(scores=expected, tables=[(ids, table)])


def beside_more_states(example: Example) -> Example:
    """Return the same factor in a model with another variable, which has more states than all others."""
    more = example.variables.num_states + 1
    name = "another"
    while name in example.variables.names:
        name += "_"
    variables = Variables(**dict(example.variables.blocks), **{name: Categorical(1, states=max(more, 3))})
    states = np.pad(example.states, ((0, 0), (0, 1)))
    return example._replace(variables=variables, states=states)


def scores_of(example: Example) -> np.ndarray:
    """Return `score` of all joint states, after a check of its shape and for NaN."""
    got = run(example, "score", score, planes_of_states(example, example.states))
    return numbers_of(example, "score", got, example.states)


def numbers_of(example: Example, method: str, got: Any, states: np.ndarray) -> np.ndarray:
    """Return one number for each joint state, after a check of the shape and for NaN and +inf."""
    name = f"{example.name}.{method}"
    if np.shape(got) != (len(states),):
        fail(name, f"one number for each batch element, {[len(states)]}", described(got), "sum over all other axes")
    got = np.asarray(got, np.float64)
    wrong = np.isnan(got) | (got == np.inf)
    if wrong.any():
        first = wrong.argmax()
        fail(name, "a number or -inf", f"{got[first]} for the states {states[first].tolist()}", NAN)
    return got


def planes_of_states(example: Example, states: np.ndarray) -> jax.Array:
    """Return joint states (N, n) as planes of the example's variables."""
    return planes.from_states(jnp.asarray(states.T, jnp.int32), example.variables.num_planes, precision())


def score(factor: AbstractFactor, states: jax.Array) -> jax.Array:
    """Return the score of a factor; a function of its own, so that `jax.jit` compiles it once for many calls."""
    return factor.score(states)


def run(example: Example, method: str, function: Callable, *arrays: Any) -> Any:
    """Return function(factor, *arrays), compiled, because samplers call it inside `jit`.

    A function of a module is compiled once for each form of its arguments, a lambda or a closure in each call.
    """
    try:
        return jax.tree.map(np.asarray, jax.jit(function)(example.factor, *arrays))
    except Exception as error:
        error.add_note(f"It was raised in {example.name}.{method}, inside jax.jit, by a call of check_factor.")
        raise


def defines(factor: AbstractFactor, method: str) -> bool:
    """Return whether the class of a factor, or a base below `AbstractFactor`, defines a method."""
    return getattr(type(factor), method) is not getattr(AbstractFactor, method)


def text(numbers: Any) -> str:
    """Return numbers with six digits."""
    return np.array2string(np.asarray(numbers, np.float64), precision=6, separator=", ")


def precision() -> Any:
    """Return the type of floats in JAX."""
    return jax.dtypes.canonicalize_dtype(np.float64)


def differ(got: np.ndarray, truth: np.ndarray, tolerance: float | np.ndarray) -> np.ndarray:
    """Return which numbers differ by more than the tolerance; infinite ones are equal to themselves."""
    with np.errstate(invalid="ignore"):
        return ~((got == truth) | (np.abs(got - truth) <= tolerance))


def rounding(sizes: np.ndarray) -> float:
    """Return the allowed error of a sum of numbers of these sizes."""
    total = float(np.sum(sizes[np.isfinite(sizes)]))
    return ROUNDING * float(np.finfo(precision()).eps) * max(total, 1.0)
