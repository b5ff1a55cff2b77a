"""The deconvolution studio shows what the traces hold; its exercise tells what is wrong."""

import numpy as np
import pytest

from pmp_kit.course import exercises
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


def test_colours_say_what_is_drawn():
    state, x = compute.state(4, "0.01", "X only", 80, 40), traces.problem()[2]
    clip = paint.picture(state)
    top, left = paint.IMAGES_AT, paint.GAP
    assert {paint.INK, paint.WRONG, paint.MISSED} <= set(np.unique(clip.images))
    for row in (0, 10, 20):
        cells = clip.images[row, top : top + 50 : 5, left : left + 50 : 5]
        for entry, wanted in ((paint.INK, x[0] & state.drawn[row, 0]), (paint.WRONG, ~x[0] & state.drawn[row, 0])):
            assert ((cells == entry) == wanted).all()
        assert ((cells == paint.MISSED) == (x[0] & ~state.drawn[row, 0])).all()
    shades = clip.images[20, paint.FEATURES_AT : paint.FEATURES_AT + 88 : 22, left : left + 88 : 22]
    assert ((shades >= paint.BELIEFS + paint.SHADES // 2) == (state.beliefs[20, 0] >= 0)).all()


def solution(w, s):
    complete = drawing.draw(w, s)
    without = [drawing.draw(np.delete(w, k, 0), np.delete(s, k, 1)) for k in range(len(w))]
    return np.argmin([(complete != part).sum() for part in without])


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda w, s: s.sum((0, 2, 3)).argmin(), "empty"),
        (lambda w, s: w.sum((1, 2)).argmin(), "never used"),
        (lambda w, s: (w.sum((1, 2)) * s.sum((0, 2, 3))).argmin(), "copy"),
        (lambda w, s: None, "returned nothing"),
        (lambda w, s: 7, "index of a feature"),
        (lambda w, s: w[9], "IndexError"),
        (3, "expected a function"),
    ],
)
def test_the_check_says_what_is_wrong(answer, says):
    verdict = exercises.check_spare_feature(answer)
    assert not verdict
    assert says in verdict.message


def test_the_solution_passes():
    assert exercises.check_spare_feature(solution)
