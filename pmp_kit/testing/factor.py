"""The check of a factor class: its methods against its score, and its messages against enumeration."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import equinox as eqx
import jax
import numpy as np

from ..engine import checks
from ..factors import AbstractFactor
from ..factors.base import AbstractDetermining
from ..variables import Categorical, Variables
from .conditionals import check_conditionals, check_moved_conditionals
from .enumeration import joint_scores, log_sum_at
from .example import (
    MOST_STATES,
    NAN,
    Example,
    beside_more_states,
    defines,
    differ,
    made,
    numbers_of,
    planes_of_states,
    rounding,
    run,
    scores_of,
)
from .messages import cases_of, check_messages, check_sides, check_start
from .report import fail

SCALES = (1e-3, 1.0, 1e3, 1e6)
TEMPERATURES = (0.3, 1.0, 4.0)


def check_factor(
    factor: AbstractFactor, variables: Variables, tables: Sequence[tuple[Sequence[int], Any]] | None = None, *,
    scales: Sequence[float] = SCALES, seed: int = 0,
) -> None:  # fmt: skip
    """Compare all methods of a factor with an enumeration of all joint states. It returns nothing if they agree.

    The score is the yardstick: the other methods follow from it. `update` is compared with the max-marginals of the
    enumeration, `soft_update` with its sums, both with zero and with other old messages, with ties, with evidence
    (infinite beliefs), and with unaries of different scales. Also compared are `conditional` and `locate`,
    `violations`, `finite_score` and its gradient, the `bounds` of the scores, `neutral_messages`,
    `update_side`, `pair_tables` and `determined`. Each is called in a model of these variables, and in one that has
    another variable with more states, where the arrays have more planes. Optional methods that the class does not
    define are checked as well, because their defaults follow from the others.

    Args:
        factor: a small example of the class, with random parameters.
        variables: the variables of the example, with at most 16,384 joint states. Leave one of them out of the factor.
        tables: the scores of the example as a list of (ids, scores), one for each of its factors, where `scores` is an
            array with one axis for each id and -inf for forbidden entries. Without it, the group must be one factor,
            whose table comes from `score`.
        scales: the sizes of the unaries in nats. Leave out the large ones if the messages are clipped at fixed numbers.
        seed: of the random numbers.

    Raises: AssertionError that names the method, what was expected, and what came. TypeError or ValueError if an
    argument cannot be used. An exception that a method raises is passed on, with a note that names the method.

    Cost: about twenty compilations, and the joint states times the variables; some seconds for each example.
    """
    checks.instance("factor", factor, AbstractFactor, "a factor of your own class")
    checks.instance("variables", variables, Variables, "Variables(x=Binary(3))")
    size = float(np.prod(variables.cardinalities, dtype=float))
    if size > MOST_STATES:
        raise ValueError(f"variables: expected at most {MOST_STATES} joint states, got {size:.0f}; use fewer variables")
    _check_wiring(factor, variables)
    example = made(factor, variables, tables)
    numbers = np.random.default_rng(seed)
    check_scores(example)
    _check_scopes(example)
    _check_bounds(example)
    _check_pair_tables(example)
    _check_determined(example)
    _check_gradient(example)
    for one in (example, beside_more_states(example)):
        cases = cases_of(one, scales, numbers)
        check_scores(one)
        check_start(one)
        check_messages(one, cases, "update", np.max)
        if defines(factor, "soft_update"):
            for temperature in TEMPERATURES:
                check_messages(one, cases, "soft_update", log_sum_at(temperature), temperature)
        check_sides(one, numbers)
        check_conditionals(one, numbers)
    check_moved_conditionals(example, numbers)
    _check_three_states(example, tables, scales, seed)


def _check_wiring(factor: AbstractFactor, variables: Variables) -> None:
    """Check that properties are properties, and that `scopes` are arrays of distinct ids of these variables."""
    name = type(factor).__name__
    for property_name in ("scopes", "sides", "hard", "determined"):
        if callable(getattr(factor, property_name, None)):
            fail(f"{name}.{property_name}", "a property", "a method", "write @property in the line before it")
    scopes: Any = factor.scopes
    if not isinstance(scopes, tuple):
        fail(f"{name}.scopes", "a tuple of NumPy arrays of ids, (factors, size)", checks.describe(scopes))
    for ids in scopes:
        if not isinstance(ids, np.ndarray) or ids.ndim != 2 or ids.dtype.kind not in "iu":
            fail(f"{name}.scopes", "a tuple of NumPy arrays of ids, (factors, size)", checks.describe(ids))
        ordered = np.sort(ids, axis=1)
        if (ordered[:, 1:] == ordered[:, :-1]).any():
            advice = "the factors are the rows, so transpose an array whose columns are the factors"
            fail(f"{name}.scopes", "distinct variables in each factor", str(ids.tolist()), advice)
    factor.check(variables)
    small = Variables(x=Categorical(1, states=2))
    if any(ids.size and ids.max() > 0 for ids in scopes):
        try:
            factor.check(small)
        except (ValueError, TypeError):
            return
        fail(f"{name}.check", "ValueError for ids that the model does not have", "no error")


def _check_scopes(example: Example) -> None:
    """Check that two variables of one table are in one row of `scopes`, and that `couples` finds these pairs."""
    count, rows = example.variables.count, [set(row) for ids in example.factor.scopes for row in ids.tolist()]
    joined = {frozenset(pair) for ids, _ in example.tables for pair in combinations(ids, 2)}
    for pair in map(frozenset, combinations(range(count), 2)):
        i, j = sorted(pair)
        listed = any(pair <= row for row in rows)
        if pair in joined and not listed:
            fail(f"{example.name}.scopes", f"the variables {i} and {j} in one row", str(rows), "they share a table")
        members = np.isin(np.arange(count), [i, j])
        if bool(example.factor.couples(members)) != listed:
            fail(f"{example.name}.couples", f"{listed} for the variables {i} and {j}, as in `scopes`", str(not listed))


def check_scores(example: Example) -> None:
    """Check `score`, `finite_score`, `violations` and `hard`."""
    name, states, truth = example.name, example.states, example.scores
    tolerance = rounding(np.array([example.size]))
    score = scores_of(example)
    wrong = differ(score, truth, tolerance)
    if wrong.any():
        first = wrong.argmax()
        fail(f"{name}.score", f"{truth[first]:.7g} for the states {states[first].tolist()}", f"{score[first]:.7g}")
    whole = truth > -np.inf
    if not whole.all() and not example.factor.hard:
        first = (~whole).argmax()
        fail(
            f"{name}.violations", "a count of violations, because the score can be -inf",
            f"no such method; the score of {states[first].tolist()} is -inf", "define it, so that the factor is hard",
        )  # fmt: skip
    finite = run(example, "finite_score", _finite_score, planes_of_states(example, states))
    finite = numbers_of(example, "finite_score", finite, states)
    wrong = np.where(whole, np.abs(finite - np.where(whole, truth, 0.0)) > tolerance, ~np.isfinite(finite))
    if wrong.any():
        first = wrong.argmax()
        expected = f"{truth[first]:.7g}" if whole[first] else "a finite number"
        fail(f"{name}.finite_score", f"{expected} for the states {states[first].tolist()}", f"{finite[first]:.7g}")
    if example.factor.hard:
        count = run(example, "violations", lambda f, x: f.violations(x), planes_of_states(example, states))
        count = numbers_of(example, "violations", count, states)
        wrong = ((count > 0) == whole) | (count < 0) | ~np.isfinite(count)
        if wrong.any():
            first = wrong.argmax()
            expected = "0 where the score is finite" if whole[first] else "a positive number where the score is -inf"
            fail(f"{name}.violations", expected, f"{count[first]:g} for the states {states[first].tolist()}")


def _check_bounds(example: Example) -> None:
    """Check `bounds`."""
    finite = example.scores[np.isfinite(example.scores)]
    if not finite.size:
        raise ValueError("factor: expected an example with a possible state, got one whose scores are all -inf")
    got = run(example, "bounds", lambda f: f.bounds())
    if not isinstance(got, tuple) or [np.shape(bound) for bound in got] != [(), ()]:
        fail(f"{example.name}.bounds", "two numbers", checks.described(got))
    least = {"the spread": float(np.ptp(finite)), "the size": float(np.abs(finite).max())}
    for (which, bound), given in zip(least.items(), got, strict=True):
        if not bound * (1.0 - 1e-4) - 1e-6 <= float(given) < np.inf:
            fail(f"{example.name}.bounds", f"at least {bound:.7g} as {which}", f"{float(given):.7g}")


def _check_pair_tables(example: Example) -> None:
    """Check `pair_tables`, if there are some: their sum is the score."""
    if not defines(example.factor, "pair_tables"):
        return
    try:
        example.factor.pair_tables()
    except ValueError:  # the class has pairs only for some sizes
        return
    name = f"{example.name}.pair_tables"
    got = run(example, "pair_tables", lambda f: f.pair_tables())
    sizes = example.variables.cardinalities
    forms = isinstance(got, tuple) and len(got) == 2 and np.ndim(got[1]) == 3 and np.shape(got[0]) == (len(got[1]), 2)
    if not forms:
        fail(name, "pairs (P, 2) and a table for each of them (P, C1, C2)", checks.described(got))
    pairs, tables = got
    if any((np.array(tables.shape[1:]) < sizes[pair]).any() for pair in pairs):
        fail(name, f"tables of at least the {sizes.tolist()} states of the variables", checks.described(tables))
    if np.isnan(tables).any():
        fail(name, "scores", "NaN", NAN)
    listed = [(tuple(pair.tolist()), table.astype(np.float64)) for pair, table in zip(pairs, tables, strict=True)]
    total = joint_scores(example.states, listed)
    wrong = differ(total, example.scores, rounding(np.array([example.size])))
    if wrong.any():
        first = wrong.argmax()
        expected = f"the score {example.scores[first]:.7g} as the sum for the states {example.states[first].tolist()}"
        fail(name, expected, f"{total[first]:.7g}")


def _check_determined(example: Example) -> None:
    """Check that possible states with equal inputs have equal outputs."""
    if not isinstance(example.factor, AbstractDetermining):
        return
    rows = example.states[example.scores > -np.inf]
    for outputs, inputs in example.factor.determined:
        for output, row in zip(np.asarray(outputs).tolist(), np.asarray(inputs), strict=True):
            pairs = np.unique(rows[:, [*row, output]], axis=0)
            if len(np.unique(pairs[:, :-1], axis=0)) < len(pairs):
                fail(
                    f"{example.name}.determined", "variables that are functions of others",
                    f"variable {output}, which has several states where {row.tolist()} have the same",
                )  # fmt: skip


def _finite_score(factor: AbstractFactor, states: jax.Array) -> jax.Array:
    return factor.finite_score(states)


def _gradient(factor: AbstractFactor, states: jax.Array) -> Any:
    return eqx.filter_grad(lambda f: f.finite_score(states).sum())(factor)


def _check_gradient(example: Example) -> None:
    """Check that learning gets finite gradients, also of forbidden states."""
    if not jax.tree.leaves(eqx.filter(example.factor, eqx.is_inexact_array)):
        return
    got = run(example, "finite_score", _gradient, planes_of_states(example, example.states))
    if not all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(got)):
        fail(f"gradient of {example.name}.finite_score", "finite numbers", "NaN or infinity", NAN)


def _check_three_states(example: Example, tables: Any, scales: Sequence[float], seed: int) -> None:
    """Check that a single factor whose variables are all binary refuses three states, or is right for them.

    Examples of several factors, and those with more than MOST_STATES such states, are not checked.
    """
    involved = sorted({int(i) for ids in example.factor.scopes for i in ids.reshape(-1)})
    if tables is not None or (example.variables.cardinalities[involved] != 2).any():
        return
    variables = Variables(x=Categorical(example.variables.count, states=3))
    try:
        example.factor.check(variables)
    except (ValueError, TypeError):
        return
    if 3.0**example.variables.count > MOST_STATES:
        return
    try:
        check_factor(example.factor, variables, scales=scales, seed=seed)
    except Exception as error:
        raise AssertionError(
            f"{example.name}.binary: expected True, because the factor is wrong for variables of three states, got a "
            f"`check` that accepts them; {type(error).__name__}: {error}"
        ) from error
