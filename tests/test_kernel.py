"""Single steps of samplers: the same numbers as `sample`, and chains that go on in both."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sampler_examples import EXAMPLES, each_slowly, small_ising

import pmp_kit as pk

KEY = jax.random.key(0)


@each_slowly(EXAMPLES)
def test_steps_are_those_of_sample(example):
    model = small_ising()
    sampler = example.make(model)
    evidence = {"x": np.where(np.arange(6) == 2, 1, pk.FREE)}
    kernel = pk.Kernel(model, sampler, num_samples=20, evidence=evidence)
    state = kernel.init(KEY)
    for _ in range(7):
        state = kernel.sweep(KEY, state)
    samples = pk.sample(KEY, model, sampler, num_samples=20, num_sweeps=7, evidence=evidence)
    assert int(state.sweeps) == 7
    np.testing.assert_array_equal(kernel.states(state)["x"], samples["x"])
    close = partial(np.testing.assert_allclose, rtol=1e-6)  # JAX 0.7.2 rounds the perturbed unaries in another way
    jax.tree.map(close, kernel.chains(state), samples.chains)
    assert kernel.done(state).shape == (20,)


@pytest.mark.slow
def test_chains_go_on_between_kernels_and_sample():
    model = small_ising()
    kernel = pk.Kernel(model, pk.PersistentPMP(0.5), num_samples=12)
    first = pk.sample(KEY, model, pk.PersistentPMP(0.5), num_samples=12, num_sweeps=6)
    state = kernel.init(KEY, previous=first.chains)
    for _ in range(6):
        state = kernel.sweep(KEY, state)
    then = pk.sample(KEY, model, pk.PersistentPMP(0.5), num_samples=12, num_sweeps=6, previous=first.chains)
    np.testing.assert_array_equal(kernel.states(state)["x"], then["x"])
    with pytest.raises(ValueError, match="previous: expected a sampler that continues"):
        pk.Kernel(model, num_samples=12).init(KEY, previous=first.chains)
    with pytest.raises(ValueError, match=r"previous: expected the \.chains of 13 samples"):
        pk.Kernel(model, pk.Gibbs(), num_samples=13).init(KEY, previous=jnp.zeros((12, 1, 6)))


def test_the_state_of_another_kernel_is_refused():
    model = small_ising()
    gibbs, pmp = (pk.Kernel(model, sampler, num_samples=5) for sampler in (pk.Gibbs(), pk.PMP()))
    with pytest.raises(ValueError, match=r"state \(it may be of another kernel\): expected .*MaxProductState"):
        pmp.sweep(KEY, gibbs.init(KEY))
    with pytest.raises(ValueError, match=r"state .*: expected float32\[1, 6, 5\], got float32\[1, 6, 4\]"):
        gibbs.sweep(KEY, pk.Kernel(model, pk.Gibbs(), num_samples=4).init(KEY))
