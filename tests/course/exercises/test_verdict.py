"""What all checks share: comparison with the right answer and with common mistakes."""

import numpy as np

from pmp_kit.course.exercises import cases, picture, verdict


def test_exchanged_rows_and_columns_without_a_listed_mistake():
    expected = np.arange(9.0).reshape(3, 3)
    assert "rows and columns are exchanged" in str(verdict.recognised(expected.T, expected, [], 1e-4))


def test_rounding_errors_are_written_as_0():
    tiny = np.array([1.0, -8.882e-16])
    assert verdict.difference(np.array([1.0, 2.5]), tiny).endswith("is 0, and the function returned 2.5.")
    assert verdict.difference(tiny, np.array([1.0, 2.5])).endswith("is 2.5, and the function returned 0.")
    assert cases.describe("two", (tiny,), ("x",)) == "two, x = [1, 0]"
    assert [picture.number(value) for value in (tiny[1], -0.0, 1e-9)] == ["0", "0", "1e−09"]


def test_numbers_that_differ_are_written_with_digits_that_differ():
    expected = np.array([2.0101, 1.0])
    words = verdict.difference(expected.astype(np.float16).astype(float), expected)
    assert words == "The right number at index (0,) is 2.0101, and the function returned 2.0098."
    assert verdict.difference(np.array(2.5), np.array(1 / 3)).endswith("is 0.3333, and the function returned 2.5.")
    assert "is 1, and the function returned 1.0000000000000002." in verdict.difference(1 + np.spacing(1.0), np.ones(()))
