"""Recorded results: what is shown, and what is refused. (Reading them back: tests/notebooks.)"""

import pytest

from pmp_kit.course.experiments import record


def test_a_result_is_shown_beside_its_reference(capsys):
    record("KL of PMP", 0.0081, paper=0.008, tolerance=0.0015)
    record("KL of Gibbs", 0.2, exact=0.119, tolerance=0.001)
    record("sweeps", 12)
    record("residual", 0.2, at_most=0.1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "KL of PMP: 0.0081   (paper 0.008 ± 0.0015: agrees)"
    assert lines[1] == "KL of Gibbs: 0.2   (exact 0.119 ± 0.001: does NOT agree)"
    assert lines[2] == "sweeps: 12"
    assert lines[3] == "residual: 0.2   (at most 0.1: does NOT agree)"


def test_without_a_tolerance_the_paper_is_shown_beside_and_nothing_is_judged(shown):
    record("log MMD", -4.1, paper=-4.33, error=0.02, method="PMP", size="200 of 1000 iterations")
    record("RMSE", 0.1, paper=0.1, tolerance=0.01, error=0.02)
    (result, text), (judged, _) = shown
    assert text == "log MMD: -4.1 ± 0.02   (paper -4.33)   [200 of 1000 iterations]"
    assert result == {
        "name": "log MMD", "value": -4.1, "error": 0.02, "method": "PMP", "size": "200 of 1000 iterations",
        "source": "paper", "reference": -4.33, "tolerance": None,
    }  # fmt: skip
    assert judged["agrees"] is True
    assert "method" not in judged


@pytest.fixture
def shown(monkeypatch):
    """What is left in the notebook."""
    kept = []
    monkeypatch.setattr("pmp_kit.course.experiments.results._show", lambda result, text: kept.append((result, text)))
    return kept


@pytest.mark.parametrize(
    ("value", "options", "error", "message"),
    [
        (float("nan"), {}, ValueError, "value: expected a finite number"),
        ("many", {}, TypeError, "value: expected a number"),
        (
            1,
            {"paper": 1, "exact": 1, "tolerance": 1},
            ValueError,
            "x: expected one of paper, exact and at_most, got paper, exact",
        ),
        (1, {"exact": 1}, ValueError, "tolerance: expected it together with"),
        (1, {"error": -1}, ValueError, "error: expected a number in"),
    ],
)
def test_what_is_no_result_is_refused(value, options, error, message):
    with pytest.raises(error, match=message):
        record("x", value, **options)
