"""What all checks share: comparison with the right answer and with common mistakes."""

import numpy as np

from pmp_kit.course.exercises import verdict


def test_exchanged_rows_and_columns_without_a_listed_mistake():
    expected = np.arange(9.0).reshape(3, 3)
    assert "rows and columns are exchanged" in str(verdict.recognised(expected.T, expected, [], 1e-4))
