"""The kept run of RBMs of the paper's size: what page 09 says of it, and that it is kept as it was."""

from pathlib import Path

import numpy as np

from pmp_kit.course import data
from pmp_kit.course.experiments import scorecard
from pmp_kit.course.experiments.rbm import full_size as restricted_full
from pmp_kit.course.experiments.rbm import learn as restricted
from pmp_kit.course.experiments.rbm.sizes import SIZES

CARD = Path(__file__).parents[3] / "docs" / "scorecard.md"


def test_at_the_papers_size_the_papers_ranking_holds():
    kept = restricted_full.load()
    at = {sweeps: k for k, sweeps in enumerate(kept["sweeps"].tolist())}
    sigmas = dict(zip(restricted.METHODS, kept["u"] / kept["null"], strict=True))  # (sweeps, scales) each
    assert list(data.read(restricted_full.FILE)[1]["settings"]) == list(restricted.METHODS)
    assert (sigmas["PMP"][at[20] :] < 2).all()
    assert sigmas["Gibbs-reset"][:, 1].argmin() == at[100]
    assert sigmas["Gibbs-reset"][at[100]].max() < 2 < 50 < sigmas["Gibbs-reset"][at[20], 1]
    assert sigmas["PCD-100"][:, 1].argmin() == at[2000]
    assert sigmas["PCD-1"][at[2000], 1] > 100
    assert sigmas["PCD-1 constant"][at[2000], 1] > sigmas["PCD-1 constant"][at[20], 1] > 100
    np.testing.assert_allclose(kept["shares"].sum(-1), 1.0, atol=1e-5)


def test_a_run_of_the_papers_size_is_kept_as_it_was(tmp_path, monkeypatch):
    run = dict(restricted_full.load(), u=np.ones((5, 9, 3)))
    monkeypatch.setattr(restricted_full, "learned", lambda seed: run)
    restricted_full.main(["--output", str(tmp_path / "run.npz")])
    monkeypatch.setattr(restricted_full, "FILE", tmp_path / "run.npz")
    again = restricted_full.load.__wrapped__()
    assert again["u"].dtype == np.float32
    assert all((again[name] == run[name]).all() for name in run)


def test_the_scorecard_says_of_how_many_samples_a_v_statistic_is():
    """Real digits have log MMD^2 -5.5 with 100 samples and -6.6 with 300, so the numbers of samples belong to it."""
    lines = scorecard.sections(CARD.read_text(encoding="utf-8"))["5.5"].splitlines()
    for method, size in SIZES["paper"]["small"].items():
        (line,) = (line for line in lines if line.startswith(f"| log MMD², 8 x 8, {method} |"))
        assert f"{size['number']} samples" in line
