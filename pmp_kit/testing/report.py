"""The errors of the checks: what method, what was expected, what came, what to do."""

from typing import Any, NoReturn

import jax

from ..engine.checks import described

ROUNDING = 64.0
"""The error that is allowed, in units of the rounding error of the largest number."""


def fail(method: str, expected: str, got: str, advice: str = "") -> NoReturn:
    """Raise AssertionError with these texts."""
    raise AssertionError(f"{method}: expected {expected}, got {got}" + (f"; {advice}" if advice else ""))


def expect(right: bool, method: str, expected: str, got: str, advice: str = "") -> None:
    """Raise AssertionError with these texts unless something is right."""
    if not right:
        fail(method, expected, got, advice)


def expect_form(method: str, got: Any, wanted: Any, advice: str = "") -> None:
    """Raise AssertionError unless a pytree has the structure of another one, and arrays of its shapes and types."""
    same = jax.tree.structure(got) == jax.tree.structure(wanted) and described(got) == described(wanted)
    expect(same, method, described(wanted), described(got), advice)
