"""The factor bench: formulas against trying everything, controls and sliders."""

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore.factors import compute
from pmp_kit.course.explore.picture.frame import unpack


@pytest.mark.parametrize("factor", [*compute.KINDS, compute.POTTS])
def test_formula_and_enumeration_agree(factor):
    draw = np.random.default_rng(1)
    for n in range(2, compute.MOST + 1):
        for k in range(n + 1):
            for temperature in (0.0, 0.05, 1.0, 2.0):
                incoming = draw.normal(0.0, 3.0, n)
                state = compute.state(factor, n, k, temperature, n, incoming)
                assert state.gap < 1e-4, (n, k, temperature, incoming)


def test_an_or_on_the_bench_is_the_or_of_a_graph():
    incoming = np.array([0.5, -1.0, 2.0, -0.3])
    variables = pk.Variables(x=pk.Binary(4))
    x = variables["x"]
    solution = pk.solve(pk.FactorGraph(variables, [pk.Or(x[:3], x[3])], {"x": incoming}), pk.Exhaustive())
    state = compute.state("OR", 4, 0, 0.0, 0, incoming)
    assert (solution.states["x"] == (incoming + state.formula > 0)).all()


def test_what_cannot_be_is_certain():
    state = compute.state("exactly k", 3, 3, 0.5, 0, [1.0, -2.0, 0.0])
    assert (state.formula == 1000).all()
    assert (compute.state("exactly k", 3, 0, 0.5, 0, [1.0, -2.0, 0.0]).formula == -1000).all()


def test_messages_that_are_certain_are_infinite_on_the_page():
    explorer = explore.FactorBench("exactly k", n=3, k=3)
    sent = unpack(explorer.picture.frame)
    assert (sent["formula"] == np.inf).all()
    np.testing.assert_allclose(sent["incoming"], explorer.state.incoming, atol=1e-6)
    explorer.controls["k"].value = 0
    assert (unpack(explorer.picture.frame)["tried"] == -np.inf).all()


def test_a_k_above_n_counts_as_n_and_the_status_line_says_so(explorer):
    explorer.restore(explorer.params | {"factor": "exactly k", "n": 3, "k": 3})
    assert "above n" not in explorer.says(explorer.state)
    sent = explorer.state.formula
    explorer.controls["k"].value = 5
    assert "exactly k, k = 3 (a k of 5 is above n and counts as n) · " in explorer.says(explorer.state)
    np.testing.assert_array_equal(explorer.state.formula, sent)
    explorer.controls["factor"].value = "OR"
    assert "above n" not in explorer.says(explorer.state)


def test_no_difference_is_said_as_0(explorer):
    same = explorer.state._replace(formula=explorer.state.tried)
    assert "differ by at most 0 nats" in explorer.says(same)


def test_a_wrong_formula_would_be_seen(monkeypatch):
    kind = compute.KINDS["at most k"]
    monkeypatch.setitem(compute.KINDS, "at most k", kind._replace(score=compute.KINDS["exactly k"].score))
    assert compute.state("at most k", 4, 2, 0.0, 0, [-1.0, 0.5, 2.0, -0.2]).gap > 0.1


@pytest.fixture(scope="module")
def explorer():
    return explore.FactorBench(n=5, incoming=[1.0, -2.0])


def test_another_seed_brings_other_messages_and_n_shows_as_many(explorer):
    assert explorer.equaliser.value[:2] == (1.0, -2.0)
    explorer.controls["n"].value = 3
    assert len(explorer.equaliser.widget.children) == len(explorer.state.incoming) == 3
    before = explorer.state.incoming
    explorer.controls["seed"].value = 7
    assert (explorer.state.incoming != before).any()
    assert explorer.state.incoming[0] == explorer.equaliser.sliders[0].value


def test_a_slider_of_the_equaliser_moves_the_picture(explorer):
    before = explorer.picture.frame
    explorer.equaliser.sliders[0].value = 5.0
    assert explorer.state.incoming[0] == 5.0
    assert explorer.picture.frame != before


def test_the_value_that_the_page_computes_for_a_step_is_no_change(explorer):
    slider = explorer.equaliser.sliders[0]
    slider.value = 0.8
    before = explorer.state
    slider.value = -6 + 68 * 0.1  # 0.7999999999999998
    assert slider.value != 0.8
    assert explorer.state is before
    assert explorer.equaliser.value[0] == explorer.params["incoming"][0] == 0.8


def test_too_many_messages_are_refused():
    with pytest.raises(ValueError, match="at most 6 messages, got 7"):
        explore.FactorBench(incoming=[0.0] * 7)


def test_k_is_for_factors_that_have_one():
    explorer = explore.FactorBench(factor="OR")
    assert explorer.controls["k"].disabled
    explorer.controls["factor"].value = "exactly k"
    assert not explorer.controls["k"].disabled


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"factor": "XOR"}, "factor: expected one of "),
        ({"n": 1}, "n: expected from 2 to "),
        ({"incoming": [np.nan]}, "incoming: expected a finite number, got nan"),
        ({"seed": -1}, "seed: expected from 0 to 20, got -1"),
        ({"incoming": [10.0]}, r"incoming: expected messages from -6 to 6, got \[10.0\]"),
    ],
    ids=["no factor", "too small", "no number", "no seed", "too large"],
)
def test_values_that_the_bench_does_not_have_are_refused(given, says):
    with pytest.raises(ValueError, match=says):
        explore.FactorBench(**given)


def test_messages_may_be_an_array():
    assert list(explore.FactorBench(incoming=np.array([1.0, 2.0])).equaliser.value[:2]) == [1.0, 2.0]
