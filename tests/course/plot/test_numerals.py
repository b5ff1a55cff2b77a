"""The digits that pictures are written with."""

import numpy as np
import pytest

from pmp_kit.course import plot
from pmp_kit.course.plot import numerals


def test_digits_are_pasted_where_they_are_asked_for():
    sheet = np.full((60, 120, 3), 255, np.uint8)
    numerals.paste(sheet, "-1.25", 100, 30, align=1.0)
    rows, columns = np.nonzero(sheet[..., 0] < 128)
    assert 85 < columns.max() <= 100
    assert abs((rows.min() + rows.max()) / 2 - 30) < 4
    with pytest.raises(ValueError, match=r"got \['a'\]"):
        numerals.ink("a")


def test_digits_are_pasted_in_colour():
    sheet, blue = np.full((40, 120, 3), 255, np.uint8), plot.rgb("#0072B2")
    numerals.paste(sheet, "+1 ± 2", 5, 20, colour=blue)
    assert (sheet == blue).all(-1).sum() > 20
    assert (sheet >= blue).all()
