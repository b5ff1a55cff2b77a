"""The examples of README.md run unchanged."""

import numpy as np
import pytest
from readme_blocks import CONVERTED, DIGITS, FIRST, QUEENS, SEGMENTATION, WATCHED


def run(code: str) -> dict:
    """The names that a block defines."""
    names = {}
    exec(code, names)
    return names


def test_the_first_example_runs_and_shows_what_it_says(capsys):
    names = run(FIRST)
    assert names["spins"].shape == (200, 10, 10)
    said = capsys.readouterr().out
    assert "of the spins are up" in said
    completed = names["completed"]
    assert completed.shape == (25, 10, 10)
    assert (completed[:, 0] == 1).all()
    assert completed[:, 1].mean() > completed[:, 5].mean()  # the row next to the evidence agrees with it most
    assert float(said.split("the learned coupling is ")[1]) == pytest.approx(0.3, abs=0.03)


@pytest.mark.slow
def test_the_digits_are_completed():
    names = run(DIGITS)
    filled, half = names["filled"], names["half"]
    assert filled.shape == (25, 8, 8)
    np.testing.assert_array_equal(filled[:, :4], np.broadcast_to(half[:4], (25, 4, 8)))
    assert len(np.unique(filled.reshape(25, -1), axis=0)) > 1


def attacks(board) -> int:
    """Pairs of queens that attack each other."""
    row, column = np.nonzero(board)
    down, across = np.abs(row[:, None] - row), np.abs(column[:, None] - column)
    return int((((down == 0) | (across == 0) | (down == across)).sum() - len(row)) // 2)


@pytest.mark.slow
def test_the_queens_stand_where_none_attacks_another(capsys):
    boards = run(QUEENS)["boards"]
    assert all(board.sum() == 8 and attacks(board) == 0 for board in boards)
    assert len(boards) > 50
    assert f"{len(boards)}% of the samples" in capsys.readouterr().out
    assert len(np.unique(boards.reshape(-1, 64), axis=0)) > 20  # there are 92 solutions


def borders(labels) -> int:
    """Pairs of neighbours with different labels."""
    return int((labels[1:] != labels[:-1]).sum() + (labels[:, 1:] != labels[:, :-1]).sum())


def test_the_segmentation_is_smoother_and_better_than_each_pixel_alone():
    names = run(SEGMENTATION)
    scores, labels, number = names["scores"], names["labels"], len(names["pairs"])
    alone = scores.argmax(-1)

    def total(x):
        return np.take_along_axis(scores, x[..., None], axis=-1).sum() + number - borders(x)

    assert borders(labels) < 0.6 * borders(alone)
    assert total(labels) > total(alone) + 100
    assert names["solution"].score == pytest.approx(total(labels), rel=1e-5)
    assert set(np.unique(labels)) == {0, 1, 2, 3}


def test_a_file_is_solved_with_its_evidence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.uai").write_text("MARKOV 3  2 2 1  1  3 0 1 2  4  1 2 3 0.5")
    (tmp_path / "model.evid").write_text("1 1 1")
    assert run(CONVERTED)["best"].tolist() == [0, 1, 0]


def test_the_watched_code_corrects_the_fifth_bit():
    state = run(WATCHED)["scope"].state
    assert state.states[0].tolist() == [1, 0, 1, 0, 0, 0, 1]
    assert state.states[-1].tolist() == [1, 0, 1, 0, 1, 0, 1]
