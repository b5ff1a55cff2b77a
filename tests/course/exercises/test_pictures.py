"""Every check draws the smallest case that fails, marks the wrong entries, and survives every kind of answer."""

import base64
import copy
import re
from typing import Any

import numpy as np
import pytest
from exercise_answers import FUNCTIONS, OTHERS, ROW, setting, sudoku
from slow_parameters import some

import pmp_kit as pk
from pmp_kit.course import exercises
from pmp_kit.course.exercises import cases, grids, picture, spins, verdict

COSTLY = {"check_better_match", "check_sudoku"}
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


APPROXIMATE = {"check_learn": 0.1}
"""Checks of samples, with the error that they accept."""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_right_numbers_are_plotted_and_wrong_ones_differ_from_the_truth(name):
    answer = FUNCTIONS[name]
    passed, failed = check(name, answer.right).picture, check(name, answer.wrong).picture
    assert not passed.wrong.any()
    np.testing.assert_allclose(passed.given, passed.expected, rtol=1e-4, atol=APPROXIMATE.get(name, 1e-6))
    if name in APPROXIMATE:
        return
    if name != "check_redundant_feature":
        differs = ~np.isclose(failed.given, failed.expected, rtol=1e-4)
        assert np.argwhere(differs).tolist() == answer.marks


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
    "dots": same(...),
    "nothing": same(None),
    "not a number": same(np.nan),
    "infinite": same(-np.inf),
    "text": same("text"),
    "complex": same(1j),
    "a huge array": same(np.broadcast_to(np.int8(1), (10**6, 10**6))),
    "a huge number": same(10**400),
    "the largest float": same(np.finfo(float).max),
    "objects": same(np.array([None, {}], object)),
    "uneven rows": same([[1.0], [1.0, 2.0]]),
    "a set": same({1, 2}),
    "a generator": lambda *_: (k for k in range(3)),
    "itself": lambda *arguments: same,
    "an exception": lambda *_: 1 / 0,
    "too few arguments": lambda: 1,
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_unusable_results_get_a_sentence(name, kind):
    found = check(name, HOSTILE[kind])
    assert not found
    assert found.picture or "The input was: " in found.message
    assert found.message[0].isupper() or found.message.startswith(("c:", "W1:"))
    assert found.message.endswith(".")
    assert len(found._repr_html_()) < 4 / 3 * LIMIT + 2000


SHAPES = [np.nan, np.inf, -np.inf, np.finfo(float).max, -np.finfo(float).max, 1e-320]


@pytest.mark.parametrize("value", SHAPES)
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "check_redundant_feature"])
def test_extreme_numbers_of_the_right_shape_are_drawn_or_named(name, value):
    def answer(*arguments):
        result = FUNCTIONS[name].right(*arguments)
        many = isinstance(result, tuple)
        return (
            tuple(np.full_like(part, value, float) for part in result) if many else np.full_like(result, value, float)
        )

    found = check(name, answer)
    assert not found
    assert found.message
    assert len(found._repr_html_()) < 4 / 3 * LIMIT + 2000


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in ("check_bound_shift", "check_sweep_limit")])
def test_a_function_that_changes_its_input_is_told_so(name):
    found = check(name, changed_in_place(FUNCTIONS[name].right))
    assert "changes its argument number 1 in place" in found.message
    assert check(name, FUNCTIONS[name].right), "the check must work on copies"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_missing_function_is_told_so(name):
    assert "expected a function and got int" in check(name, 3).message


@pytest.mark.parametrize(
    "bad", [None, ..., np.nan, np.inf, -1e300, 10**400, "text", 1j, np.zeros(3), [1], {}, np.zeros(0)]
)
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


def test_a_sudoku_that_is_forbidden_is_marked_as_a_whole():
    found = sudoku(np.arange(64).reshape(16, 4)[:, ::2].reshape(-1, 2))
    assert "too strict" in found.message
    assert found.picture.wrong.all()
    np.testing.assert_array_equal(found.picture.given, found.picture.expected)


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


def test_a_case_that_alone_fails_is_explained_alone():
    found = judged(lambda x: x / 2 if len(x) > 1 else -x / 2)
    assert found.message == "The result is right up to the sign."
    later = judged(lambda x: x / 2 if len(x) == 1 else x * [1.0, 7.0])
    assert later.picture.wrong.tolist() == [True, True]
    assert later.message.startswith("The right number at index (1,) is 1.5")


def test_an_exception_names_the_input_and_keeps_the_explanation():
    def answer(x):
        return np.zeros(2) if len(x) > 1 else 1 / 0

    assert judged(answer).message == (
        "Zero. The function raised ZeroDivisionError: division by zero. The input was: one, x = [2]."
    )
    assert judged(lambda x: x / 2 if len(x) > 1 else 1 / 0).message.startswith("The function raised")


def test_only_short_inputs_are_written_out():
    assert cases.describe("many", [np.zeros(17)], ["x"]) == "many"
    assert cases.describe("few", [np.array([[0.5, -0.25]]), 3], ["x", "k"]) == "few, x = [[0.5, -0.25]], k = 3"
    assert cases.describe("n = 2", [2], ["n"]) == "n = 2"


def test_numbers_are_short():
    written = [picture.number(value) for value in (0.12345, 0.0123, 0.00888, -0.0, -np.inf, np.nan, 5e8)]
    assert written == ["0.123", "0.012", "0.009", "0", "−∞", "nan", "5e8"]
    assert [picture.number(value) for value in np.array([0, 12])] == ["", "12"]
