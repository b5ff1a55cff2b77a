"""The exercise on the reduced linear program: the right one passes, and each usual mistake is named."""

import numpy as np
import pytest
from exercise_answers import program

from pmp_kit.course import exercises


def changed(**mistake):
    return lambda *arguments: program(*arguments, **mistake)


def column_of_limits(*arguments):
    objective, matrix, limits = program(*arguments)
    return objective, matrix, limits[:, None]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (program, "a quarter of the numbers"),
        (changed(share=1.0), "Take half"),
        (changed(sign=-1), "The sign is wrong"),
        (changed(order=-1), "p and then q"),
        (changed(share=0.25), "g: Entry 2 is"),
        (lambda w, b, pairs: program(w, 0 * b, pairs), "The biases are missing"),
        (changed(drop=[0]), "A, r: q_ij <= p_i is missing"),
        (changed(drop=[1]), "q_ij <= p_j is missing"),
        (changed(drop=[2]), "p_i + p_j - 1 <= q_ij is missing"),
        (changed(flip=[0]), "A, r: Row 0 forbids"),
        (lambda w, b, pairs: program(w, b, pairs)[:2], "Return g, A, r."),
        (lambda w, b, pairs: (b, *program(w, b, pairs)[1:]), "g: The check expected shape (4,)"),
        (
            lambda w, b, pairs: (program(w, b, pairs)[0], np.eye(3), np.ones(3)),
            "A: The check expected a column for each of the 4 numbers and a row for each entry of r",
        ),
        (column_of_limits, "r: The check expected one axis, a number for each row of A, and got shape (6, 1)."),
        (lambda w, b, pairs: 1 / 0, "raised ZeroDivisionError"),
        (lambda w, b, pairs: None, "returned nothing"),
    ],
)
def test_the_exercise_names_the_mistake(answer, says):
    verdict = exercises.check_reduced_program(answer)
    assert says in verdict.message
    assert verdict.passed == (says == "a quarter of the numbers")
