"""The deconvolution studio shows what the traces hold."""

import numpy as np
import pytest
import reading

from pmp_kit.course import explore
from pmp_kit.course.experiments.deconvolution import drawing, traces
from pmp_kit.course.explore.deconvolution import compute
from pmp_kit.course.explore.picture.frame import unpack


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


def test_what_a_feature_draws_is_drawn_at_its_locations():
    state = compute.state(16, "0.01", "X only", 80, 40)
    w, s = state.beliefs >= 0, traces.locations(compute.tables()[1]["s"][compute.tables()[0][16, "0.01", "X only", 40]])
    for row in (0, 5, 20):
        assert (state.drawn[row] == drawing.draw(w[row], s[row])).all()
        for k in range(4):
            assert (state.covered[row, :, k] == drawing.draw(w[row][[k]], s[row][:, [k]])).all()


@pytest.mark.parametrize(("observed", "placed"), [("X only", False), ("X and S", True)])
def test_before_the_first_sweep_features_are_placed_only_where_places_are_given(observed, placed):
    assert compute.state(16, "0.01", observed, 0, 40).covered[0, 0].any() == placed


def test_the_page_counts_sweeps_and_opens_at_the_one_that_was_chosen():
    studio = explore.DeconvolutionStudio(sweeps=40)
    titles = [reading.read(studio).said[f"right/0/{k}"][0] for k in (0, 7)]
    assert titles == ["after 0 sweeps", f"after {7 * traces.EVERY} sweeps"]
    assert unpack(studio.picture.frame)["row"] * traces.EVERY == 40


def test_a_copy_of_a_feature_is_named_a_copy():
    studio = explore.DeconvolutionStudio(seed=40)
    assert studio.state.kinds[-1] == ("true shape", "copy of 1", "true shape", "true shape")
    assert "feature 2 is a copy of feature 1" in studio.says(studio.state)
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
