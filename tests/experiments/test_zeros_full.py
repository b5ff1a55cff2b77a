"""The kept run of Section 5.3 at the paper's size: what notebook 07 says of it, and that it is kept as it was."""

import itertools

import numpy as np

from pmp_kit.experiments import zeros, zeros_full

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


def test_at_the_papers_size_the_papers_ranking_holds():
    kept = zeros_full.load()
    assert {method: len(runs) for method, runs in kept.tested.items()} == zeros.NUMBER_OF_SEEDS
    sweeps = dict(zip(zeros.SWEEPS, range(5), strict=True))
    sigmas = {m: np.mean([(one["kept out"] / one["null"])[:, 1] for one in runs], 0) for m, runs in kept.tested.items()}
    authors = {method: np.mean([one["log MMD^2"] for one in runs], 0) for method, runs in kept.tested.items()}
    for metric in (sigmas, authors):
        others = np.stack([metric[method] for method in METHODS if method != "PMP"])
        assert (metric["PMP"][sweeps[25] :] < others[:, sweeps[25] :]).all()
    assert (sigmas["PMP"][sweeps[25] :] < 4.5).all()
    assert sigmas["Gibbs, reset"].argmin() == sweeps[50]
    assert 8 < sigmas["Gibbs, reset"].min() < 9.5
    assert sigmas["Gibbs"].argmin() == sweeps[100]
    assert 13 < sigmas["Gibbs"].min() < 15
    assert 20 < sigmas["PMP, persistent"][sweeps[50]] < 23
    steps = zeros.SIZES["paper"].steps
    assert all(one["steps"] == steps[method] for method, runs in kept.tested.items() for one in runs)


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
