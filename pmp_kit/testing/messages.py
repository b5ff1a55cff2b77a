"""The checks of messages: max-product and sum-product updates, their start and their sides, by enumeration."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..engine.checks import described
from ..factors import AbstractFactor
from .enumeration import Reduce, Scores, centred, flooding, mean_messages, possible
from .example import NAN, Example, precision, rounding, run, text
from .report import ROUNDING, expect_form, fail

CERTAIN = 100.0
"""Nats below the best state from which on a state counts as excluded."""
MANY_SWEEPS = 60
"""Sweeps until the messages of a small tree have converged."""
OBSERVED = (
    "beliefs of observed variables are infinite, so clip them before you subtract; a hard factor keeps infinite ones, "
    "jnp.where(jnp.isinf(odds), odds, odds - messages)"
)


class Cases(NamedTuple):
    """Unaries of several batch elements."""

    unaries: Scores
    """Scores (states, batch) of each variable, -inf for states that the evidence excludes."""
    planes: np.ndarray
    names: list[str]
    possible: np.ndarray
    tolerance: np.ndarray


def cases_of(example: Example, scales: Sequence[float], numbers: np.random.Generator) -> Cases:
    """Return unaries of each scale that are random, have ties or evidence, and some of all scales at once."""
    sizes = example.variables.cardinalities
    dtype = precision()
    drawn, names, largest = [], [], []

    def add(name: str, of: list[float], draw: Callable[[int, float], np.ndarray], evidence: bool = False) -> None:
        scores = [np.asarray(draw(int(size), scale), dtype) for size, scale in zip(sizes, of, strict=True)]
        for own in scores if evidence else ():
            if numbers.random() < 0.5:
                own[np.arange(own.size) != numbers.integers(own.size)] = -np.inf
        if example.variables.num_planes == 1:  # the model holds the rounded log-odds
            with np.errstate(invalid="ignore"):
                scores = [np.asarray([-max(own[1] - own[0], 0), min(own[1] - own[0], 0)], dtype) for own in scores]
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
    rounding = ROUNDING * float(np.finfo(dtype).eps)
    return Cases(
        unaries, _as_planes(example, unaries), names, possible(example.states, example.scores, unaries),
        rounding * (np.array(largest) + example.size),
    )  # fmt: skip


def _neutral(factor: AbstractFactor, batch: jax.Array) -> Any:
    return factor.neutral_messages(batch.shape)


def _to_variables(factor: AbstractFactor, messages: Any, beliefs: jax.Array) -> jax.Array:
    return factor.to_variables(messages, beliefs)


def _update(factor: AbstractFactor, messages: Any, unaries: jax.Array) -> Any:
    return _with_beliefs(factor, messages, unaries, factor.update(factor.to_variables(messages, unaries), messages))


def _soft_update(factor: AbstractFactor, messages: Any, unaries: jax.Array, temperature: jax.Array) -> Any:
    beliefs = factor.to_variables(messages, unaries)
    return _with_beliefs(factor, messages, unaries, factor.soft_update(beliefs, messages, temperature))


def _with_beliefs(factor: AbstractFactor, messages: Any, unaries: jax.Array, new: Any) -> Any:
    """Return new messages and their beliefs, None if they do not have the form of the old messages."""
    same = jax.tree.structure(new) == jax.tree.structure(messages) and described(new) == described(messages)
    return new, factor.to_variables(new, unaries) if same else None


_SWEEPS = {"update": _update, "soft_update": _soft_update}


def check_start(example: Example) -> None:
    """Check the form and the values of `neutral_messages`, and that `to_variables` adds messages to beliefs."""
    name, batch, count = example.name, 3, example.variables.count
    start = run(example, "neutral_messages", _neutral, np.zeros(batch, precision()))
    leaves = jax.tree.leaves(start)
    if any(np.ndim(leaf) == 0 or np.shape(leaf)[-1] != batch for leaf in leaves):
        fail(f"{name}.neutral_messages", f"arrays that end in the batch axes ({batch},)", described(start))
    if not all(np.isfinite(leaf).all() for leaf in leaves):
        fail(f"{name}.neutral_messages", "finite numbers", "NaN or infinity", NAN)
    beliefs = [np.full((example.variables.num_planes, count, batch), level, precision()) for level in (0.0, 0.5)]
    sums = [run(example, "to_variables", _to_variables, start, given) for given in beliefs]
    for got, given in zip(sums, beliefs, strict=True):
        expect_form(f"{name}.to_variables", got, given, "it returns beliefs plus messages")
    alone, raised = sums
    if np.abs(raised - 0.5 - alone).max(initial=0.0) > rounding(np.array([example.size])):
        fail(f"{name}.to_variables", "the given beliefs plus the messages", "another sum")
    if example.forbids:
        return  # the mean of a hard factor is not finite, so each start is right
    unaries = [np.zeros((int(size), batch)) for size in example.variables.cardinalities]
    tolerance = np.full(batch, rounding(np.array([example.size])))
    cases = Cases(unaries, alone, ["zero unaries"] * batch, np.ones(batch, bool), tolerance)
    _compare(example, f"{name}.neutral_messages", alone, mean_messages(unaries, example.tables), cases)


def check_messages(example: Example, cases: Cases, method: str, reduce: Reduce, *temperature: float) -> None:
    """Compare two sweeps from zero messages with enumeration."""
    name, batch = f"{example.name}.{method}", len(cases.names)

    start = run(example, "neutral_messages", _neutral, np.zeros(batch, precision()))
    start = jax.tree.map(np.zeros_like, start)
    at = [jnp.asarray(value, precision()) for value in temperature]
    of_sums = rounding(np.array([sum(temperature) * np.log(len(example.states))])) if temperature else 0.0
    cases = cases._replace(tolerance=cases.tolerance + of_sums)
    truth = flooding(cases.unaries, example.tables, 2, reduce)
    messages = start
    for wanted in truth:
        new, beliefs = run(example, method, _SWEEPS[method], messages, cases.planes, *at)
        expect_form(name, new, start, "new messages have the form of the old ones")
        if not example.forbids and not all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(new)):
            which = next(leaf for leaf in jax.tree.leaves(new) if not np.isfinite(leaf).all())
            case = cases.names[int((~np.isfinite(which)).reshape(-1, batch).any(0).argmax())]
            fail(name, f"finite messages with {case}", "NaN or infinity", f"{NAN}. {OBSERVED.capitalize()}")
        _compare(example, name, beliefs, wanted, cases)
        messages = new


def check_sides(example: Example, numbers: np.random.Generator) -> None:
    """Check that updates of one side after the other end where updates of all messages end, on a tree."""
    sides = example.factor.sides
    if not isinstance(sides, (int, np.integer)) or sides < 1:
        fail(f"{example.name}.sides", "a whole number from 1 on", repr(sides))
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

    one, other = (_of_planes(example, got) for got in run(example, "update_side", settled, given))
    tolerance = rounding(np.array([example.size + max(np.abs(own).max() for own in unaries)]))
    for i, (wanted, ours) in enumerate(zip(one, other, strict=True)):
        wrong = ~(np.abs(np.maximum(ours, -CERTAIN) - np.maximum(wanted, -CERTAIN)) <= tolerance)
        if wrong.any():
            case = int(wrong.any(0).argmax())
            fail(
                f"{example.name}.update_side", f"the beliefs {text(wanted[:, case])} of variable {i}, as with `update`",
                f"{text(ours[:, case])} after {MANY_SWEEPS} updates of each of {sides} sides",
            )  # fmt: skip


def _is_forest(example: Example) -> bool:
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


def _compare(example: Example, method: str, got: np.ndarray, truth: Scores, cases: Cases) -> None:
    """Raise AssertionError unless beliefs are the true ones wherever some state is possible."""
    for i, (ours, wanted) in enumerate(zip(_of_planes(example, got), truth, strict=True)):
        nan = np.isnan(ours).any(0) & cases.possible
        if nan.any():
            case = cases.names[nan.argmax()]
            fail(method, f"numbers with {case}", f"NaN for variable {i}", f"{NAN}. {OBSERVED.capitalize()}")
        with np.errstate(invalid="ignore"):
            difference = np.abs(np.maximum(ours, -CERTAIN) - np.maximum(wanted, -CERTAIN)).max(0)
        wrong = cases.possible & ~(difference <= cases.tolerance)
        if wrong.any():
            case = int(wrong.argmax())
            fail(
                method, f"the beliefs {text(wanted[:, case])} of variable {i}, by enumeration",
                f"{text(ours[:, case])} with {cases.names[case]}", "they are the unaries plus all new messages",
            )  # fmt: skip


def _as_planes(example: Example, unaries: Scores) -> np.ndarray:
    """Return scores (states, batch) of each variable as planes (planes, n, batch)."""
    if example.variables.num_planes == 1:
        with np.errstate(invalid="ignore"):
            return np.stack([own[1] - own[0] for own in unaries])[None].astype(precision())
    result = np.full((example.variables.num_planes, len(unaries), unaries[0].shape[-1]), -np.inf, precision())
    for i, own in enumerate(unaries):
        result[: len(own), i] = own
    return result


def _of_planes(example: Example, beliefs: np.ndarray) -> Scores:
    """Return the scores (states, batch) of each variable, centred."""
    beliefs = np.asarray(beliefs, np.float64)
    if len(beliefs) == 1:
        return [np.stack([-np.maximum(odds, 0.0), np.minimum(odds, 0.0)]) for odds in beliefs[0]]
    sizes = example.variables.cardinalities
    return [centred(beliefs[:size, i]) for i, size in enumerate(sizes)]
