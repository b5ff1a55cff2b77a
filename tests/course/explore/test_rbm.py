"""RBM studio: stored samples where nothing is painted, live ones that keep what is."""

import io

import ipywidgets as widgets
import jax
import numpy as np
import pytest
from PIL import Image

import pmp_kit as pk
from pmp_kit.course import explore, plot
from pmp_kit.course.experiments.rbm import figures as rbm_figures
from pmp_kit.course.experiments.rbm import learn as restricted
from pmp_kit.course.experiments.rbm import samples as restricted_samples
from pmp_kit.course.explore.picture.painted import written
from pmp_kit.course.explore.rbm.compute import MOST_SWEEPS, SIDE
from pmp_kit.course.explore.shared import strokes
from pmp_kit.course.plot import labels, pixels


@pytest.fixture(scope="module")
def studio():
    return explore.RBMStudio()


def test_without_paint_it_shows_stored_samples(studio):
    stored = restricted_samples.load()
    state = studio.compute(studio.params | {"weights": "PCD-1", "seed": 1, "sweeps": 20})
    row = restricted.METHODS.index("PCD-1"), stored["sweeps"].tolist().index(20)
    assert (state.images == stored["images"][row][25:50]).all()
    assert (state.shares == stored["shares"][row]).all()
    assert (state.digits == restricted_samples.digits(state.images)).all()
    assert not state.painted


def test_the_most_frequent_digit_is_said_with_its_share_and_empty_images_are_named(studio):
    """The top class may have a fourth of the completions, and empty images are read as a digit, too."""
    painted = written(strokes.pen("a bar on top", SIDE))
    state = studio.compute(studio.params | {"weights": "PMP", "painted": painted, "seed": 0, "sweeps": 20})
    assert state.shares.max() < 0.5
    assert (state.shares == [(state.digits == digit).mean() for digit in range(10)]).all()
    words = f"most often read as {state.shares.argmax()} ({100 * state.shares.max():.0f} %)"
    assert studio.says(state).endswith(words)
    empty = state._replace(images=np.zeros_like(state.images))
    assert studio.says(empty).endswith(f"{words} · an empty image is read as a digit, too")


@pytest.mark.parametrize("method", ["PMP", "PCD-100"])
def test_completions_are_samples_of_the_kit_that_keep_the_paint(studio, method):
    evidence = strokes.pen("a ring above", SIDE)
    settings = {"weights": method, "painted": written(evidence), "seed": 2, "sweeps": 2000}
    state = studio.compute(studio.params | settings)
    assert state.used == MOST_SWEEPS[method]
    painted = evidence != pk.FREE
    assert (state.images[:, painted] == evidence[painted]).all()
    model = pk.pretrained(restricted.WEIGHTS[method])
    settings = {"num_samples": 25, "num_sweeps": state.used, "evidence": {"v": evidence}}
    expected = pk.sample(jax.random.key(2), model, restricted.sampler(method), **settings)["v"]
    assert (state.images == expected).all()
    assert "more would be too slow to draw live" in studio.says(state)


def test_evidence_comes_with_its_name_and_can_be_painted_over(studio):
    studio.controls["evidence"].value = "a stroke down"
    assert (studio.state.evidence == strokes.pen("a stroke down", SIDE)).all()
    studio.inputs["painted"].value = ["1" * SIDE] * SIDE
    assert (studio.state.images == 1).all()
    studio.controls["evidence"].value = "nothing"
    assert not studio.state.painted


@pytest.mark.parametrize("name", strokes.PENS[1:])
def test_a_stroke_is_a_pen_wide(name):
    ink = strokes.pen(name, SIDE) == 1
    assert 4 < ink.sum() < 25
    assert (strokes.pen(name, SIDE) == pk.FREE).mean() > 0.5


def test_a_gallery_shows_each_sheet_at_its_place():
    images = np.random.default_rng(0).integers(0, 2, (4, 25, 14, 14))
    figure = rbm_figures.gallery({"a": dict(zip("xy", images[:2], strict=True)), "b": {"x": images[2], "y": images[3]}})
    with Image.open(io.BytesIO(figure.data)) as image:
        shown = np.asarray(image)
    sheets = [pixels.sheet(each, 2, 5, rbm_figures.GAP) for each in images]
    high, wide, _ = sheets[0].shape
    places = [(row, column) for row in (42, 42 + high + 36) for column in (200, 200 + wide + 24)]
    for (row, column), sheet in zip(places, sheets, strict=True):
        part = shown[row : row + high, column : column + wide]
        assert (part == sheet[: part.shape[0], : part.shape[1]]).all()
        assert part.shape[0] > 0.9 * high


def test_curves_show_the_mmd_of_each_method():
    table, axes = restricted_samples.load(), plot.Canvas(400, 300).axes(0.1, 0.1, 0.5, 0.8)
    rbm_figures.curves(axes, table, scale=0)
    for rows, line in zip(table["u"][..., 0], axes.lines, strict=False):
        np.testing.assert_array_equal(line.get_xdata(), table["sweeps"])
        np.testing.assert_allclose(line.get_ydata(), np.maximum(rows, 1e-4))
    names = {text.get_text() for text in axes.texts}
    assert names == {*restricted.METHODS, "pixels alone", "real digits"}


def test_labels_of_curves_do_not_touch():
    axes = plot.Canvas(300, 200).axes(0.1, 0.1, 0.5, 0.8)
    axes.set(yscale="log", ylim=(1e-3, 1))
    labels.label_ends(axes, [(0.1, "a", "k"), (0.1, "b", "k"), (0.1001, "c", "k"), (0.9, "d", "k")], 10)
    places = np.sort([text.get_position()[1] for text in axes.texts])
    assert np.diff(places).min() > 0.1


def test_a_player_moves_the_sweeps_from_where_they_are(studio):
    (player,) = [part for part in studio.column.children if isinstance(part, widgets.Play)]
    control = studio.controls["sweeps"]
    assert (player.value, player.max) == (control.index, len(control.options) - 1)
    assert studio.loose[0].target == (control, "index")
