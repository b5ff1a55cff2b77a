"""The check of states that users pass as evidence, data or configurations."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from .planes import FREE
from .traced import is_traced

MISSING = {"None", "nan", "NaN", "NaT", "<NA>"}
"""How missing values of NumPy, pandas and Python are written."""


def checked_states(label: str, part: Any, states: int, evidence: bool) -> Any:
    """Return states or FREE as int32.

    Traced values that are neither cannot be refused. In evidence they become state 0, elsewhere FREE.

    Args:
        label: the argument and the block, for messages.
        part: states or FREE of one block, in any shape.
        states: the number of states of the block.
        evidence: whether entries may be FREE although the array is traced, so that it has to be signed.
    """
    if not is_traced(part):
        _check(label, part, states)
        return part.astype(np.int32)
    if evidence and part.dtype.kind == "u":
        hint = "write x.astype(jnp.int32) before you put pk.FREE into x"
        raise TypeError(f"{label}: expected signed numbers, which can hold pk.FREE (-128), got {part.dtype}; {hint}")
    number = part.astype(np.int32)
    known = (number.astype(part.dtype) == part) & ((number == FREE) | ((number >= 0) & (number < states)))
    return jnp.where(known, number, 0 if evidence else FREE)


def _check(label: str, part: np.ndarray, states: int) -> None:
    """Raise TypeError unless the values are whole numbers, ValueError unless they are states or FREE."""
    kind, expected = part.dtype.kind, f"states 0 .. {states - 1}, or pk.FREE"
    if part.size == 0 or (kind == "b" and states == 2):  # with more states, True and False are rather a mask
        return
    if kind not in "iu" and not (kind == "f" and _whole(part)):
        raise TypeError(f"{label}: expected whole-number {expected} for unknown ones, got {_no_numbers(part)}")
    wrong = part[(part >= states) | ((part < 0) & (part != FREE))]
    if wrong.size:
        got = -1 if (wrong == -1).any() else wrong[0]
        raise ValueError(f"{label}: expected {expected}, got {got}{_hint(got, wrong, part, states)}")


def _whole(part: np.ndarray) -> bool:
    """Return whether all entries are whole numbers."""
    try:
        numbers = part.astype(float)
    except (TypeError, ValueError):
        return False
    return bool((numbers == np.round(numbers)).all())


def _no_numbers(part: np.ndarray) -> str:
    """Return what is in an array that has other entries than whole numbers, and what to do."""
    of_objects = part.dtype.kind == "O"
    if MISSING & {str(entry) for entry in (part if of_objects else part[part != part]).flat}:
        return "missing values; write pk.FREE for them" + (", then x.astype(int)" if of_objects else "")
    advice = "write x.astype(int)" if of_objects and _whole(part) else "round, threshold or number them"
    return f"dtype {part.dtype}; {advice}"


def _hint(got: Any, wrong: np.ndarray, part: np.ndarray, states: int) -> str:
    """Return what to do about frequent mistakes: spins, -1 for unknown, pk.FREE in an unsigned array, grey values."""
    if got == -1 and (part == 0).any():
        return "; write pk.FREE, and not -1, for unknown states"
    if got == -1 and states == 2:
        return "; this looks like spins, use (spins + 1) // 2 (pk.spins_to_binary converts weights)"
    if part.dtype.kind == "u" and (wrong == np.array(FREE).astype(part.dtype)).all():
        return "; unsigned arrays cannot hold pk.FREE (-128), use x.astype(int) before you put it in"
    if states == 2 and (wrong > 0).all() and np.isfinite(wrong).all():
        high = f"x > {int(part.max()) // 2}"
        use = f"np.where(x == pk.FREE, x, {high})" if (part == FREE).any() else f"({high}).astype(int)"
        return f"; grey values need a threshold, such as {use}"
    return ""
