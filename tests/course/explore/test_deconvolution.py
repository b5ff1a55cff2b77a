"""The deconvolution studio shows what the traces hold."""

import numpy as np
import pytest

from pmp_kit.course import explore
from pmp_kit.course.experiments.deconvolution import drawing, traces
from pmp_kit.course.explore.deconvolution import compute, paint


def test_the_state_is_that_of_the_trace():
    state = compute.state(16, "0.01", "X and W", 80, 40)
    w, _, x = traces.problem()
    assert ((state.beliefs[-1] >= 0) == w).all()
    assert state.recovered == 3
    assert state.right[-1] == pytest.approx((state.drawn[-1] == x).mean())
    assert state.right[-1] > state.right[0]


def test_images_that_are_not_given_do_not_count():
    state = compute.state(1, "0.01", "X only", 80, 41)
    x = traces.problem()[2]
    assert state.right[-1] == pytest.approx((state.drawn[-1][:1] == x[:1]).mean())


@pytest.mark.parametrize("images", [1, 4, 16])
def test_the_locations_are_counted_in_the_given_images(images):
    found = compute.state(images, "0.01", "X only", 80, 41).locations
    bits = np.unpackbits(traces.load()["s"][traces.settings().index((images, "0.01", "X only", 41))][-1])
    each = bits[: 16 * 4 * 7 * 7].reshape(16, -1).sum(1)
    assert found == each[:images].sum()
    assert images == 16 or found < each.sum()


def test_colours_say_what_is_drawn():
    state, x = compute.state(4, "0.01", "X only", 80, 40), traces.problem()[2]
    clip = paint.picture(state)
    top, left = paint.IMAGES_AT, paint.GAP
    assert {paint.INK, paint.WRONG, paint.MISSED} <= set(np.unique(clip.images))
    for row in (0, 10, 20):
        cells = clip.images[row, top :: paint.PIXEL, left :: paint.PIXEL][:10, :10]
        for entry, wanted in ((paint.INK, x[0] & state.drawn[row, 0]), (paint.WRONG, ~x[0] & state.drawn[row, 0])):
            assert ((cells == entry) == wanted).all()
        assert ((cells == paint.MISSED) == (x[0] & ~state.drawn[row, 0])).all()
    shades = clip.images[20, paint.FEATURES_AT :: paint.CELL, left :: paint.CELL][:4, :4]
    assert ((shades >= paint.BELIEFS + paint.SHADES // 2) == (state.beliefs[20, 0] >= 0)).all()


def test_each_feature_is_outlined_where_it_is_placed():
    """On the first image, in its own colour: on ink that it draws, at the edges of that ink, and nowhere else."""
    state = compute.state(16, "0.01", "X only", 80, 40)
    w, s = state.beliefs >= 0, traces.locations(compute.tables()[1]["s"][compute.tables()[0][16, "0.01", "X only", 40]])
    for row in (0, 5, 20):
        assert (state.drawn[row] == drawing.draw(w[row], s[row])).all()
        for k in range(4):
            assert (state.covered[row, :, k] == drawing.draw(w[row][[k]], s[row][:, [k]])).all()
    side, clip = 10 * paint.LARGE, paint.picture(state)
    top, left = paint.FEATURES_AT, paint.LARGE_AT
    image = clip.images[-1, top : top + side, left : left + side]
    for k in range(4):
        mine = image == paint.FEATURE + k
        cells = mine.reshape(10, paint.LARGE, 10, paint.LARGE).any((1, 3))
        assert cells.any()
        assert not (cells & ~state.covered[-1, 0, k]).any()
        frame = clip.images[-1, top - 1, paint.GAP + k * paint.PITCH]
        assert frame == paint.FEATURE + k
    alone = state.covered[-1, 0].sum(0) == 1
    inner = image.reshape(10, paint.LARGE, 10, paint.LARGE)[:, paint.LARGE // 2, :, paint.LARGE // 2]
    assert (inner[alone] == paint.INK).any()
    colours = clip.palettes[0, paint.FEATURE : paint.FEATURE + 4]
    assert len(np.unique(colours, axis=0)) == 4


def test_the_frames_have_few_pixels():
    """All are drawn, packed and unpacked for each move of a control: 14 million pixels took longer than its limit."""
    assert paint.picture(compute.state(16, "0.01", "X only", 80, 40)).images.size < 8_000_000


@pytest.mark.parametrize(("observed", "placed"), [("X only", False), ("X and S", True)])
def test_before_the_first_sweep_the_picture_says_that_no_feature_is_placed(observed, placed):
    state = compute.state(16, "0.01", observed, 0, 40)
    assert state.covered[0, 0].any() == placed
    below = paint.picture(state).images[0, paint.FEATURES_AT + paint.SIDE + 2 : paint.IMAGES_AT - 2, paint.LARGE_AT :]
    assert (below != 0).any() != placed


def test_a_copy_of_a_feature_is_named_a_copy():
    studio = explore.DeconvolutionStudio(seed=40)
    assert studio.state.kinds[-1] == ("true shape", "copy of 1", "true shape", "true shape")
    assert "feature 2 is a copy of feature 1" in studio.describe(studio.state)
    shape = np.zeros((4, 4), bool)
    shape[:2, :3], shape[0, 0] = True, False
    moved, other, empty = np.roll(shape, 1, 0), shape.T, np.zeros((4, 4), bool)
    assert compute.kinds(np.array([empty, shape, moved, empty]), other[None]) == (
        "empty",
        "no shape",
        "copy of 2",
        "empty",
    )
    assert compute.kinds(np.array([other, shape, shape, moved]), shape[None])[1:] == (
        "true shape",
        "copy of 2",
        "copy of 2",
    )
    before, kinds = studio.picture.clip.images, studio.state.kinds[:-1]
    other = paint.picture(studio.state._replace(kinds=(*kinds, ("empty",) * 4))).images
    assert (other[:-1] == before[:-1]).all()
    changed = np.argwhere(other[-1] != before[-1])
    assert len(changed) > 20
    assert (changed[:, 0] < paint.FEATURES_AT).all(), "the names stand above the features"
