"""Gibbs-with-gradients: proposals by their weights, fields kept up to date."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sampler_examples import small_ising

import pmp_kit as pk
from pmp_kit.samplers import gradients


def test_proposals_of_changes_go_by_their_weights():
    """One uniform number picks among all changes; what has no weight is never picked, not even at the ends."""
    shares = jnp.array([[[0.0], [1.0], [0.0]], [[3.0], [0.0], [0.0]]])
    uniform = jnp.array([0.0, 0.2, 0.26, 0.999999])
    row, variable = gradients.pick(jnp.broadcast_to(shares, (2, 3, 4)), uniform)
    assert list(zip(row.tolist(), variable.tolist(), strict=True)) == [(0, 1), (0, 1), (1, 0), (1, 0)]


def test_many_proposals_are_picked_as_often_as_their_shares_say():
    """In 23 entries, whose last block is not full, with shares of zero among them."""
    shares = np.arange(23.0) % 5
    uniform = (np.arange(100_000) + 0.5) / 100_000
    row, variable = gradients.pick(
        jnp.broadcast_to(jnp.array(shares, jnp.float32)[None, :, None], (1, 23, 100_000)), uniform.astype(np.float32)
    )
    assert not row.any()
    np.testing.assert_allclose(np.bincount(variable, minlength=23) / 100_000, shares / shares.sum(), atol=2e-5)


@pytest.mark.slow
def test_gibbs_with_gradients_corrects_the_fields_of_dense_models():
    """The same model as a list of pairs, whose fields are computed anew, gives the same samples."""
    dense = small_ising(scale=1.0, spins=9)
    first, second = np.triu_indices(9, 1)
    pairs = pk.Edges(np.stack([first, second], 1), dense.weight[first, second])
    listed = pk.FactorGraph(dense.graph().variables, [pairs], {"x": dense.bias})
    evidence = {"x": np.where(np.arange(9) == 4, 1, pk.FREE)}
    one, other = (
        pk.sample(jax.random.key(0), model, pk.GibbsWithGradients(), num_samples=300, num_sweeps=7, evidence=evidence)
        for model in (dense, listed)
    )
    assert (one["x"] == other["x"]).mean() > 0.999


def test_a_part_of_size_0_is_never_found():
    """If the sum of all parts is rounded up, the largest uniform numbers lie beyond the last part."""
    parts = jnp.float32([0.0, 1e-9, 1.0, 0.0])
    for uniform in (0.0, 0.5, float(np.nextafter(np.float32(1), np.float32(0))), 1.0):
        place, left = gradients.find(parts[:, None], jnp.float32([uniform]))
        assert parts[int(place[0])] > 0
        assert 0 <= left[0] < 1
