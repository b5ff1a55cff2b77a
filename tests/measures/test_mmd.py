"""MMD: against plain NumPy over all pairs, and against what it must be for a perfect sampler."""

import tracemalloc

import jax
import numpy as np
import pytest

from pmp_kit.measures import mmd as metrics


def kernel(x, y, scale):
    return np.exp(-scale * (x[:, None] != y).mean(-1))


def others(k):
    """The sum of a kernel matrix without the pairs i = j, smallest first."""
    return np.sort(k[~np.eye(len(k), dtype=bool)]).sum()


def by_hand(x, y, scale):
    """U- and V-statistic of MMD^2 over all pairs, the definition written out."""
    x, y = x.reshape(len(x), -1), y.reshape(len(y), -1)
    n, m = len(x), len(y)
    kxx, kyy, kxy = kernel(x, x, scale), kernel(y, y, scale), kernel(x, y, scale)
    v = kxx.mean() + kyy.mean() - 2 * kxy.mean()
    return others(kxx) / (n * (n - 1)) + others(kyy) / (m * (m - 1)) - 2 * kxy.mean(), v


@pytest.mark.parametrize("states", [2, 4])
@pytest.mark.parametrize("scale", [1.0, 50.0])
def test_all_pairs_written_out_give_the_same(states, scale, monkeypatch):
    monkeypatch.setattr(metrics, "PAIRS_AT_ONCE", 100)  # several blocks, the last one short
    draw = np.random.default_rng(1)
    x, y = draw.integers(0, states, (23, 3, 5)), draw.integers(0, states, (17, 3, 5))
    y[:, 0] = 0
    u, v = by_hand(x, y, scale)
    assert metrics.mmd(x, y, scale=scale) == pytest.approx(u, rel=1e-9)
    assert metrics.mmd(x, y, scale=scale, statistic="v") == pytest.approx(v, rel=1e-9)


@pytest.mark.parametrize(("variables", "scale"), [(20, 1.0), (20, 10.0), (625, 50.0)])
def test_the_spread_of_a_perfect_sampler_is_that_of_the_centred_kernel(variables, scale):
    """The last kernel is near 1e-10 for most pairs, its square below what is left of 1 in rounding."""
    x, y = np.random.default_rng(9).integers(0, 2, (2, 60, variables))
    k, m = kernel(y, y, scale), len(y)
    np.fill_diagonal(k, 0.0)
    h = k - k.sum(0) / (m - 2) - k.sum(1)[:, None] / (m - 2) + k.sum() / ((m - 1) * (m - 2))
    square = others(h**2) / (m * (m - 3))
    null = (square * (2 / (60 * 59) * 2 + 4 / 60**2)) ** 0.5
    assert metrics.mmd_panel(x, y, scales=scale)[0].null == pytest.approx(null, rel=1e-6)
    assert null > 0


def test_dicts_are_compared_by_block_and_hidden_blocks_are_left_out():
    draw = np.random.default_rng(3)
    v, h, data = draw.integers(0, 2, (20, 4, 4)), draw.integers(0, 2, (20, 3)), draw.integers(0, 2, (25, 4, 4))
    assert metrics.mmd({"v": v, "h": h}, {"v": data}) == metrics.mmd(v, data)
    both = np.concatenate([v.reshape(20, -1), h], 1)
    assert metrics.mmd({"h": h, "v": v}, {"v": v, "h": h}, statistic="v") == pytest.approx(0, abs=1e-12)
    assert metrics.mmd({"v": v, "h": h}, {"v": v[:9], "h": h[:9]}) == pytest.approx(metrics.mmd(both, both[:9]))


def test_a_perfect_sampler_scores_zero_within_the_spread():
    draw = np.random.default_rng(4)
    mean = draw.uniform(0.1, 0.9, 12)
    panels = [
        metrics.mmd_panel(*((draw.random((n, 12)) < mean).astype(int) for n in (60, 90)), scales=(1.0, 10.0))
        for _ in range(400)
    ]
    for k in (0, 1):
        u, null, v = (np.array([getattr(panel[k], name) for panel in panels]) for name in ("u", "null", "v"))
        assert abs(u.mean()) < 4 * u.std() / np.sqrt(len(u))
        assert u.std() == pytest.approx(null.mean(), rel=0.15)
        assert v.mean() > 5 * abs(u.mean())  # the V-statistic is not zero for a perfect sampler


def test_the_floor_of_the_v_statistic():
    """Fair coins, many variables, N = M: (2/N) (1 - e^-1/2), its logarithm -7.84 at N = 2,000."""
    draw = np.random.default_rng(5)
    values = [metrics.mmd(*draw.integers(0, 2, (2, 500, 400)), statistic="v") for _ in range(20)]
    assert np.log(np.mean(values)) == pytest.approx(np.log(2 / 500 * (1 - np.exp(-0.5))), abs=0.02)


def test_independent_pixels_keep_the_means_and_nothing_else():
    data = {"v": np.repeat(np.array([[[0, 1], [1, 0]], [[0, 0], [1, 1]]]), 50, axis=0)}
    samples = metrics.independent_pixels(jax.random.key(1), data, 4000)
    assert samples["v"].shape == (4000, 2, 2)
    assert samples["v"].dtype == np.int32
    np.testing.assert_allclose(samples["v"].mean(0), data["v"].mean(0), atol=0.04)
    assert abs(np.corrcoef(samples["v"][:, 0, 1], samples["v"][:, 1, 1])[0, 1]) < 0.06  # -1 in the data


def test_no_array_of_all_pairs_and_all_variables():
    """1,200 x 1,200 pairs of 784 variables would be 1.1 GB; blocks of pairs stay far below."""
    x = np.random.default_rng(7).integers(0, 2, (1200, 784))
    metrics.mmd(x[:10], x[:10])
    tracemalloc.start()
    metrics.mmd(x, x + 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 150e6


V = np.zeros((5, 3), int)


@pytest.mark.parametrize(
    ("x", "y", "error", "message"),
    [
        (V + 0.5, V, TypeError, r"samples: expected whole-number states, got dtype float64; .*astype\(int\)"),
        (V, V - 1, ValueError, "reference: expected states 0, 1, ..., got -1"),
        (V, V[:, :2], ValueError, r"samples: expected shape \(N, 2\), got \(5, 3\)"),
        (V[:3], V, ValueError, "at least 4 samples each, got 3 and 5"),
        ({"v": V}, V, TypeError, 'got dict and ndarray; use one block of the dict such as samples\\["v"\\]'),
        ({"h": V}, {"v": V}, ValueError, r"got none for \['v'\]"),
        ({"v": V, "h": V[:4]}, {"v": V, "h": V}, ValueError, "the same number of samples in every block"),
    ],
)
def test_what_does_not_fit_is_refused(x, y, error, message):
    with pytest.raises(error, match=message):
        metrics.mmd(x, y)
