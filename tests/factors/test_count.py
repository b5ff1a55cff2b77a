"""Count potentials of many variables."""

import jax
import numpy as np

import pmp_kit as pk


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
