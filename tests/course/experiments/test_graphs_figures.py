"""Figures 2 and 5: curves are means over the seeds that a method has, bands their standard errors."""

import numpy as np
import pytest

from pmp_kit.course import plot
from pmp_kit.course.experiments.graphs.figures import draw_curves, structured_figure, warm_figure

FIRST = {("lattice", m, x): {"rmse": x / 100, "log_mmd": -x} for m in ("PMP", "Gibbs") for x in (5, 10)}
SECOND = {("lattice", "PMP", x): {"rmse": x / 50, "log_mmd": -2.0 * x} for x in (5, 10)}


def test_curves_and_bands_with_unequal_seeds():
    axes = plot.Canvas(300, 200).axes(0.1, 0.1, 0.8, 0.8)
    draw_curves(axes, [FIRST, SECOND], "lattice", "rmse")
    pmp, gibbs = (np.asarray(line.get_ydata()) for line in axes.get_lines())
    np.testing.assert_allclose(pmp, [0.075, 0.15])
    np.testing.assert_allclose(gibbs, [0.05, 0.1])
    high, low = (np.ptp(band.get_paths()[0].vertices[:, 1]) for band in axes.collections)
    assert high == pytest.approx(0.15 + 0.05 - (0.075 - 0.025))  # errors: 0.05 at the right, 0.025 at the left
    assert low == pytest.approx(0.1 - 0.05)


def test_the_figure_has_both_numbers_and_the_references(drawn):
    beside = {"lattice": {"real data": {"log_mmd": -7.8}, "independent pixels": {"log_mmd": -7.0}}}
    structured_figure([FIRST, SECOND], beside, "sweeps")
    upper, lower = ([line.get_ydata() for line in axes.lines] for axes in drawn[0].figure.axes)
    np.testing.assert_allclose(upper, [[-7.5, -15], [-5, -10], [-7.8] * 2, [-7.0] * 2])
    np.testing.assert_allclose(lower, [[0.075, 0.15], [0.05, 0.1]])


def test_the_figure_of_persistent_pmp_has_a_curve_for_each_rho(drawn):
    warm = {(rho, sweeps): {"mmd": np.full(3, 9.0 * sweeps + (rho or 0)), "null": np.full(3, 0.5)}
            for rho in (None, 0.5, 0.9) for sweeps in (1, 5)}  # fmt: skip
    warm_figure(warm)
    curves = [line.get_ydata() for line in drawn[0].figure.axes[0].lines]
    np.testing.assert_allclose(curves, [[18, 90], [19, 91], [19.8, 91.8]])
