"""The kept run of Section 5.3 at the paper's size: what notebook 07 says of it, and that it is kept as it was."""

import itertools

import numpy as np
import pytest

from pmp_kit.course.experiments.zeros import full_size as zeros_full
from pmp_kit.course.experiments.zeros import learn as zeros
from pmp_kit.measures.errors import mean_and_error

METHODS = list(zeros.SWEEPING)


def a_run() -> zeros_full.Run:
    draw = np.random.default_rng(0)

    def row() -> dict:
        numbers = {"log MMD^2": draw.normal(size=5), "kept out": draw.normal(size=(5, 3)), "null": np.ones((5, 3))}
        return numbers | {"seconds a sweep": 0.5, "steps": 7, "seconds": 3.0}

    tested = {method: [row() for _ in range(zeros.NUMBER_OF_SEEDS[method])] for method in METHODS}
    samples = {method: draw.integers(0, 2, (12, 30, 30)) for method in METHODS}
    return zeros_full.Run(
        tested, samples, {"log MMD^2": -7.0}, {"log MMD^2": -6.0, "kept out": draw.normal(size=3)}, "sizes"
    )


def far(method: str, sweeps: int, scale: int = 1) -> list[float]:
    """Standard deviations from a perfect sampler at one of the scales, one a seed."""
    return zeros.far(zeros_full.load().tested[method], sweeps, scale)


def test_the_kept_runs_are_of_the_sizes_that_the_code_states():
    kept, steps = zeros_full.load(), zeros.SIZES["paper"].steps
    assert {method: len(runs) for method, runs in kept.tested.items()} == zeros.NUMBER_OF_SEEDS
    assert all(one["steps"] == steps[method] for method, runs in kept.tested.items() for one in runs)


def test_what_notebook_07_says_of_the_papers_size():
    for sweeps in (25, 50, 100):
        assert mean_and_error(far("PMP", sweeps)) == pytest.approx((5.5, 0.5), abs=0.1)
    assert mean_and_error(far("Gibbs, reset", 25))[0] == pytest.approx(27, abs=0.5)
    assert mean_and_error(far("Gibbs, reset", 50)) == pytest.approx((6.4, 0.7), abs=0.05)
    assert mean_and_error(far("Gibbs, reset", 100)) == pytest.approx((9, 2), abs=0.5)
    assert mean_and_error(far("Gibbs", 100)) == pytest.approx((13.5, 1.8), abs=0.05)
    assert mean_and_error(far("PMP, persistent", 50)) == pytest.approx((21, 1.5), abs=0.05)
    assert far("Gibbs-with-gradients, reset", 5) == pytest.approx([32], abs=0.5)
    assert far("Gibbs-with-gradients, reset", 10) == pytest.approx([10], abs=0.5)
    assert mean_and_error(far("PMP", 10))[0] == pytest.approx(31, abs=0.5)
    for sweeps in (50, 100):
        assert far("Gibbs-with-gradients, reset", sweeps) == pytest.approx([6.1], abs=0.05)
    assert (far("PMP", 50)[0], far("Gibbs, reset", 50)[0]) == pytest.approx((4.1, 8.7), abs=0.05)
    assert (far("PMP", 50)[2], far("Gibbs, reset", 50)[2]) == pytest.approx((7.3, 4.9), abs=0.05)
    pace = {method: runs[0]["seconds a sweep"] for method, runs in zeros_full.load().tested.items()}
    assert pace["PMP"] / pace["Gibbs, reset"] == pytest.approx(2.0, abs=0.2)
    assert pace["Gibbs-with-gradients, reset"] / pace["PMP"] == pytest.approx(5.0, abs=0.5)


def test_independent_pixels_win_where_the_kernel_is_wide():
    pixels = zeros_full.load().pixels
    alone = pixels["kept out"] / pixels["null"]
    for method in METHODS:
        assert alone[0] < np.mean(far(method, 50, scale=0))
    for method in ("PMP", "Gibbs, reset", "Gibbs-with-gradients", "Gibbs-with-gradients, reset"):
        assert all(alone[scale] > np.mean(far(method, 50, scale)) for scale in (1, 2))
    for runs in zeros_full.load().tested.values():
        assert pixels["log MMD^2"] < np.mean([one["log MMD^2"] for one in runs], axis=0).min()


def test_a_run_of_the_papers_size_is_kept_as_it_was(tmp_path, monkeypatch):
    run = a_run()
    monkeypatch.setattr(zeros_full, "learned", lambda seed: run)
    monkeypatch.setattr(zeros_full, "FILE", tmp_path / "run.npz")
    zeros_full.main(["--output", str(tmp_path / "run.npz")])
    again = zeros_full.load.__wrapped__()
    assert again.words == "sizes"
    assert list(again.tested) == list(again.samples) == METHODS
    rows = [[*itertools.chain(*one.tested.values()), one.samples, one.floor, one.pixels] for one in (again, run)]
    for kept, made in zip(*rows, strict=True):
        assert set(kept) == set(made)
        for name in made:
            np.testing.assert_allclose(kept[name], made[name], rtol=1e-6)
