"""The factor bench: formulas against trying everything, and its sliders."""

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


def test_messages_that_are_certain_are_infinite_on_the_page():
    explorer = explore.FactorBench("exactly k", n=3, k=3)
    sent = unpack(explorer.picture.frame)
    assert (sent["formula"] == np.inf).all()
    np.testing.assert_allclose(sent["incoming"], explorer.state.incoming, atol=1e-6)
    explorer.controls["k"].value = 0
    assert (unpack(explorer.picture.frame)["tried"] == -np.inf).all()


@pytest.fixture(scope="module")
def explorer():
    return explore.FactorBench(n=5, incoming=[1.0, -2.0])


def test_a_slider_of_the_equaliser_moves_the_picture(explorer):
    before = explorer.picture.frame
    explorer.equaliser.sliders[0].value = 5.0
    assert explorer.state.incoming[0] == 5.0
    assert explorer.picture.frame != before


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"factor": "XOR"}, "factor: expected one of "),
        ({"n": 1}, "n: expected from 2 to "),
        ({"incoming": [10.0]}, r"incoming: expected messages from -6 to 6, got \[10.0\]"),
    ],
    ids=["no factor", "too small", "too large"],
)
def test_values_that_the_bench_does_not_have_are_refused(given, says):
    with pytest.raises(ValueError, match=says):
        explore.FactorBench(**given)
