"""Exercise of page 12: turn Latin squares into Sudokus of 4 x 4."""

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

from .grids import Cells
from .verdict import Verdict, right, wrong

SIDE = 4
SHAPE = (SIDE, SIDE, SIDE)
DRAWS, SWEEPS = 100, 100
EQUAL = 1e-3  # nats: scores that differ less are equal up to rounding

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
    """Return rule name -> boards that break this rule. The empty name stands for boards that keep all rules.

    The last three boards for "cell" have too few or too many digits, so they break every rule. Each other board breaks
    one rule only.
    """
    boards = squares()
    kept = keeps(boards)
    found = {"": boards[np.logical_and.reduce(list(kept.values()))][::7]}
    for name in ("row", "column", "box"):
        others = np.logical_and.reduce([value for other, value in kept.items() if other != name])
        found[name] = boards[others & ~kept[name]]  # all: a few would miss single rows, columns and boxes
    crowded, erased, extra, empty = np.repeat(found[""][:1], 4, axis=0)
    crowded[:, :, 1] = crowded[:, :, 0]  # two digits in the same cells, and other cells with no digit
    erased[0, 0], empty[:] = 0, 0
    extra[0, 0] += np.roll(extra[0, 0], 1)
    return {**found, "cell": np.stack([crowded, erased, extra, empty])}


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
    except (TypeError, ValueError) as error:
        return wrong(f"The check cannot use this model: {error}.")
    ids = dict(graph.variables.blocks)
    if "cell" not in ids or ids["cell"].shape != SHAPE or ids["cell"].states != 2 or len(ids) > 1:
        return wrong(f"The model must have one block, cell=Binary(4, 4, 4), and it has {_listed(ids)}.")
    for name, boards in probes().items():
        allowed = _scores(graph, boards) > -np.inf
        if not name and not allowed.all():
            board = boards[~allowed][0]
            picture = _picture(board, "Your model forbids this Sudoku:", ("forbidden", "a Sudoku"))
            return wrong(f"The rules are too strict. They forbid this Sudoku.\n{_digits(board)}", picture)
        if name and allowed.any():
            return _too_loose(boards[allowed][0], name)
    if np.ptp(_scores(graph, probes()[""])) > EQUAL:
        return wrong("The rules are right, but some Sudokus have a larger score. Leave out unaries and finite scores.")
    return _drawn(graph, sampler)


def _listed(blocks: dict) -> str:
    """Return the blocks of a model in words."""
    return ", ".join(f"{name} of shape {ids.shape} with {ids.states} states" for name, ids in blocks.items())


def _too_loose(board, rule: str) -> Verdict:
    """Return the verdict of a model that allows a board which breaks a rule."""
    words = f"The rules are too loose. They allow this board, which breaks a rule for a {rule}."
    title = "Your model allows this board. It differs from the nearest Sudoku in the marked cells."
    return wrong(f"{words}\n{_digits(board)}", _picture(board, title, ("allowed", "a Sudoku")))


def _drawn(graph: pk.FactorGraph, sampler) -> Verdict:
    """Return the verdict of a model with the right rules, with the share of samples that keep them."""
    try:
        drawn = pk.sample(jax.random.key(0), graph, sampler or pk.PMP(), num_samples=DRAWS, num_sweeps=SWEEPS)["cell"]
    except (TypeError, ValueError) as error:
        return wrong(f"The rules are right, but the sampler failed: {error}.")
    valid = np.logical_and.reduce(list(keeps(drawn).values()))
    loose = (_scores(graph, drawn) > -np.inf) & ~valid
    if loose.any():
        board = drawn[loose][0]
        return _too_loose(board, next(rule for rule, kept in keeps(board[None]).items() if not kept[0]))
    if not valid.any():
        words = f"The rules are right, but none of {DRAWS} samples is a Sudoku. Try sampler=pk.PMP(damping=0.9)."
        return wrong(words, _picture(drawn[0], "A sample of your model:", ("sample", "nearest Sudoku")))
    different = len(np.unique(drawn[valid], axis=0))
    found = f"{valid.sum()} of {DRAWS} samples are Sudokus, and {different} of these are different"
    board = drawn[valid.argmax()]
    picture = _picture(board, "A sample of your model:", ("sample", "nearest Sudoku"))
    return right(f"The model has all rules. {found}. There are 288 Sudokus.", picture)


def _picture(board: Int[np.ndarray, "4 4 4"], title: str, heads: tuple[str, str]) -> Cells:
    """Draw a board beside the Sudoku that differs in the fewest cells."""
    every = squares()[np.logical_and.reduce(list(keeps(squares()).values()))]
    nearest = every[(every != board).any(3).sum((1, 2)).argmin()]
    forbidden = heads[0] == "forbidden"  # the whole board is judged wrongly
    differs = (board != nearest).any(-1) | forbidden
    return Cells(_numbers(board), _numbers(nearest), differs, title, heads=heads)


def _numbers(board: Int[np.ndarray, "4 4 4"]) -> Int[np.ndarray, "4 4"]:
    """Return the digit of each cell: 0 for a cell without a digit, 12 for a cell with the digits 1 and 2."""
    words = [["".join(str(d + 1) for d in np.flatnonzero(cell)) for cell in row] for row in board]
    return np.array([[int(word or 0) for word in row] for row in words])


def _scores(graph: pk.FactorGraph, boards: Boards) -> np.ndarray:
    """Return the score of each board."""
    states = planes.from_states(jnp.asarray(boards.reshape(len(boards), -1).T), 1, graph.unaries.dtype)
    return np.asarray(graph.score(states))


def _digits(board: Int[np.ndarray, "4 4 4"]) -> str:
    """Write a board as four words. A cell without a digit is a dot, and a cell with several digits is a star."""
    number = board.sum(-1)
    marks = np.where(number == 1, (board.argmax(-1) + 1).astype(str), np.where(number == 0, ".", "*"))
    return " / ".join("".join(row) for row in marks)
