"""Section 5.3: the split, one step of learning, the test, and the models that come with the kit."""

import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import data
from pmp_kit.course.experiments.zeros import learn as zeros
from pmp_kit.course.experiments.zeros import trained as trained_zeros

pytestmark = pytest.mark.slow  # the notebook's quick profile runs these functions in the gate

TRIAL = zeros.Size("middle", dict.fromkeys(zeros.METHODS, 1), samples=100, rate=1e-2, chains=6, sweeps=3)


def test_contours_are_the_free_neighbours_of_ink():
    images = np.random.default_rng(0).random((5, 4, 6)) < 0.3
    outlines = pk.datasets.contours(images.astype(int))
    assert outlines.shape == (5, 6, 8)
    for image, outline in zip(np.pad(images, ((0, 0), (1, 1), (1, 1))), outlines, strict=True):
        for row in range(6):
            for column in range(8):
                near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
                inked = any(image[r, c] for r, c in near if 0 <= r < 6 and 0 <= c < 8)
                assert outline[row, column] == (inked and not image[row, column])


def test_every_third_outline_is_held_out():
    learned, held_out, words = zeros.outlines(zeros.SIZES["small"])
    everything = pk.datasets.contours(pk.datasets.digits(only=0)["v"])
    assert len(learned) + len(held_out) == len(everything) == 178
    np.testing.assert_array_equal(held_out, everything[::3])
    assert "every third held out" in words
    middle, _, _ = zeros.outlines(zeros.SIZES["tiny"])
    np.testing.assert_array_equal(middle, learned[:, 3:7, 3:7])


def test_one_step_goes_up_where_the_data_have_more():
    """Adam's first step is the learning rate in the direction of data minus samples (here coins)."""
    images = np.zeros((10, 3, 3), int)
    images[:, 1] = 1
    size = TRIAL._replace(chains=200)
    made = zeros.train("PMP", size, 0, images)
    on = images[0].reshape(-1) == 1
    assert made["steps"] == 1
    np.testing.assert_allclose(made["bias"], np.where(on, size.rate, -size.rate), rtol=1e-3)
    off_diagonal = ~np.eye(9, dtype=bool)
    expected = np.where(np.outer(on, on), size.rate, -size.rate)
    np.testing.assert_allclose(made["weight"][off_diagonal], expected[off_diagonal], rtol=1e-3)


def test_the_judge_has_both_metrics():
    draw = np.random.default_rng(1)
    samples, learned, held_out = (draw.integers(0, 2, (n, 3, 3)) for n in (12, 8, 9))
    judged = zeros.judge(samples, learned, held_out)

    def kernel(x, y, scale=1.0):
        return np.exp(-scale * (x.reshape(-1, 1, 9) != y.reshape(1, -1, 9)).mean(-1))

    v = kernel(samples, samples).mean() + kernel(learned, learned).mean() - 2 * kernel(samples, learned).mean()
    assert judged["log MMD^2"] == pytest.approx(np.log(v), abs=1e-6)
    xx, yy = kernel(samples, samples, 10.0), kernel(held_out, held_out, 10.0)
    u = (xx.sum() - 12) / 132 + (yy.sum() - 9) / 72 - 2 * kernel(samples, held_out, 10.0).mean()
    assert judged["kept out"][1] == pytest.approx(u, abs=1e-6)
    assert judged["null"].shape == (3,)


def test_the_models_of_the_kit_are_small_and_tell_what_made_them():
    files = sorted(data.FOLDER.glob("zeros_*"))
    assert sum(file.stat().st_size for file in files) < 1_500_000
    assert "PMP" in trained_zeros.available("small")
    for size in zeros.SIZES:
        for method in trained_zeros.available(size):
            made = trained_zeros.about(size, method)
            assert made["made by"].endswith(f" {size} {method!r}")
            assert made["settings"]["sweeps"] == zeros.SIZES[size].sweeps
