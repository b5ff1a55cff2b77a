"""Labels are moved apart, and no further than needed."""

import numpy as np
import pytest

from pmp_kit.course.plot import labels
from pmp_kit.course.plot.canvas import Canvas


def test_labels_that_do_not_touch_stay():
    np.testing.assert_array_equal(labels.apart([3.0, 0.0, 1.5], 1.0), [3.0, 0.0, 1.5])


def test_labels_that_touch_are_moved_down_in_their_order():
    np.testing.assert_allclose(labels.apart([1.0, 1.0, 1.2, -3.0], 0.5), [0.7, 0.2, 1.2, -3.0])


@pytest.mark.parametrize("heights", [[0.0, 0.1, 0.2], [9.0, 9.0, 9.0], [-9.0, -9.0, 0.0]])
def test_labels_stay_between_the_ends_of_the_axis(heights):
    moved = labels.apart(heights, 0.5, low=-1.0, high=1.0)
    assert -1.0 <= moved.min() < moved.max() <= 1.0
    assert np.diff(np.sort(moved)).min() >= 0.5 - 1e-12
    assert (np.argsort(-moved, kind="stable") == np.argsort(-np.array(heights), kind="stable")).all()


def test_of_the_labels_at_the_ends_of_curves_the_lowest_stays_and_the_others_move_up():
    axes = Canvas(300, 200).axes(0.1, 0.1, 0.5, 0.8)
    labels.label_ends(axes, [(0.9, "far", "k"), (0.12, "second", "k"), (0.1, "lowest", "k")], 10, gap=0.2)
    places = {text.get_text(): text.get_position()[1] for text in axes.texts}
    assert places == pytest.approx({"lowest": 0.1, "second": 0.3, "far": 0.9})
