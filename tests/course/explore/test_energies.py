"""The energy table: its numbers are those of enumeration, its controls keep every strength, wrong input is named."""

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore.energies import compute
from pmp_kit.course.explore.energies.compute import KINDS, factor_names

BINARY, SPIN = KINDS


def symmetric(spins, strengths):
    weight = np.zeros((spins, spins))
    weight[np.triu_indices(spins, 1)] = strengths[spins:]
    return weight + weight.T, strengths[:spins]


@pytest.mark.parametrize("spins", [2, 4])
@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_the_numbers_are_those_of_the_kit(spins, temperature):
    strengths = np.random.default_rng(spins).normal(0, 0.8, len(factor_names(spins)))
    weight, bias = symmetric(spins, strengths)
    for kind in KINDS:
        state = compute.state(spins, kind, temperature, strengths)
        one, other, offset = (weight, bias, 0.0) if kind == BINARY else pk.spins_to_binary(weight, bias)
        model = pk.Ising(np.asarray(one) / temperature, np.asarray(other) / temperature)
        np.testing.assert_allclose(state.probabilities, pk.exact.probabilities(model), atol=1e-5)
        expected = float(pk.exact.log_partition(model)) + float(offset) / temperature
        assert abs(state.log_partition - expected) < 1e-4
        np.testing.assert_allclose(state.up, np.asarray(pk.exact.marginals(model)["x"])[:, 1], atol=1e-5)
        steps = 1e-5 * np.eye(len(strengths))
        higher, lower = (
            [compute.state(spins, kind, temperature, strengths + sign * one).log_partition for one in steps]
            for sign in (1, -1)
        )
        slopes = (np.array(higher) - lower) / 2e-5
        np.testing.assert_allclose(state.means / temperature, slopes, atol=1e-6)


def test_modes_are_what_no_single_change_improves():
    names = factor_names(4)
    strengths = np.random.default_rng(1).normal(0, 1.0, len(names))
    state = compute.state(4, SPIN, 1.0, strengths)
    p = state.probabilities.reshape((2,) * 4)
    best = np.all([p > np.flip(p, axis) for axis in range(4)], axis=0)
    assert (state.modes == best.reshape(-1)).all()
    assert 0 < state.modes.sum() < 16


def test_every_factor_keeps_its_strength():
    table = explore.EnergyTable(spins=3, states="{0, 1}", factor="J13", strengths={"J13": 0.5, "b2": -1.0})
    assert table.controls["strength"].value == 0.5
    table.controls["factor"].value = "b2"
    assert table.controls["strength"].value == -1.0
    table.controls["strength"].value = 1.5
    table.controls["factor"].value = "J13"
    assert table.controls["strength"].value == 0.5
    assert dict(zip(factor_names(3), table.state.strengths, strict=True)) == {
        **dict.fromkeys(factor_names(3), 0.0), "b2": 1.5, "J13": 0.5,
    }  # fmt: skip
    again = explore.EnergyTable(**table.arguments())
    assert again.params == table.params
    assert again.picture.frame == table.picture.frame


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"spins": 5}, "spins: expected 2, 3 or 4, got 5"),
        ({"factor": "J34", "spins": 3}, r"factor: expected one of .*, got 'J34'"),
        ({"strengths": {"b1": 3.0}}, r"strengths\['b1'\]: expected a number in \[-2.0, 2.0\], got 3.0"),
    ],
)
def test_wrong_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        explore.EnergyTable(**arguments)
