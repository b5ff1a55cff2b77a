"""The ledger: a piece is computed once, kept as it was, never mistaken for another; nothing is kept unasked."""

import json

import numpy as np
import pytest

from pmp_kit.course.experiments import ledger, piece, pieces


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(ledger.FOLDER, str(tmp_path / "ledger"))
    return tmp_path / "ledger"


def counting():
    calls = []

    def work(seed, sizes=(1, 2)):
        calls.append(seed)
        return {"curve": np.arange(3) + np.float32(0.1) * seed, "count": seed, "mean": np.float32(0.5)}

    return work, calls


def same(first, second):
    assert first.keys() == second.keys()
    for name in first:
        assert np.array_equal(first[name], second[name])
        assert type(first[name]) is type(second[name])


def test_a_piece_is_computed_once_and_comes_back_as_it_was(folder):
    work, calls = counting()
    first = piece("PMP, seed 40", work, seed=40, sizes=(3, 4))
    second = piece("PMP, seed 40", work, seed=40, sizes=(3, 4))
    assert calls == [40]
    same(first, second)
    assert second["curve"].dtype == np.float64
    assert isinstance(second["count"], int)
    piece("PMP, seed 41", work, seed=41)
    assert calls == [40, 41]


def test_other_settings_are_another_piece(folder):
    """A page that was run with another seed broke off in the last of its cells."""
    work, calls = counting()
    for _ in range(2):
        assert [piece(name, work, seed=seed)["count"] for name in ("PMP", "PMP?", "PMP!") for seed in (40, 41)] == [
            *(40, 41) * 3
        ]
    assert calls == [*(40, 41) * 3]


def test_without_a_folder_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.delenv(ledger.FOLDER, raising=False)
    monkeypatch.chdir(tmp_path)
    work, calls = counting()
    same(piece("PMP", work, seed=40), piece("PMP", work, seed=40))
    assert calls == [40, 40]
    assert not list(tmp_path.rglob("*"))


def test_after_an_interruption_only_the_rest_is_computed(folder, capsys, monkeypatch):
    monkeypatch.setenv("PMP_KIT_PROGRESS", "1")
    monkeypatch.setattr(ledger.progress, "DELAY", 0.0)
    work, calls = counting()

    def interrupted(seed):
        if seed == 42:
            raise KeyboardInterrupt
        return work(seed)

    settings = {f"seed {seed}": {"seed": seed} for seed in (40, 41, 42, 43)}
    with pytest.raises(KeyboardInterrupt):
        pieces(interrupted, settings)
    capsys.readouterr()
    assert list(pieces(work, settings)) == list(settings)
    assert calls == [40, 41, 42, 43]
    lines = capsys.readouterr().err.splitlines()
    assert [", from the ledger" in line for line in lines] == [True, True, False, False]
    assert "; 1 more, about " in lines[2]
    assert "more" not in lines[3]
    events = [json.loads(text) for text in (folder / ledger.LOG).read_text().splitlines()]
    assert [event["kept"] for event in events] == [False, False, True, True, False, False]


@pytest.mark.parametrize(
    ("result", "settings", "says"),
    [
        (3, {}, "expected a dict of numbers and arrays from its function, got int"),
        ({"x": "text"}, {}, "expected numbers or arrays of numbers, got str at x"),
        ({"x": 1}, {"model": np.ones(3)}, "expected settings of numbers, texts, lists and dicts"),
    ],
)
def test_what_cannot_be_kept_is_refused(folder, result, settings, says):
    with pytest.raises(TypeError, match=says):
        piece("PMP", lambda **settings: result, **settings)
