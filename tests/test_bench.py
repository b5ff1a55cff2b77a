import jax
import numpy as np
import pytest

from pmp_kit.bench import workloads

NAMES = list(workloads.BUILDERS)


@pytest.mark.parametrize("num_sweeps", [1, 2, 7])
@pytest.mark.parametrize("name", NAMES)
def test_plain_transcription_and_kit_decode_the_same(name, num_sweeps):
    work, key = workloads.build(name, "quick"), jax.random.key(3)
    kit = work.flat(work.sample(key, work.algorithm, num_sweeps))
    plain = np.asarray(work.plain(key, damping=0.5, num_sweeps=num_sweeps))
    assert kit.shape == plain.shape
    assert 0 < kit.mean() < 1
    np.testing.assert_array_equal(kit, plain)
    if work.edge_list is not None:
        np.testing.assert_array_equal(kit, work.edge_list(key, damping=0.5, num_sweeps=num_sweeps))
