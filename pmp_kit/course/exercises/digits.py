"""Exercise of page 00: find a setting with which the sampler PMP fails, and name the control that causes it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pmp_kit.models import RBM

from ..explore.digits.compute import COMPLETIONS, State, half_of, state
from .grids import Tiles
from .verdict import Verdict, right, shown, wrong

MOST_SWEEPS = 100


class Setting(NamedTuple):
    """Values of the three controls. PMP works well with the default values."""

    sweeps: int = MOST_SWEEPS
    damping: float = 0.4
    perturbation: bool = True


GOOD = Setting()


def check_failing_setting(
    model: RBM, digit, *, sweeps: int, damping: float, perturbation: bool, because: str
) -> Verdict:
    """Check that a setting fails at completing the upper half of a digit, and that it fails because of one control.

    The check moves that control alone to its default value (100 sweeps, damping 0.4, perturbation on). If the failure
    disappears, this control caused it.

    Args:
        model: the RBM of the notebook.
        digit: an image (side, side) of 0 and 1.
        sweeps, damping, perturbation: the setting.
        because: the control that causes the failure, "sweeps", "damping" or "perturbation".

    Returns:
        The verdict. It describes the samples before and after the control was moved.
    """
    if not isinstance(because, str) or because not in Setting._fields:
        return wrong(f"Name the control with because, one of {', '.join(Setting._fields)}. You gave {shown(because)}.")
    if not _inside(sweeps, damping, perturbation):
        limits = f"sweeps a whole number from 0 to {MOST_SWEEPS}, damping 0 to 0.95, perturbation True or False"
        return wrong(f"Use values that the controls have: {limits}.")
    digit = np.asarray(digit)
    if digit.shape != model.visible:
        return wrong(f"The digit must be an image {model.visible}, and you gave shape {digit.shape}.")
    setting = Setting(int(sweeps), float(damping), bool(perturbation))
    good = getattr(GOOD, because)
    drawn = state(model, digit, half_of(digit), *setting, seed=0)
    moved = state(model, digit, half_of(digit), *setting._replace(**{because: good}), seed=0)
    picture = _picture(drawn, moved, f"with {because} = {good}")
    failure, still = _failure(drawn), _failure(moved)
    if failure is None:
        return wrong(
            "This setting works: the completions differ, and most of them settled. Find one that fails.", picture
        )
    if getattr(setting, because) == good:
        return wrong(f"It fails ({failure}), but {because} has its good value. Another control is the cause.", picture)
    if still is not None:
        return wrong(f"It fails ({failure}), but with a good value of {because} it still fails ({still}).", picture)
    return right(f"{failure}. With {because} = {good} the failure disappears, so {because} is the cause.", picture)


def _inside(sweeps, damping, perturbation) -> bool:
    """Return whether the controls have these values."""
    if not isinstance(sweeps, int | np.integer) or not isinstance(perturbation, bool | np.bool_):
        return False
    inside = isinstance(damping, int | float | np.floating) and 0 <= sweeps <= MOST_SWEEPS and 0 <= damping <= 0.95
    return bool(inside)


def _picture(drawn: State, moved: State, head: str) -> Tiles:
    """Draw the completions of both settings. Those that did not settle, or are all the same, have a red frame."""
    differs = ~drawn.settled | (drawn.distinct == 1)
    title = f"{COMPLETIONS} completions. A red frame marks one that did not settle, or that equals all others."
    return Tiles(drawn.completions, moved.completions, differs, title, ("your setting", head))


def _failure(found: State) -> str | None:
    """Return what is wrong with the completions (all are equal, or most did not settle), or None if nothing is."""
    if found.distinct == 1:
        return f"All {COMPLETIONS} completions are the same"
    if found.settled.mean() < 0.5:
        return f"{found.settled.sum()} of {COMPLETIONS} completions settled"
    return None
