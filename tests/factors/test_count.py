"""Count potentials of many variables."""

import math

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.factors.count import _shares_of_counts


@pytest.mark.parametrize("n", [0, 1, 7, 1000])
def test_shares_of_counts_are_binomial(n):
    np.testing.assert_array_equal(_shares_of_counts(n), [math.comb(n, ones) / 2**n for ones in range(n + 1)])


def test_a_count_of_more_variables_than_floats_have_powers_of_two():
    """The best states of a concave score of the count alone are those with its largest score."""
    n, wanted = 1100, 300
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(n)), [pk.CountPotential(np.arange(n), counted(n, wanted))])
    assert np.isfinite(model.factors[0].neutral_messages(())).all()
    samples = pk.sample(jax.random.key(0), model, pk.PMP(damping=0.0), num_samples=2, num_sweeps=3)
    np.testing.assert_array_equal(samples["x"].sum(1), wanted)


def counted(n, wanted):
    """Scores that fall by 100 nats, more than any noise, with each one too many or too few."""
    return -100.0 * np.abs(np.arange(n + 1) - wanted)


def test_the_neutral_message_of_a_linear_score_is_its_slope():
    factor = pk.CountPotential(np.arange(1200), 0.5 * np.arange(1201))
    np.testing.assert_allclose(factor.neutral_messages(()), 0.5, rtol=1e-5)
