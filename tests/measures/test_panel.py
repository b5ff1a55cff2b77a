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


def test_panel_prints_a_row_for_each():
    x = np.random.default_rng(0).integers(0, 2, (60, 6))
    table = measures.panel(
        KEY, {"mine": pk.Samples({"x": x[:20]}, None, x[:20, 0])}, pk.Samples({"x": x}, None, x[:, 0])
    )
    lines = str(table).splitlines()
    assert len(lines) == 4
    assert "MMD^2 x10" in lines[0]
    assert "KL" not in lines[0]
    assert [line.split("  ")[0] for line in lines[1:]] == ["mine", "real data", "independent pixels"]
    assert len({len(line) for line in lines}) == 1
    assert repr(table) == str(table)


def test_panel_of_a_block_of_one_variable():
    model = pk.FactorGraph(pk.Variables(x=pk.Binary()), unaries={"x": 0.5})
    samples = pk.sample(KEY, model, pk.ForwardBackward(), num_samples=200, num_sweeps=0)
    table = measures.panel(KEY, {"exact": samples}, samples, truth=model)
    assert all(row.kl < 0.02 for row in table)


def test_panel_of_many_states():
    x = np.random.default_rng(0).integers(0, 4, (2000, 5))
    x[:, 1] = x[:, 0]
    table = measures.panel(KEY, {}, {"x": x})
    assert [row.name for row in table] == ["real data", "independent pixels"]
    assert table[1].second > 2 * table[0].second


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"reference": ["v"], "truth": True},
            r"truth: expected a model with all blocks.* without \['h'\]; give",
        ),
        ({"samples": ["v"], "truth": True}, r"samples: expected the blocks \['h', 'v'\].*, got none for \['h'\]"),
        ({"training": ["v"]}, r"training: expected the blocks \['h', 'v'\] of the reference, got none for \['h'\]"),
        (
            {"number": 7},
            "reference: expected at least 8 samples, because .* got 7; give more",
        ),
    ],
    ids=["truth", "samples", "training", "halves"],
)
def test_missing_blocks_and_few_samples_name_the_argument(arguments, message):
    model = small_rbm()
    drawn = exact_samples(model, arguments.get("number", 20))
    samples, reference, training = (
        {name: drawn[name] for name in arguments.get(argument, drawn)}
        for argument in ("samples", "reference", "training")
    )
    options = {"truth": model} if "truth" in arguments else {"training": training} if "training" in arguments else {}
    with pytest.raises(ValueError, match=message):
        measures.panel(KEY, {"mine": samples}, reference, **options)
