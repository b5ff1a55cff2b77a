"""The kept run of RBMs of the paper's size: what page 09 says of it."""

import numpy as np

from pmp_kit.course import data
from pmp_kit.course.experiments.rbm import full_size as restricted_full
from pmp_kit.course.experiments.rbm import learn as restricted
from pmp_kit.course.experiments.rbm.figures import effective_digits
from pmp_kit.course.experiments.rbm.sizes import SIZES


def sigmas(method: str, sweeps: int) -> np.ndarray:
    """Return the distance from the images held out in sd of a perfect sampler, (seeds, scales)."""
    found = restricted_full.load().at(method, sweeps)
    return found["u"] / found["null"]


def test_at_the_papers_size_the_papers_ranking_holds():
    kept = restricted_full.load()
    assert list(data.read(restricted_full.FILE)[1]["settings"]) == list(kept.found) == list(restricted.METHODS)
    assert {len(found["u"]) for found in kept.found.values()} == {SIZES["paper"]["seeds"]}
    pmp = {sweeps: sigmas("PMP", sweeps)[:, 1] for sweeps in kept.sweeps.tolist()}
    assert pmp[5].min() > 40 > pmp[20].max()
    assert all(1 < pmp[sweeps].mean() < 3 and pmp[sweeps].max() < 5 for sweeps in (50, 100, 200, 2000))
    means = kept.means()
    at = {sweeps: k for k, sweeps in enumerate(kept.sweeps.tolist())}
    mean = dict(zip(restricted.METHODS, means["u"] / means["null"], strict=True))  # (sweeps, scales) each
    assert mean["Gibbs-reset"][:, 1].argmin() == at[100]
    assert mean["PMP"][at[20] :].max() < 3
    assert mean["Gibbs-reset"][at[100]].max() < 2.5 < 50 < mean["Gibbs-reset"][at[20], 1]
    assert mean["PCD-100"][:, 1].argmin() == at[2000]
    assert mean["PCD-1"][at[2000], 1] > 80
    assert mean["PCD-1 constant"][at[2000], 1] > mean["PCD-1 constant"][at[20], 1] > 100
    np.testing.assert_allclose(means["shares"].sum(-1), 1.0, atol=1e-5)


def test_each_rbm_keeps_or_loses_its_digits():
    """The mean shares of five RBMs that have lost different digits would show more of them than any one has."""
    kept = restricted_full.load()
    left = {method: effective_digits(kept.at(method, 2000)["shares"]) for method in restricted.METHODS}
    assert left["Gibbs-reset"].max() < 2
    assert left["PCD-1 constant"].max() < 3.5
    assert 5.5 < left["PCD-1"].min() < left["PCD-1"].max() < 7.5
    assert min(left["PMP"].min(), left["PCD-100"].min()) > 8.5
    np.testing.assert_allclose(kept.means()["left"][:, -1], [each.mean() for each in left.values()], rtol=1e-6)


def test_of_the_2s_pmp_is_nearest_except_for_independent_pixels():
    """Each seed of PMP is ahead of the means of the others, but not each seed of one method of each of another."""
    twos = restricted_full.load().twos
    assert {len(values) for values in twos.values()} == {SIZES["paper"]["seeds"]}
    order = [restricted_full.PIXELS, "PMP", "Gibbs-reset", "PCD-100", "PCD-1"]
    means = [twos[name].mean() for name in order]
    assert sorted(means) == means
    assert twos["PMP"].max() < twos["Gibbs-reset"].mean()
    assert twos[restricted_full.PIXELS].max() < twos["PMP"].min()
    assert data.read(restricted_full.FILE)[1]["twos"] == SIZES["paper"]["twos"]
