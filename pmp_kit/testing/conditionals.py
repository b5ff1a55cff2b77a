"""The check of log-conditionals, which Markov chains use, against the scores of all joint states."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..engine.checks import described
from ..factors import AbstractFactor
from ..graph import FactorGraph
from .enumeration import Scores, centred
from .example import NAN, Example, planes_of_states, rounding, run, score, text
from .messages import CERTAIN
from .report import fail

ROWS = 256
"""The most joint states of which all conditionals are compared."""


def check_conditionals(example: Example, numbers: np.random.Generator) -> None:
    """Check `conditional` and `locate` in joint states that are possible, or one change from it."""
    rows = _some_rows(example, numbers)
    states = planes_of_states(example, example.states[rows])
    _compare_conditionals(example, rows, states, example.scores, "")


def check_moved_conditionals(example: Example, numbers: np.random.Generator) -> None:
    """Check the conditionals with other parameters, as after a step of learning."""

    def moved(leaf: Any) -> Any:
        return (
            leaf + jnp.asarray(0.3 * numbers.random(np.shape(leaf)), leaf.dtype) if eqx.is_inexact_array(leaf) else leaf
        )

    changed = FactorGraph(example.variables, [jax.tree.map(moved, example.factor)])
    example = example._replace(factor=changed.graph().factors[0])
    states = planes_of_states(example, example.states)
    scores = np.asarray(run(example, "score", score, states), np.float64)
    if np.isnan(scores).any() or not np.array_equal(np.isneginf(scores), np.isneginf(example.scores)):
        return  # these are no parameters that the factor can have
    rows = _some_rows(example, numbers)
    states = planes_of_states(example, example.states[rows])
    _compare_conditionals(example, rows, states, scores, ", after each parameter was changed by itself")


def _some_rows(example: Example, numbers: np.random.Generator) -> np.ndarray:
    """Return the numbers of some joint states, most of them possible."""
    whole = np.flatnonzero(example.scores > -np.inf)
    if len(example.scores) <= ROWS:
        return np.arange(len(example.scores))
    return np.append(numbers.choice(whole, ROWS // 2), numbers.integers(len(example.scores), size=ROWS // 2))


def _of_block(factor: AbstractFactor, states: jax.Array, at: jax.Array) -> Any:
    return _of_located(factor, states, at, factor.locate(at))


def _of_each_block(factor: AbstractFactor, states: jax.Array, at: jax.Array) -> Any:
    return jax.lax.map(lambda block: _of_located(factor, states, *block), (at, factor.locate(at)))


def _of_located(factor: AbstractFactor, states: jax.Array, at: jax.Array, where: Any) -> Any:
    got: Any = factor.conditional(states, at, where)
    if not isinstance(got, tuple) or len(got) != 2:
        fail(f"{type(factor).__name__}.conditional", "(scores, violations), or (scores, None)", type(got).__name__)
    return got[0], jnp.zeros_like(got[0]) if got[1] is None else got[1]


def _compare_conditionals(
    example: Example, rows: np.ndarray, states: jax.Array, scores: np.ndarray, after: str
) -> None:
    """Compare the conditionals of all variables together, and of each variable alone in a padded block."""
    count = example.variables.count
    every = np.arange(count, dtype=np.int32)
    blocks = np.stack([every, np.full_like(every, count)], axis=1)

    of_all = run(example, "conditional", _of_block, states, every)
    of_each = run(example, "conditional", _of_each_block, states, blocks)
    wanted = (example.variables.num_planes, count, len(rows))
    for field in of_all:
        if np.shape(field) != wanted:
            fail(f"{example.name}.conditional", f"planes {list(wanted)} of the variables", described(field))
    of_each = [np.moveaxis(field[:, :, 0], 0, 1) for field in of_each]
    truth = _true_conditionals(example, rows, scores)
    for how, (field, change) in {"of all variables": of_all, "of one variable": of_each}.items():
        for i, wanted in enumerate(truth):
            size = len(wanted)
            ours, broken = (
                np.stack([np.zeros(len(rows)), part[0, i]]) if len(part) == 1 else part[:size, i]
                for part in (np.asarray(field, np.float64), np.asarray(change, np.float64))
            )
            known = wanted.max(0) > -np.inf
            if np.isnan(ours[:, known]).any() or np.isnan(broken[:, known]).any():
                fail(f"{example.name}.conditional", f"numbers for variable {i}", "NaN", NAN)
            ours = centred(np.where(broken > broken.min(0), -np.inf, ours))
            with np.errstate(invalid="ignore"):
                difference = np.abs(np.maximum(ours, -CERTAIN) - np.maximum(centred(wanted), -CERTAIN)).max(0)
            wrong = known & ~(difference <= rounding(np.array([example.size])))
            if wrong.any():
                row = int(wrong.argmax())
                fail(
                    f"{example.name}.conditional",
                    f"the scores {text(centred(wanted)[:, row])} of variable {i}, the others as in "
                    f"{example.states[rows[row]].tolist()}",
                    f"{text(ours[:, row])} {how}{after}",
                )  # fmt: skip


def _true_conditionals(example: Example, rows: np.ndarray, scores: np.ndarray) -> Scores:
    """Return the score of every state of each variable (states, rows), the others as in these joint states."""
    result, stride = [], len(scores)
    for i, size in enumerate(example.variables.cardinalities.tolist()):
        if stride == 1:  # the variable that is not enumerated does not change the score
            result.append(np.broadcast_to(scores[rows], (size, len(rows))))
            continue
        stride //= size
        first = rows - example.states[rows, i] * stride
        result.append(np.stack([scores[first + state * stride] for state in range(size)]))
    return result
