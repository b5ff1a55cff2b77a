"""The check of states that users pass as evidence, data or configurations."""

from typing import Any

import jax.numpy as jnp
import numpy as np

from .planes import FREE
from .traced import is_traced


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
    if kind not in "iu" and not (kind == "f" and (part == np.round(part)).all()):
        missing = (kind == "f" and np.isnan(part).any()) or None in part.ravel().tolist()
        advice = "write x.astype(int) if they are whole numbers" if kind == "O" else "round or number them"
        got = "missing values; write pk.FREE for them" if missing else f"dtype {part.dtype}; {advice}"
        raise TypeError(f"{label}: expected whole-number {expected} for unknown ones, got {got}")
    wrong = part[(part >= states) | ((part < 0) & (part != FREE))]
    if wrong.size:
        got = -1 if (wrong == -1).any() else wrong[0]
        raise ValueError(f"{label}: expected {expected}, got {got}{_hint(got, kind, states, (part == 0).any())}")


def _hint(got: Any, kind: str, states: int, zeros: bool) -> str:
    """Return what to do about frequent mistakes: spins, -1 for unknown, and pk.FREE in an unsigned array."""
    if got == -1 and zeros:
        return "; write pk.FREE, and not -1, for unknown states"
    if got == -1 and states == 2:
        return "; this looks like spins, use (spins + 1) // 2 (pk.spins_to_binary converts weights)"
    unsigned = "; unsigned arrays cannot hold pk.FREE (-128), use x.astype(int) before you put it in"
    return unsigned if kind == "u" else ""
