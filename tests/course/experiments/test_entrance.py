"""The figures of pages 00 and 01: chains of the digit model, and the time of a sum over all states."""

import io

import jax
import numpy as np
import pytest
from explorers import small_digits
from PIL import Image

import pmp_kit as pk
from pmp_kit.course.experiments import digits, energies
from pmp_kit.course.plot import pixels


@pytest.mark.slow
def test_chains_start_at_their_digits_and_move():
    given = small_digits()
    starts = given["digits"][:2]
    images = digits.chains(jax.random.key(0), given["model"], starts, sweeps=6, every=2)
    assert images.shape == (4, *starts.shape)
    assert (images[0] == starts).all()
    assert (images[-1] != starts).any()
    assert np.isin(images, (0, 1)).all()


def test_the_rows_have_a_place_for_every_image():
    images = np.random.default_rng(0).integers(0, 2, (2, 2, 8, 8)).astype(np.int32)
    drawn = digits.figure({"one row": images[0], "two\nlines": images[1]}, heads=["0", "10"])
    assert "two lines" in drawn.words
    with Image.open(io.BytesIO(drawn.data)) as page:
        shown = np.asarray(page)
    for row, column in np.ndindex(2, 2):
        tile = pixels.frame(pixels.states(images[row, column], digits.CELL))
        top = round((digits.TOP + row * digits.ROW) * digits.DENSITY)
        left = round((digits.LEFT + column * (digits.WIDTH - digits.LEFT) / 2) * digits.DENSITY)
        assert (shown[top : top + len(tile), left : left + tile.shape[1]] == tile).all()


@pytest.mark.parametrize("spins", [1, 3, 5])
def test_the_sum_is_that_of_the_kit(spins):
    draw = np.random.default_rng(spins)
    coupling = np.triu(draw.normal(0, 1, (spins, spins)), 1)
    coupling = coupling + coupling.T
    weight, bias, offset = pk.spins_to_binary(coupling, np.zeros(spins))
    expected = float(pk.exact.log_partition(pk.Ising(weight, bias)) + offset)
    assert abs(energies.log_partition(coupling) - expected) < 1e-4


def test_times_are_measured_for_every_size_and_drawn_with_their_continuation(drawn):
    times = energies.seconds([4, 6])
    assert list(times) == [4, 6]
    assert min(times.values()) > 0
    energies.figure(times)
    *_, ahead, measured = drawn[0].figure.axes[0].lines
    assert dict(zip(*measured.get_data(), strict=True)) == times
    assert (ahead.get_xdata()[0], ahead.get_xdata()[-1]) == (6, energies.MOST)
    np.testing.assert_allclose(ahead.get_ydata()[:3], times[6] * np.array([1, 2, 4]))
