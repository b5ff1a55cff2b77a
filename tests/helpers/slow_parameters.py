"""Parameters of costly tests: `make test` runs the test on some values, `make test-all` on all."""

from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest


def some(values: Iterable, quick: Collection[str], mark=pytest.mark.slow, name: Callable[[Any], str] = str) -> list:
    """Return all values as parameters with their names as ids. Those whose names are not in `quick` are marked."""
    named = [(name(value), value) for value in values]
    assert set(quick) <= {key for key, _ in named}
    return [pytest.param(value, id=key, marks=() if key in quick else mark) for key, value in named]
