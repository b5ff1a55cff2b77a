"""Parameters of costly tests: `make test` runs the test on some values, `make test-all` on all."""

from collections.abc import Collection, Iterable

import pytest


def some(values: Iterable, quick: Collection, mark=pytest.mark.slow) -> list:
    """Return all values as parameters. Those that are not in `quick` are marked."""
    values = list(values)
    assert all(one in values for one in quick)
    return [pytest.param(value, marks=() if value in quick else mark) for value in values]
