"""The check of a factor class: its methods against its score, and its messages against enumeration."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ..engine import checks, planes
from ..factors import AbstractFactor
from ..factors.base import AbstractDetermining
from ..graph import FactorGraph
from ..variables import Categorical, Variables
from .enumeration import (
    Reduce,
    Scores,
    Table,
    centred,
    flooding,
    joint_scores,
    joint_states,
    log_sum_at,
    mean_messages,
    possible,
)

MOST_STATES = 2**14
"""The most joint states of the variables of an example."""
ROWS = 256
"""The most joint states of which all conditionals are compared."""
SCALES = (1e-3, 1.0, 1e3, 1e6)
TEMPERATURES = (0.3, 1.0, 4.0)
CERTAIN = 100.0
"""Nats below the best state from which on a state counts as excluded."""
ROUNDING = 64.0
"""The error that is allowed, in units of the rounding error of the largest number."""
MANY_SWEEPS = 60
"""Sweeps until the messages of a small tree have converged."""
OBSERVED = (
    "beliefs of observed variables are infinite, so clip them before you subtract; a hard factor keeps infinite ones, "
    "jnp.where(jnp.isinf(odds), odds, odds - messages)"
)
NAN = "look for 0 / 0, 0 * inf and inf - inf"


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
    example = _made(factor, variables, tables)
    numbers = np.random.default_rng(seed)
    _check_scores(example)
    _check_scopes(example)
    _check_bounds(example)
    _check_pair_tables(example)
    _check_determined(example)
    _check_gradient(example)
    for one in (example, _beside_more_states(example)):
        cases = _cases(one, scales, numbers)
        _check_scores(one)
        _check_start(one)
        _check_messages(one, cases, "update", np.max)
        if _defines(factor, "soft_update"):
            for temperature in TEMPERATURES:
                _check_messages(one, cases, "soft_update", log_sum_at(temperature), temperature)
        _check_sides(one, numbers)
        _check_conditionals(one, numbers)
    _check_moved_conditionals(example, numbers)
    _check_three_states(example, tables, scales, seed)


class _Example(NamedTuple):
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
        return type(self.factor).__name__

    @property
    def size(self) -> float:
        """The sum of the largest absolute values of the tables."""
        return float(sum(np.abs(scores[np.isfinite(scores)]).max(initial=0.0) for _, scores in self.tables))

    @property
    def forbids(self) -> bool:
        return any(np.isneginf(scores).any() for _, scores in self.tables)


class _Cases(NamedTuple):
    """Unaries of several batch elements."""

    unaries: Scores
    """Scores (states, batch) of each variable, -inf for states that the evidence excludes."""
    planes: np.ndarray
    names: list[str]
    possible: np.ndarray
    tolerance: np.ndarray


def _fail(method: str, expected: str, got: str, advice: str = "") -> NoReturn:
    """Raise AssertionError with these texts."""
    raise AssertionError(f"{method}: expected {expected}, got {got}" + (f"; {advice}" if advice else ""))


def _run(example: _Example, method: str, function: Callable, *arrays: Any) -> Any:
    """Return function(factor, *arrays), compiled, because samplers call it inside `jit`."""
    try:
        return jax.tree.map(np.asarray, jax.jit(function)(example.factor, *arrays))
    except Exception as error:
        error.add_note(f"It was raised in {example.name}.{method}, inside jax.jit, by a call of check_factor.")
        raise


def _defines(factor: AbstractFactor, method: str) -> bool:
    """Return whether the class of a factor, or a base below `AbstractFactor`, defines a method."""
    return getattr(type(factor), method) is not getattr(AbstractFactor, method)


def _form(tree: Any) -> str:
    """Return a pytree as text, with the types and shapes of its arrays."""
    described = jax.tree.map(lambda leaf: f"{leaf.dtype}{list(leaf.shape)}", tree)
    return str(described).replace("'", "")


def _expect_form(method: str, got: Any, wanted: Any, advice: str = "") -> None:
    """Raise AssertionError unless the arrays have the same structure, shapes and types."""
    if jax.tree.structure(got) != jax.tree.structure(wanted) or _form(got) != _form(wanted):
        _fail(method, _form(wanted), _form(got), advice)


def _text(numbers: Any) -> str:
    return np.array2string(np.asarray(numbers, np.float64), precision=6, separator=", ")


def _precision() -> Any:
    return jax.dtypes.canonicalize_dtype(np.float64)


def _planes_of_states(example: _Example, states: np.ndarray) -> jax.Array:
    return planes.from_states(jnp.asarray(states.T, jnp.int32), example.variables.num_planes, _precision())


def _check_wiring(factor: AbstractFactor, variables: Variables) -> None:
    """Check that properties are properties, and that `scopes` are arrays of distinct ids of these variables."""
    name = type(factor).__name__
    for property_name in ("scopes", "sides", "hard", "determined"):
        if callable(getattr(factor, property_name, None)):
            _fail(f"{name}.{property_name}", "a property", "a method", "write @property in the line before it")
    scopes: Any = factor.scopes
    if not isinstance(scopes, tuple):
        _fail(f"{name}.scopes", "a tuple of NumPy arrays of ids, (factors, size)", checks.describe(scopes))
    for ids in scopes:
        if not isinstance(ids, np.ndarray) or ids.ndim != 2 or ids.dtype.kind not in "iu":
            _fail(f"{name}.scopes", "a tuple of NumPy arrays of ids, (factors, size)", checks.describe(ids))
        ordered = np.sort(ids, axis=1)
        if (ordered[:, 1:] == ordered[:, :-1]).any():
            advice = "the factors are the rows, so transpose an array whose columns are the factors"
            _fail(f"{name}.scopes", "distinct variables in each factor", str(ids.tolist()), advice)
    factor.check(variables)
    small = Variables(x=Categorical(1, states=2))
    if any(ids.size and ids.max() > 0 for ids in scopes):
        try:
            factor.check(small)
        except (ValueError, TypeError):
            return
        _fail(f"{name}.check", "ValueError for ids that the model does not have", "no error")


def _made(factor: AbstractFactor, variables: Variables, tables: Any) -> _Example:
    """Return the example with the tables that were given, or with that of its only factor."""
    states = joint_states(variables.cardinalities)
    example = _Example(factor, variables, states, np.zeros(len(states)), [])
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


def _with_table_of_score(example: _Example, ids: tuple[int, ...]) -> _Example:
    """Return the example with the table of a single factor, from its score."""
    scores, states = _scores_of(example), example.states
    others = [i for i in range(example.variables.count) if i not in ids]
    table = np.zeros(tuple(example.variables.cardinalities[list(ids)]))
    first = (states[:, others] == 0).all(1)
    table[tuple(states[first][:, i] for i in ids)] = scores[first]
    expected = table[tuple(states[:, i] for i in ids)]
    with np.errstate(invalid="ignore"):
        wrong = ~((scores == expected) | (np.abs(scores - expected) <= _rounding(np.abs(table))))
    if wrong.any():
        one = states[wrong.argmax()].tolist()
        _fail(
            f"{example.name}.scopes", "all variables of which the score is a function",
            f"only {list(ids)}, but the score of {one} is that of no other state of {others}",
        )  # fmt: skip
    return example._replace(scores=expected, tables=[(ids, table)])


def _rounding(sizes: np.ndarray) -> float:
    """Return the allowed error of a sum of numbers of these sizes."""
    total = float(np.sum(sizes[np.isfinite(sizes)]))
    return ROUNDING * float(np.finfo(_precision()).eps) * max(total, 1.0)


def _scores_of(example: _Example) -> np.ndarray:
    """Return `score` of all joint states, after a check of its shape and for NaN."""
    got = _run(example, "score", lambda f, x: f.score(x), _planes_of_states(example, example.states))
    return _numbers(example, "score", got, example.states)


def _numbers(example: _Example, method: str, got: Any, states: np.ndarray) -> np.ndarray:
    """Return one number for each joint state, after a check of the shape and for NaN and +inf."""
    name = f"{example.name}.{method}"
    if np.shape(got) != (len(states),):
        _fail(name, f"one number for each batch element, {[len(states)]}", _form(got), "sum over all other axes")
    got = np.asarray(got, np.float64)
    wrong = np.isnan(got) | (got == np.inf)
    if wrong.any():
        first = wrong.argmax()
        _fail(name, "a number or -inf", f"{got[first]} for the states {states[first].tolist()}", NAN)
    return got


def _check_scopes(example: _Example) -> None:
    """Check that two variables of one table are in one row of `scopes`."""
    rows = [set(row) for ids in example.factor.scopes for row in ids.tolist()]
    for ids, _ in example.tables:
        for i in ids:
            for j in ids:
                if not any({i, j} <= row for row in rows):
                    _fail(
                        f"{example.name}.scopes",
                        f"the variables {i} and {j} in one row",
                        str(rows),
                        "they share a table",
                    )


def _check_scores(example: _Example) -> None:
    """Check `score`, `finite_score`, `violations` and `hard`."""
    name, states, truth = example.name, example.states, example.scores
    tolerance = _rounding(np.array([example.size]))
    score = _scores_of(example)
    with np.errstate(invalid="ignore"):
        wrong = ~((score == truth) | (np.abs(score - truth) <= tolerance))
    if wrong.any():
        first = wrong.argmax()
        _fail(f"{name}.score", f"{truth[first]:.7g} for the states {states[first].tolist()}", f"{score[first]:.7g}")
    whole = truth > -np.inf
    if not whole.all() and not example.factor.hard:
        first = (~whole).argmax()
        _fail(
            f"{name}.violations", "a count of violations, because the score can be -inf",
            f"no such method; the score of {states[first].tolist()} is -inf", "define it, so that the factor is hard",
        )  # fmt: skip
    finite = _run(example, "finite_score", lambda f, x: f.finite_score(x), _planes_of_states(example, states))
    finite = _numbers(example, "finite_score", finite, states)
    wrong = np.where(whole, np.abs(finite - np.where(whole, truth, 0.0)) > tolerance, ~np.isfinite(finite))
    if wrong.any():
        first = wrong.argmax()
        expected = f"{truth[first]:.7g}" if whole[first] else "a finite number"
        _fail(f"{name}.finite_score", f"{expected} for the states {states[first].tolist()}", f"{finite[first]:.7g}")
    if example.factor.hard:
        count = _run(example, "violations", lambda f, x: f.violations(x), _planes_of_states(example, states))
        count = _numbers(example, "violations", count, states)
        wrong = ((count > 0) == whole) | (count < 0) | ~np.isfinite(count)
        if wrong.any():
            first = wrong.argmax()
            expected = "0 where the score is finite" if whole[first] else "a positive number where the score is -inf"
            _fail(f"{name}.violations", expected, f"{count[first]:g} for the states {states[first].tolist()}")


def _check_bounds(example: _Example) -> None:
    """Check `bounds`."""
    finite = example.scores[np.isfinite(example.scores)]
    if not finite.size:
        raise ValueError("factor: expected an example with a possible state, got one whose scores are all -inf")
    got = _run(example, "bounds", lambda f: f.bounds())
    if not isinstance(got, tuple) or [np.shape(bound) for bound in got] != [(), ()]:
        _fail(f"{example.name}.bounds", "two numbers", _form(got))
    least = {"the spread": float(np.ptp(finite)), "the size": float(np.abs(finite).max())}
    for (which, bound), given in zip(least.items(), got, strict=True):
        if not bound * (1.0 - 1e-4) - 1e-6 <= float(given) < np.inf:
            _fail(f"{example.name}.bounds", f"at least {bound:.7g} as {which}", f"{float(given):.7g}")


def _check_pair_tables(example: _Example) -> None:
    """Check `pair_tables`, if there are some: their sum is the score."""
    if not _defines(example.factor, "pair_tables"):
        return
    try:
        example.factor.pair_tables()
    except ValueError:  # the class has pairs only for some sizes
        return
    name = f"{example.name}.pair_tables"
    got = _run(example, "pair_tables", lambda f: f.pair_tables())
    sizes = example.variables.cardinalities
    forms = isinstance(got, tuple) and len(got) == 2 and np.ndim(got[1]) == 3 and np.shape(got[0]) == (len(got[1]), 2)
    if not forms:
        _fail(name, "pairs (P, 2) and a table for each of them (P, C1, C2)", _form(got))
    pairs, tables = got
    if any(tables.shape[1:] != tuple(sizes[pair]) for pair in pairs):
        _fail(name, f"tables of the {sizes.tolist()} states of the variables", _form(tables))
    if np.isnan(tables).any():
        _fail(name, "scores", "NaN", NAN)
    listed = [(tuple(pair.tolist()), table.astype(np.float64)) for pair, table in zip(pairs, tables, strict=True)]
    total = joint_scores(example.states, listed)
    with np.errstate(invalid="ignore"):
        wrong = ~((total == example.scores) | (np.abs(total - example.scores) <= _rounding(np.array([example.size]))))
    if wrong.any():
        first = wrong.argmax()
        expected = f"the score {example.scores[first]:.7g} as the sum for the states {example.states[first].tolist()}"
        _fail(name, expected, f"{total[first]:.7g}")


def _check_determined(example: _Example) -> None:
    """Check that possible states with equal inputs have equal outputs."""
    if not isinstance(example.factor, AbstractDetermining):
        return
    rows = example.states[example.scores > -np.inf]
    for outputs, inputs in example.factor.determined:
        for output, row in zip(np.asarray(outputs).tolist(), np.asarray(inputs), strict=True):
            pairs = np.unique(rows[:, [*row, output]], axis=0)
            if len(np.unique(pairs[:, :-1], axis=0)) < len(pairs):
                _fail(
                    f"{example.name}.determined", "variables that are functions of others",
                    f"variable {output}, which has several states where {row.tolist()} have the same",
                )  # fmt: skip


def _check_gradient(example: _Example) -> None:
    """Check that learning gets finite gradients, also of forbidden states."""

    def gradient(factor: AbstractFactor, states: jax.Array) -> Any:
        return eqx.filter_grad(lambda f: f.finite_score(states).sum())(factor)

    if not jax.tree.leaves(eqx.filter(example.factor, eqx.is_inexact_array)):
        return
    got = _run(example, "finite_score", gradient, _planes_of_states(example, example.states))
    if not all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(got)):
        _fail(f"gradient of {example.name}.finite_score", "finite numbers", "NaN or infinity", NAN)


def _beside_more_states(example: _Example) -> _Example:
    """Return the same factor in a model with another variable, which has more states than all others."""
    more = example.variables.num_states + 1
    name = "another"
    while name in example.variables.names:
        name += "_"
    variables = Variables(**dict(example.variables.blocks), **{name: Categorical(1, states=max(more, 3))})
    states = np.pad(example.states, ((0, 0), (0, 1)))
    return example._replace(variables=variables, states=states)


def _cases(example: _Example, scales: Sequence[float], numbers: np.random.Generator) -> _Cases:
    """Return unaries of each scale that are random, have ties or evidence, and some of all scales at once."""
    sizes = example.variables.cardinalities
    precision = _precision()
    drawn, names, largest = [], [], []

    def add(name: str, of: list[float], draw: Callable[[int, float], np.ndarray], evidence: bool = False) -> None:
        scores = [np.asarray(draw(int(size), scale), precision) for size, scale in zip(sizes, of, strict=True)]
        for own in scores if evidence else ():
            if numbers.random() < 0.5:
                own[np.arange(own.size) != numbers.integers(own.size)] = -np.inf
        if example.variables.num_planes == 1:  # the model holds the rounded log-odds
            with np.errstate(invalid="ignore"):
                scores = [np.asarray([-max(own[1] - own[0], 0), min(own[1] - own[0], 0)], precision) for own in scores]
        drawn.append(scores)
        names.append(name)
        largest.append(max(np.abs(own[np.isfinite(own)]).max(initial=0.0) for own in scores))

    def normal(size: int, scale: float) -> np.ndarray:
        return numbers.normal(size=size, scale=scale)

    def tied(size: int, scale: float) -> np.ndarray:
        return scale * numbers.integers(-1, 2, size=size)

    for scale in scales:
        every = [scale] * len(sizes)
        for _ in range(3):
            add(f"random unaries of size {scale:g}", every, normal)
            add(f"unaries of size {scale:g} with ties", every, tied)
        for _ in range(6):
            add(f"unaries of size {scale:g} and evidence", every, normal, evidence=True)
    for _ in range(4):
        mixed = numbers.choice(scales, size=len(sizes)).tolist()
        add("unaries of all sizes together", mixed, normal)
        add("unaries of all sizes together and evidence", mixed, normal, evidence=True)
    unaries = [np.stack([np.asarray(scores[i], np.float64) for scores in drawn], -1) for i in range(len(sizes))]
    rounding = ROUNDING * float(np.finfo(precision).eps)
    return _Cases(
        unaries, _as_planes(example, unaries), names, possible(example.states, example.scores, unaries),
        rounding * (np.array(largest) + example.size),
    )  # fmt: skip


def _as_planes(example: _Example, unaries: Scores) -> np.ndarray:
    """Return scores (states, batch) of each variable as planes (planes, n, batch)."""
    if example.variables.num_planes == 1:
        with np.errstate(invalid="ignore"):
            return np.stack([own[1] - own[0] for own in unaries])[None].astype(_precision())
    result = np.full((example.variables.num_planes, len(unaries), unaries[0].shape[-1]), -np.inf, _precision())
    for i, own in enumerate(unaries):
        result[: len(own), i] = own
    return result


def _of_planes(example: _Example, beliefs: np.ndarray) -> Scores:
    """Return the scores (states, batch) of each variable, centred."""
    beliefs = np.asarray(beliefs, np.float64)
    if len(beliefs) == 1:
        return [np.stack([-np.maximum(odds, 0.0), np.minimum(odds, 0.0)]) for odds in beliefs[0]]
    sizes = example.variables.cardinalities
    return [centred(beliefs[:size, i]) for i, size in enumerate(sizes)]


def _compare(example: _Example, method: str, got: np.ndarray, truth: Scores, cases: _Cases) -> None:
    """Raise AssertionError unless beliefs are the true ones wherever some state is possible."""
    for i, (ours, wanted) in enumerate(zip(_of_planes(example, got), truth, strict=True)):
        nan = np.isnan(ours).any(0) & cases.possible
        if nan.any():
            case = cases.names[nan.argmax()]
            _fail(method, f"numbers with {case}", f"NaN for variable {i}", f"{NAN}. {OBSERVED.capitalize()}")
        with np.errstate(invalid="ignore"):
            difference = np.abs(np.maximum(ours, -CERTAIN) - np.maximum(wanted, -CERTAIN)).max(0)
        wrong = cases.possible & ~(difference <= cases.tolerance)
        if wrong.any():
            case = int(wrong.argmax())
            _fail(
                method, f"the beliefs {_text(wanted[:, case])} of variable {i}, by enumeration",
                f"{_text(ours[:, case])} with {cases.names[case]}", "they are the unaries plus all new messages",
            )  # fmt: skip


def _check_start(example: _Example) -> None:
    """Check the form and the values of `neutral_messages`, and that `to_variables` adds messages to beliefs."""
    name, batch, count = example.name, 3, example.variables.count
    start = _run(example, "neutral_messages", lambda f: f.neutral_messages((batch,)))
    leaves = jax.tree.leaves(start)
    if any(np.ndim(leaf) == 0 or np.shape(leaf)[-1] != batch for leaf in leaves):
        _fail(f"{name}.neutral_messages", f"arrays that end in the batch axes ({batch},)", _form(start))
    if not all(np.isfinite(leaf).all() for leaf in leaves):
        _fail(f"{name}.neutral_messages", "finite numbers", "NaN or infinity", NAN)
    for one in ("a", "b"):
        level = 0.0 if one == "a" else 0.5
        given = np.full((example.variables.num_planes, count, batch), level, _precision())
        got = _run(example, "to_variables", lambda f, m, b: f.to_variables(m, b), start, given)
        _expect_form(f"{name}.to_variables", got, given, "it returns beliefs plus messages")
        if one == "a":
            alone = got
        elif np.abs(got - given - alone).max(initial=0.0) > _rounding(np.array([example.size])):
            _fail(f"{name}.to_variables", "the given beliefs plus the messages", "another sum")
    if example.forbids:
        return  # the mean of a hard factor is not finite, so each start is right
    unaries = [np.zeros((int(size), batch)) for size in example.variables.cardinalities]
    tolerance = np.full(batch, _rounding(np.array([example.size])))
    cases = _Cases(unaries, alone, ["zero unaries"] * batch, np.ones(batch, bool), tolerance)
    _compare(example, f"{name}.neutral_messages", alone, mean_messages(unaries, example.tables), cases)


def _check_messages(example: _Example, cases: _Cases, method: str, reduce: Reduce, *temperature: float) -> None:
    """Compare two sweeps from zero messages with enumeration."""
    name, batch = f"{example.name}.{method}", len(cases.names)

    def sweep(factor: AbstractFactor, messages: Any, unaries: jax.Array, *temperature: jax.Array) -> Any:
        new = getattr(factor, method)(factor.to_variables(messages, unaries), messages, *temperature)
        return new, factor.to_variables(new, unaries) if same(new, messages) else None

    def same(one: Any, other: Any) -> bool:
        return jax.tree.structure(one) == jax.tree.structure(other) and _form(one) == _form(other)

    start = _run(example, "neutral_messages", lambda f: jax.tree.map(jnp.zeros_like, f.neutral_messages((batch,))))
    at = [jnp.asarray(value, _precision()) for value in temperature]
    of_sums = _rounding(np.array([sum(temperature) * np.log(len(example.states))])) if temperature else 0.0
    cases = cases._replace(tolerance=cases.tolerance + of_sums)
    truth = flooding(cases.unaries, example.tables, 2, reduce)
    messages = start
    for wanted in truth:
        new, beliefs = _run(example, method, sweep, messages, cases.planes, *at)
        _expect_form(name, new, start, "new messages have the form of the old ones")
        if not example.forbids and not all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(new)):
            which = next(leaf for leaf in jax.tree.leaves(new) if not np.isfinite(leaf).all())
            case = cases.names[int((~np.isfinite(which)).reshape(-1, batch).any(0).argmax())]
            _fail(name, f"finite messages with {case}", "NaN or infinity", f"{NAN}. {OBSERVED.capitalize()}")
        _compare(example, name, beliefs, wanted, cases)
        messages = new


def _check_sides(example: _Example, numbers: np.random.Generator) -> None:
    """Check that updates of one side after the other end where updates of all messages end, on a tree."""
    sides = example.factor.sides
    if not isinstance(sides, (int, np.integer)) or sides < 1:
        _fail(f"{example.name}.sides", "a whole number from 1 on", repr(sides))
    if not _is_forest(example):
        return
    batch = 4
    unaries = [numbers.normal(size=(int(size), batch)) for size in example.variables.cardinalities]
    given = jnp.asarray(_as_planes(example, unaries))

    def settled(factor: AbstractFactor, given: jax.Array) -> Any:
        start = jax.tree.map(jnp.zeros_like, factor.neutral_messages((batch,)))

        def all_at_once(_: Any, messages: Any) -> Any:
            return factor.update(factor.to_variables(messages, given), messages)

        def by_side(_: Any, messages: Any) -> Any:
            for side in range(sides):
                messages = factor.update_side(factor.to_variables(messages, given), messages, side)
            return messages

        return [
            factor.to_variables(jax.lax.fori_loop(0, MANY_SWEEPS, body, start), given)
            for body in (all_at_once, by_side)
        ]

    one, other = (_of_planes(example, got) for got in _run(example, "update_side", settled, given))
    tolerance = _rounding(np.array([example.size + max(np.abs(own).max() for own in unaries)]))
    for i, (wanted, ours) in enumerate(zip(one, other, strict=True)):
        wrong = ~(np.abs(np.maximum(ours, -CERTAIN) - np.maximum(wanted, -CERTAIN)) <= tolerance)
        if wrong.any():
            _fail(
                f"{example.name}.update_side", f"the beliefs {_text(wanted[:, 0])} of variable {i}, as with `update`",
                f"{_text(ours[:, 0])} after {MANY_SWEEPS} updates of each of {sides} sides",
            )  # fmt: skip


def _is_forest(example: _Example) -> bool:
    """Return whether the tables have no loop."""
    group = list(range(example.variables.count))

    def root(i: int) -> int:
        while group[i] != i:
            i = group[i]
        return i

    for ids, _ in example.tables:
        roots = {root(i) for i in ids}
        if len(roots) < len(ids):
            return False
        for i in roots:
            group[i] = min(roots)
    return True


def _check_conditionals(example: _Example, numbers: np.random.Generator) -> None:
    """Check `conditional` and `locate` in joint states that are possible, or one change from it."""
    rows = _some_rows(example, numbers)
    states = _planes_of_states(example, example.states[rows])
    _compare_conditionals(example, rows, states, example.scores, "")


def _check_moved_conditionals(example: _Example, numbers: np.random.Generator) -> None:
    """Check the conditionals with other parameters, as after a step of learning."""

    def moved(leaf: Any) -> Any:
        return (
            leaf + jnp.asarray(0.3 * numbers.random(np.shape(leaf)), leaf.dtype) if eqx.is_inexact_array(leaf) else leaf
        )

    changed = FactorGraph(example.variables, [jax.tree.map(moved, example.factor)])
    example = example._replace(factor=changed.graph().factors[0])
    states = _planes_of_states(example, example.states)
    scores = np.asarray(_run(example, "score", lambda f, x: f.score(x), states), np.float64)
    if np.isnan(scores).any() or not np.array_equal(np.isneginf(scores), np.isneginf(example.scores)):
        return  # these are no parameters that the factor can have
    rows = _some_rows(example, numbers)
    states = _planes_of_states(example, example.states[rows])
    _compare_conditionals(example, rows, states, scores, ", after each parameter was changed by itself")


def _some_rows(example: _Example, numbers: np.random.Generator) -> np.ndarray:
    """Return the numbers of some joint states, most of them possible."""
    whole = np.flatnonzero(example.scores > -np.inf)
    if len(example.scores) <= ROWS:
        return np.arange(len(example.scores))
    return np.append(numbers.choice(whole, ROWS // 2), numbers.integers(len(example.scores), size=ROWS // 2))


def _compare_conditionals(
    example: _Example, rows: np.ndarray, states: jax.Array, scores: np.ndarray, after: str
) -> None:
    """Compare the conditionals of all variables together, and of each variable alone in a padded block."""
    count = example.variables.count
    every = np.arange(count, dtype=np.int32)
    blocks = np.stack([every, np.full_like(every, count)], axis=1)

    def of_block(factor: AbstractFactor, states: jax.Array, at: jax.Array, where: Any) -> Any:
        got: Any = factor.conditional(states, at, where)
        if not isinstance(got, tuple) or len(got) != 2:
            _fail(f"{example.name}.conditional", "(scores, violations), or (scores, None)", type(got).__name__)
        return got[0], jnp.zeros_like(got[0]) if got[1] is None else got[1]

    def together(factor: AbstractFactor, states: jax.Array) -> Any:
        at = jnp.asarray(every)
        return of_block(factor, states, at, factor.locate(at))

    def alone(factor: AbstractFactor, states: jax.Array) -> Any:
        at = jnp.asarray(blocks)
        return jax.lax.map(lambda block: of_block(factor, states, *block), (at, factor.locate(at)))

    of_all = _run(example, "conditional", together, states)
    of_each = _run(example, "conditional", alone, states)
    wanted = (example.variables.num_planes, count, len(rows))
    for field in of_all:
        if np.shape(field) != wanted:
            _fail(f"{example.name}.conditional", f"planes {list(wanted)} of the variables", _form(field))
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
                _fail(f"{example.name}.conditional", f"numbers for variable {i}", "NaN", NAN)
            ours = centred(np.where(broken > broken.min(0), -np.inf, ours))
            with np.errstate(invalid="ignore"):
                difference = np.abs(np.maximum(ours, -CERTAIN) - np.maximum(centred(wanted), -CERTAIN)).max(0)
            wrong = known & ~(difference <= _rounding(np.array([example.size])))
            if wrong.any():
                row = int(wrong.argmax())
                _fail(
                    f"{example.name}.conditional",
                    f"the scores {_text(centred(wanted)[:, row])} of variable {i}, the others as in "
                    f"{example.states[rows[row]].tolist()}",
                    f"{_text(ours[:, row])} {how}{after}",
                )  # fmt: skip


def _true_conditionals(example: _Example, rows: np.ndarray, scores: np.ndarray) -> Scores:
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


def _check_three_states(example: _Example, tables: Any, scales: Sequence[float], seed: int) -> None:
    """Check that a factor whose variables are all binary refuses three states, or is right for them."""
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
