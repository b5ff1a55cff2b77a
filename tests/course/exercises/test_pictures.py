"""Every check draws the smallest case that fails, marks the wrong entries, and survives unusable answers."""

import base64
import copy
import re
from typing import Any

import numpy as np
import pytest
from exercise_answers import FUNCTIONS, OTHERS, ROW, setting
from slow_parameters import some

import pmp_kit as pk
from pmp_kit.course import exercises
from pmp_kit.course.exercises import cases, grids, picture, spins, verdict

COSTLY = {"check_better_match", "check_better_samples", "check_sudoku"}
LIMIT = 40_000  # bytes
TWO_PANELS = grids.Cells, spins.Spins


def check(name, answer) -> Any:
    """Return the verdict of a check on an answer. Its picture is not None where a test looks at it."""
    return getattr(exercises, name)(answer) if name in FUNCTIONS else answer()


def frames(painted):
    """Return the number of red frames in each panel of a picture."""
    red = tuple(int(painted_colour) for painted_colour in bytes.fromhex(picture.WRONG[1:]))
    found = []
    for axes in painted.figure.axes:
        edges = [tuple(round(255 * part) for part in patch.get_edgecolor()[:3]) for patch in axes.patches]
        points = [len(line.get_xdata()) for line in axes.lines if line.get_markeredgecolor() == picture.WRONG]
        found.append(edges.count(red) + sum(points))
    return found


def test_the_registry_is_complete():
    checks = {name for name in exercises.__all__ if name.startswith("check_")}
    assert checks == {*FUNCTIONS, *OTHERS}, "give each check one row in tests/helpers/exercise_answers.py"


@pytest.mark.parametrize("name", some([*FUNCTIONS, *OTHERS], {*FUNCTIONS, *OTHERS} - COSTLY))
def test_a_wrong_answer_is_marked_and_a_right_one_is_plotted(name):
    answer = (FUNCTIONS | OTHERS)[name]
    passed, failed = check(name, answer.right), check(name, answer.wrong)
    assert passed, passed.message
    assert name in OTHERS or not passed.picture.wrong.any()
    assert not failed
    assert np.argwhere(failed.picture.wrong).tolist() == answer.marks
    assert answer.title in failed.picture.title
    assert failed.picture.title != passed.picture.title or not np.array_equal(
        failed.picture.given, passed.picture.given
    )
    for shown in (passed, failed):
        (data,) = re.findall(r'<img .*?base64,([^"]*)" alt=".*Indices that differ', shown._repr_html_())
        assert len(base64.b64decode(data)) < LIMIT
        if not isinstance(shown.picture, grids.Tiles):
            count = int(shown.picture.wrong.sum())
            assert frames(shown.picture.paint()) == ([count, 0] if isinstance(shown.picture, TWO_PANELS) else [count])


def changed_in_place(function):
    def answer(*arguments):
        result = function(*copy.deepcopy(arguments))
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                argument[...] = argument + 1
        return result

    return answer


def same(value):
    return lambda *_: value


HOSTILE = {
    "nothing": same(None),
    "not a number": same(np.nan),
    "text": same("text"),
    "complex": same(1j),
    "a huge array": same(np.broadcast_to(np.int8(1), (10**6, 10**6))),
    "a huge number": same(10**400),
    "objects": same(np.array([None, {}], object)),
    "uneven rows": same([[1.0], [1.0, 2.0]]),
    "a generator": lambda *_: (k for k in range(3)),
    "an exception": lambda *_: 1 / 0,
    "too few arguments": lambda: 1,
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("name", ["check_update", "check_mmd", "check_learn"])
def test_unusable_results_get_a_sentence(name, kind):
    """Of a check of several arrays, of one number, and of samples: all checks of functions share one driver."""
    found = check(name, HOSTILE[kind])
    assert not found
    assert found.picture or "The input was: " in found.message
    assert found.message.endswith(".")
    assert len(found._repr_html_()) < 4 / 3 * LIMIT + 2000


def test_a_function_that_changes_its_input_is_told_so():
    found = check("check_update", changed_in_place(FUNCTIONS["check_update"].right))
    assert "changes its argument number 1 in place" in found.message
    assert check("check_update", FUNCTIONS["check_update"].right), "the check must work on copies"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_missing_function_is_told_so(name):
    assert "expected a function and got int" in check(name, 3).message


@pytest.mark.parametrize("bad", [None, np.nan, "text", np.zeros(3)], ids=["nothing", "nan", "text", "array"])
def test_unusable_choices_get_a_sentence(bad: Any):
    for found in (
        setting(sweeps=bad),
        setting(damping=bad),
        setting(perturbation=bad),
        setting(because=bad),
        setting(digit=np.zeros(3) if bad is None else bad),
        exercises.check_better_match(bad, pk.PMP()),
        exercises.check_better_match(0.3, bad),
        exercises.check_better_samples(bad),
        exercises.check_collapse(bad, 100),
        exercises.check_collapse("PMP", bad),
        exercises.check_enough_sweeps(bad, ROW),
        exercises.check_sudoku(bad),
    ):
        assert not found
        assert found.message[0].isupper()
        assert len(found.message) < 300
        assert found.message.rstrip().endswith(".")


# --- the choice of the case and of the explanation

HALF = cases.Case("one", (np.array([2.0]),), np.array([1.0]))
LAST = cases.Case("two", (np.array([2.0, 3.0]),), np.array([1.0, 1.5]), [verdict.Mistake(np.zeros(2), "Zero.")])


def judged(function) -> Any:
    return cases.judge(function, [HALF, LAST], ["x"], picture.Bars, praise="Yes.")


def test_the_picture_is_of_the_first_case_and_the_explanation_of_the_last():
    found = judged(np.zeros_like)
    assert found.message == "Zero."
    assert found.picture.title == "The smallest case that fails: one, x = [2]."
    assert judged(lambda x: x / 2).picture.given.tolist() == [1.0, 1.5]
