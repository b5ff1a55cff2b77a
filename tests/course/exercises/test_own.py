"""The exercise on Sudokus: the right rules pass, and a rule that is missing or forbids too much is named."""

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course.exercises import check_sudoku

VARIABLES = pk.Variables(cell=pk.Binary(4, 4, 4))
C = VARIABLES["cell"]
GROUPS = {
    "cell": C.reshape(16, 4),
    "row": C.transpose(0, 2, 1).reshape(16, 4),
    "column": C.transpose(1, 2, 0).reshape(16, 4),
    "box": C.reshape(2, 2, 2, 2, 4).transpose(0, 2, 4, 1, 3).reshape(16, 4),
}


def board(*names, factor=pk.ExactlyOne, unaries=None) -> pk.FactorGraph:
    return pk.FactorGraph(VARIABLES, [factor(np.concatenate([GROUPS[name] for name in names]))], unaries)


@pytest.mark.slow
def test_the_sudoku_passes():
    verdict = check_sudoku(board(*GROUPS))
    assert verdict, verdict.message
    assert "of 100 samples are Sudokus" in verdict.message


@pytest.mark.parametrize("missing", GROUPS)
def test_a_missing_rule_is_named(missing):
    verdict = check_sudoku(board(*(name for name in GROUPS if name != missing)))
    assert not verdict
    assert f"breaks a rule for a {missing}" in verdict.message


@pytest.mark.slow
def test_other_mistakes_are_named():
    wrong_boxes = C.reshape(16, 4).reshape(4, 4, 4).transpose(0, 2, 1).reshape(16, 4)  # rows once more
    graph = pk.FactorGraph(VARIABLES, [*board("cell", "row", "column").factors, pk.ExactlyOne(wrong_boxes)])
    assert "breaks a rule for a box" in check_sudoku(graph).message
    loose = pk.FactorGraph(VARIABLES, [*board("cell", "row", "column").factors, pk.AtMostK(GROUPS["box"], k=2)])
    assert "breaks a rule for a box" in check_sudoku(loose).message
    strict = C.reshape(2, 2, 2, 2, 4).reshape(8, 2, 4).transpose(0, 2, 1).reshape(32, 2)
    assert "too strict" in check_sudoku(pk.FactorGraph(VARIABLES, [pk.ExactlyOne(strict)])).message
    first = np.zeros((4, 4, 4))
    first[0, 0, 0] = 1.0  # a 1 at the top left
    assert "some Sudokus have a larger score" in check_sudoku(board(*GROUPS, unaries={"cell": first})).message
    assert check_sudoku(board(*GROUPS, unaries={"cell": np.ones((4, 4, 4))}))  # each Sudoku has 16 ones
    pair = pk.Edges(np.array([[C[0, 0, 0], C[1, 2, 1]]]), np.array([5.0]))  # a 1 here favours a 2 there
    soft = pk.FactorGraph(VARIABLES, [*board(*GROUPS).factors, pair])
    assert "some Sudokus have a larger score" in check_sudoku(soft).message
    assert "cell=Binary(4, 4, 4)" in check_sudoku(pk.ising_lattice(3)).message
    assert "expected a FactorGraph" in check_sudoku(None).message


@pytest.mark.slow
def test_a_sampler_that_finds_no_sudoku_is_refused():
    verdict = check_sudoku(board(*GROUPS), pk.PMP(damping=0.0))
    assert not verdict
    assert "none of 100 samples is a Sudoku. Try" in verdict.message


@pytest.mark.parametrize(
    "parts",
    [{"row": np.s_[:2]}, {"row": np.s_[:2], "column": np.s_[:2]}, {"box": np.s_[:, :2]}],
    ids=["two rows", "two rows and two columns", "two digits of boxes"],
)
def test_rules_for_a_part_of_the_board_are_refused(parts):
    """A few boards for each rule broke several rows at once, so a model with half of the rows passed."""
    kept = [GROUPS[name].reshape(4, 4, 4)[parts.get(name, np.s_[:])].reshape(-1, 4) for name in GROUPS]
    graph = pk.FactorGraph(VARIABLES, [pk.ExactlyOne(np.concatenate(kept))])
    assert "The rules are too loose" in check_sudoku(graph).message
