"""The errors of the checks: what method, what was expected, what came, what to do."""

from typing import Any

import jax

from ..engine.checks import described


def expect(right: bool, method: str, expected: str, got: str, advice: str = "") -> None:
    """Raise AssertionError with these texts unless something is right."""
    if not right:
        raise AssertionError(f"{method}: expected {expected}, got {got}" + (f"; {advice}" if advice else ""))


def expect_form(method: str, got: Any, wanted: Any) -> None:
    """Raise AssertionError unless a pytree has the structure of another one, and arrays of its shapes and types."""
    same = jax.tree.structure(got) == jax.tree.structure(wanted) and described(got) == described(wanted)
    expect(same, method, described(wanted), described(got))
