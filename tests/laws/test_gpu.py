"""A GPU or TPU computes the same states as the CPU. Without such a device these tests are skipped."""

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course.experiments.speed import workloads

PROFILES = {"dense": "quick", "rbm": "quick", "lattice": "full", "erdos-renyi": "full", "deconvolution": "quick"}
"""The sizes of the workloads. In large dense models, the last digits of long sums differ, and may decide a near tie."""

pytestmark = pytest.mark.skipif(jax.default_backend() == "cpu", reason="needs a GPU or TPU")


@pytest.mark.parametrize("sampler", [None, pk.PMP(), pk.Gibbs()], ids=["Algorithm 1", "PMP", "Gibbs"])
@pytest.mark.parametrize("name", PROFILES)
def test_the_same_states_as_on_the_cpu(name, sampler):
    work = workloads.build(name, PROFILES[name])
    found = [
        work.flat(work.sample(jax.random.key(0), sampler or work.algorithm, 10, devices=jax.devices(kind)))
        for kind in ("cpu", jax.default_backend())
    ]
    np.testing.assert_array_equal(*found)
