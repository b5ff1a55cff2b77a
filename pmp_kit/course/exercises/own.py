"""Exercise of notebook 12: turn Latin squares into Sudokus of 4 x 4."""

from __future__ import annotations

import functools
import itertools

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Int

import pmp_kit as pk
from pmp_kit.engine import planes
from pmp_kit.graph import as_graph

from .verdict import Verdict, right, wrong

SIDE = 4
SHAPE = (SIDE, SIDE, SIDE)
DRAWS, SWEEPS = 100, 100

Boards = Int[np.ndarray, "boards 4 4 4"]
"""Binary arrays: [row, column, digit] is 1 if the cell holds the digit."""


def lines(boards: Boards) -> dict[str, np.ndarray]:
    """Return rule name -> sums of groups of variables in each board. All sums are 1 if the board keeps the rule."""
    count = len(boards)
    boxes = boards.reshape(count, 2, 2, 2, 2, SIDE).sum((2, 4))
    sums = {"cell": boards.sum(3), "row": boards.sum(2), "column": boards.sum(1), "box": boxes}
    return {name: values.reshape(count, -1) for name, values in sums.items()}


def keeps(boards: Boards) -> dict[str, np.ndarray]:
    """Return rule name -> whether each board keeps the rule."""
    return {name: (values == 1).all(1) for name, values in lines(boards).items()}


@functools.cache
def squares() -> Boards:
    """All boards in which at least two of rows, columns and boxes hold each digit once."""
    orders = np.array(list(itertools.permutations(range(SIDE))))
    four = np.array(list(itertools.product(range(len(orders)), repeat=SIDE)))
    digits = orders[four]  # every row is a permutation, (24^4, 4, 4)
    once = (np.sort(digits, axis=1) == np.arange(SIDE)[:, None]).all((1, 2))
    box = np.sort(digits.reshape(-1, 2, 2, 2, 2).swapaxes(2, 3).reshape(-1, SIDE, SIDE), axis=2)
    boxed = (box == np.arange(SIDE)).all((1, 2))
    kept = digits[once | boxed]
    return np.eye(SIDE, dtype=np.int32)[np.concatenate([kept, kept.swapaxes(1, 2)])]


@functools.cache
def probes() -> dict[str, Boards]:
    """Return rule name -> boards that break only this rule. The empty name stands for boards that keep all rules."""
    boards = squares()
    kept = keeps(boards)
    found = {"": boards[np.logical_and.reduce(list(kept.values()))][::7]}
    for name in ("row", "column", "box"):
        others = np.logical_and.reduce([value for other, value in kept.items() if other != name])
        found[name] = boards[others & ~kept[name]][:5]
    crowded = found[""][0].copy()
    crowded[:, :, 1] = crowded[:, :, 0]  # two digits in the same cells, and other cells with no digit
    return {**found, "cell": crowded[None]}


def check_sudoku(model, sampler=None) -> Verdict:
    """Check that a model allows the 4 x 4 Sudokus and nothing else, and that a sampler finds them.

    Args:
        model: a model whose block "cell" is Binary(4, 4, 4): [row, column, digit].
        sampler: by default PMP().

    Returns:
        The verdict. It names a rule that is missing or that forbids too much.
    """
    try:
        graph = as_graph(model)
    except TypeError as error:
        return wrong(f"{error}.")
    ids = dict(graph.variables.blocks)
    if "cell" not in ids or ids["cell"].shape != SHAPE or ids["cell"].states != 2 or len(ids) > 1:
        return wrong(f"expected one block, cell=Binary(4, 4, 4), got {', '.join(ids)}: use the variables given above.")
    for name, boards in probes().items():
        allowed = _allowed(graph, boards)
        if not name and not allowed.all():
            return wrong(f"too strict: it forbids this Sudoku.\n{_digits(boards[~allowed][0])}")
        if name and allowed.any():
            return wrong(
                f"too loose: it allows this board, which breaks a rule for a {name}.\n{_digits(boards[allowed][0])}"
            )
    if np.ptp(np.asarray(graph.unaries), axis=1).any():
        return wrong("the rules are right, but the unaries prefer some boards: leave them out.")
    drawn = pk.sample(jax.random.key(0), graph, sampler or pk.PMP(), num_samples=DRAWS, num_sweeps=SWEEPS)["cell"]
    valid = np.logical_and.reduce(list(keeps(drawn).values()))
    found = f"{valid.sum()} of {DRAWS} samples are Sudokus, {len(np.unique(drawn[valid], axis=0))} different ones"
    return right(f"all rules are there. {found}; there are 288.")


def _allowed(graph: pk.FactorGraph, boards: Boards) -> np.ndarray:
    """Return which boards have a finite score."""
    states = planes.from_states(jnp.asarray(boards.reshape(len(boards), -1).T), 1, graph.unaries.dtype)
    return np.asarray(graph.score(states)) > -np.inf


def _digits(board: Int[np.ndarray, "4 4 4"]) -> str:
    """Write a board as four words. A cell without a digit is a dot, and a cell with several digits is a star."""
    number = board.sum(-1)
    marks = np.where(number == 1, (board.argmax(-1) + 1).astype(str), np.where(number == 0, ".", "*"))
    return " / ".join("".join(row) for row in marks)
