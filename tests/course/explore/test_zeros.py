"""Page 08: the completions of the brush keep what is painted, and the figures show the results."""

import io

import jax
import numpy as np
import pytest
from exercise_answers import ROW
from explorers import EXPLORERS
from PIL import Image

import pmp_kit as pk
from pmp_kit.course.experiments.zeros import figures as zeros_figures
from pmp_kit.course.explore.picture.painted import written
from pmp_kit.course.explore.shared import strokes
from pmp_kit.course.plot import pixels


@pytest.fixture(scope="module")
def brush():
    return EXPLORERS["zeros"].make_small()


def test_completions_keep_the_strokes_and_are_the_samples_of_the_kit(brush):
    painted = np.random.default_rng(1).choice([pk.FREE, 0, 1], (6, 6)).astype(np.int32)
    brush.inputs["painted"].value = written(painted)
    state = brush.state
    known = painted >= 0
    assert (state.completions[:, known] == painted[known]).all()
    expected = pk.sample(
        jax.random.key(0),
        brush._graph,
        pk.PMP(keep_best=False, tolerance=0.0),
        num_samples=len(state.completions),
        num_sweeps=state.sweeps,
        evidence={"x": painted},
    )
    np.testing.assert_array_equal(state.completions, expected["x"])
    np.testing.assert_allclose(state.share, state.completions.mean(0))


def test_another_stroke_replaces_what_is_painted(brush):
    brush.inputs["painted"].value = ["111111"] * 6
    assert (brush.state.completions == 1).all()
    brush.controls["stroke"].value = "nothing"
    assert (brush.state.evidence == pk.FREE).all()
    brush.controls["stroke"].value = "roof"
    assert (brush.state.evidence == 1).sum() == 2


def test_a_stroke_is_a_line_without_gaps():
    on = np.argwhere(strokes.line("slanted", (30, 30)) == 1)
    assert [tuple(on[0]), tuple(on[-1])] == [(9, 13), (21, 7)]
    assert np.abs(np.diff(on, axis=0)).max() <= 1


def test_the_figure_of_quality_shows_means_over_seeds(drawn):
    rows = {"log MMD^2": np.linspace(-4, -6, 5), "seconds a sweep": 1e-4} | ROW
    line = {"log MMD^2": -7.0, "kept out": np.array([1e-4, 1e-3, 1e-3])}
    better = rows | {"log MMD^2": rows["log MMD^2"] - 1}
    zeros_figures.quality({"PMP": [rows, better], "Gibbs, reset": [rows]}, line, line)
    authors, honest, against_time = drawn[0].figure.axes
    np.testing.assert_allclose(authors.lines[0].get_ydata(), rows["log MMD^2"] - 0.5)
    np.testing.assert_allclose(authors.lines[1].get_ydata(), rows["log MMD^2"])
    np.testing.assert_allclose(honest.lines[1].get_ydata(), 1000 * ROW["kept out"][:, 1])
    np.testing.assert_allclose(against_time.lines[1].get_xdata(), 1000 * np.array([5, 10, 25, 50, 100]) * 1e-4)


def test_values_below_an_axis_are_cut_after_the_mean_over_seeds(drawn):
    """A U-statistic can be negative. Cut before, the mean of these two seeds would be too large."""
    low = {"log MMD^2": np.full(5, -6.0), "seconds a sweep": 1e-4} | ROW | {"kept out": np.full((5, 3), -0.001)}
    high = low | {"kept out": np.full((5, 3), 0.004)}
    line = {name: ROW[name][0] for name in ("kept out", "null")}
    zeros_figures.quality({"PMP": [low, high], "Gibbs, reset": [low]}, *[line | {"log MMD^2": -7.0}] * 2)
    for axes in drawn[0].figure.axes[1:]:
        assert axes.lines[0].get_ydata() == pytest.approx([1.5] * 5)
        assert axes.lines[1].get_ydata() == pytest.approx([zeros_figures.LEAST] * 5)
        assert axes.collections[0].get_paths()[0].vertices[:, 1].max() == pytest.approx(4.0)


def test_the_figure_of_samples_shows_them_in_rows():
    images = np.random.default_rng(0).integers(0, 2, (2, 12, 5, 5))
    figure = zeros_figures.samples({"data": images[0], "PMP": images[1]})
    with Image.open(io.BytesIO(figure.data)) as image:
        shown = np.asarray(image)
    for row, each in enumerate(images):
        sheet = pixels.sheet(each, zeros_figures.SIDE // 5, 12, zeros_figures.GAP)
        top, left = row * (sheet.shape[0] + zeros_figures.GAP), zeros_figures.NAME
        assert (shown[top : top + sheet.shape[0], left : left + sheet.shape[1]] == sheet).all()
