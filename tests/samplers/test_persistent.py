"""Persistent PMP learns."""

import jax
import optax
import pytest

import pmp_kit as pk

KEY = jax.random.key(0)


@pytest.mark.slow
def test_persistent_pmp_learns():
    """The coupling of Section 5.1's spins from exact moments, ten warm sweeps a step."""
    truth = pk.CompleteIsing(0.3)
    result = pk.fit(
        KEY, pk.CompleteIsing(0.0), moments=pk.exact.moments(truth), sampler=pk.PersistentPMP(0.9),
        optimizer=optax.adam(0.02), steps=150, num_chains=200, num_sweeps=10, persistent=True,
    )  # fmt: skip
    assert 0.15 < result.model.coupling < 0.3  # perturb-and-MAP couples more strongly than Gibbs at equal coupling
