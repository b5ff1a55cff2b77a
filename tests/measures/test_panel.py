"""The panel: a row of single measures for each set of samples."""

import jax
import numpy as np
import pytest
from small_models import exact_samples, small_rbm, weak

import pmp_kit as pk
from pmp_kit import measures
from pmp_kit.measures import mmd as metrics

KEY = jax.random.key(0)


def test_panel_rows_are_the_single_measures():
    model = weak()
    train, test = exact_samples(model, 400, 1), exact_samples(model, 300, 2)
    pmp = pk.sample(KEY, model, num_samples=200, num_sweeps=20)
    table = measures.panel(KEY, {"PMP": pmp, "truth": exact_samples(model, 250, 3)}, test, training=train, truth=model)
    assert [row.name for row in table] == ["PMP", "truth", "real data", "independent pixels"]
    assert [d.scale for d in table[0].mmd] == [1.0, 10.0, 50.0]
    assert table[0].mmd == metrics.mmd_panel(pmp, test)
    assert table[2].mmd == metrics.mmd_panel(train, test)
    assert table[3].mmd == metrics.mmd_panel(metrics.independent_pixels(KEY, train, 200), test)  # as few as any row has
    assert (table[0].first, table[0].second) == measures.moment_errors(pmp, test)
    assert table[0].kl == measures.divergence(model, pmp)


def test_panel_tells_structure_from_none_and_truth_from_error():
    """Strong couplings: independent pixels have the right means, and everything else wrong."""
    model = pk.CompleteIsing(0.3, spins=8)
    train, test, more = (exact_samples(model, 1000, seed) for seed in (1, 2, 3))
    table = {row.name: row for row in measures.panel(KEY, {"truth": more}, test, training=train, truth=model)}
    pixels, truth, real = table["independent pixels"], table["truth"], table["real data"]
    assert pixels.first < 0.05
    assert pixels.second > 3 * max(truth.second, real.second)
    assert pixels.mmd[1].sigmas > 20 > 5 > max(abs(truth.mmd[1].sigmas), abs(real.mmd[1].sigmas))
    assert pixels.kl > 5 * truth.kl


def test_without_training_data_independent_pixels_are_fitted_to_other_data_than_they_are_compared_with():
    """With the means of the reference itself, they were nearer to it than a perfect sampler is."""
    rng = np.random.default_rng(0)
    odds = rng.random((6, 40))
    reference, perfect = (rng.random((400, 6, 40)) < odds for _ in range(2))
    table = {row.name: row for row in measures.panel(KEY, {"perfect": perfect}, reference)}
    assert table["independent pixels"].first > 1.2 * table["perfect"].first
    assert all(d.sigmas > -2 for d in table["independent pixels"].mmd)


def test_missing_blocks_and_few_samples_name_the_argument():
    model = small_rbm()
    drawn = exact_samples(model, 20)
    visible = {"v": drawn["v"]}
    with pytest.raises(ValueError, match=r"truth: expected a model with all blocks.* without \['h'\]; give"):
        measures.panel(KEY, {"mine": drawn}, visible, truth=model)
    with pytest.raises(ValueError, match=r"training: expected the blocks \['h', 'v'\] of the reference, got none for"):
        measures.panel(KEY, {"mine": drawn}, drawn, training=visible)
    with pytest.raises(ValueError, match=r"reference: expected at least 8 samples, because .* got 7; give more"):
        measures.panel(KEY, {"mine": drawn}, {name: block[:7] for name, block in drawn.items()})
