"""A reader's sampler: results arrive one by one, it can be stopped, and errors are sentences."""

import html
import threading

import numpy as np
import pytest

from pmp_kit.course.explore.student import Part, Student

PARTS = [Part(np.array([[1.0, -1.0], [-2.0, 3.0]]), np.zeros((2, 2)), sweeps, 0.5) for sweeps in range(4)]


def signs(unaries, weight, num_sweeps, damping):
    """A sampler of independent variables."""
    return unaries > 0


def made(function):
    changes = []
    student = Student(function, lambda: changes.append(1))
    return student, changes


def test_the_results_are_those_of_the_function():
    student, changes = made(signs)
    assert len(student.ask("one", lambda: PARTS)) <= 4
    student.join()
    results = student.ask("one", lambda: PARTS)
    assert [result.tolist() for result in results] == [[[1, 0], [0, 1]]] * 4
    assert len(changes) == 4
    assert "4 of 4 calls done" in student._line.value
    assert student._button.disabled


def test_stop_ends_the_work_after_the_current_call():
    begun, go_on = threading.Event(), threading.Event()

    def slow(unaries, weight, num_sweeps, damping):
        begun.set()
        go_on.wait(10)
        return unaries > 0

    student, _ = made(slow)
    student.ask("one", lambda: PARTS)
    begun.wait(10)
    student._button.click()
    go_on.set()
    student.join()
    assert len(student.ask("one", lambda: PARTS)) == 1


def test_two_questions_never_run_the_function_at_the_same_time():
    inside, begun, second, go_on = [], threading.Event(), threading.Event(), threading.Event()

    def slow(unaries, weight, num_sweeps, damping):
        inside.append(1)
        (second if len(inside) > 1 else begun).set()
        go_on.wait(10)
        inside.pop()
        return unaries > 0

    student, _ = made(slow)
    student.ask("one", lambda: PARTS)
    begun.wait(10)
    student.ask("two", lambda: PARTS)
    assert not second.wait(0.2)
    go_on.set()
    student.join()
    assert len(student.ask("two", lambda: PARTS)) == 4


def fails(unaries, weight, num_sweeps, damping):
    states = unaries > 0
    return states @ unaries[:, :1]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (fails, "ValueError in line 3, `return states @ unaries[:, :1]`"),
        (lambda unaries, *rest: unaries[0] > 0, r"expected states of shape (2, 2), got (2,)"),
        (lambda unaries, *rest: np.sign(unaries), "expected states 0 and 1, got -1.0"),
    ],
)
def test_errors_are_sentences(function, said):
    parts = [Part(np.ones((3, 2)), np.zeros((2, 2)), 1, 0.5)] if function is fails else PARTS
    student, _ = made(function)
    student.ask("one", lambda: parts)
    student.join()
    assert said in student.error
    assert html.unescape(student._line.value) == student.error
    assert student.ask("one", lambda: parts) == []


def test_what_is_no_function_is_refused():
    with pytest.raises(TypeError, match=r"sampler: expected a function of .*got ndarray; pass its name"):
        Student(np.zeros(3), print)


def test_a_function_that_changes_its_arguments_gets_copies():
    """All parts have arrays of the explorer, so later calls and the scores that are shown used the changed numbers."""

    def in_place(unaries, weight, num_sweeps, damping):
        states = unaries > 0
        unaries += 1.0
        weight *= 0.0
        return states

    before = [part.unaries.copy() for part in PARTS]
    student, _ = made(in_place)
    student.ask("one", lambda: PARTS)
    student.join()
    assert [result.tolist() for result in student.ask("one", lambda: PARTS)] == [[[1, 0], [0, 1]]] * 4
    assert all(np.array_equal(part.unaries, old) for part, old in zip(PARTS, before, strict=True))
