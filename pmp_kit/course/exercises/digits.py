"""Exercise of notebook 00: find a setting with which the sampler PMP fails, and name the control that causes it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pmp_kit.models import RBM

from ..explore.digits.compute import COMPLETIONS, half_of, state
from .verdict import Verdict, right, wrong

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
    if because not in Setting._fields:
        return wrong(f"because: name the control to blame, one of {', '.join(Setting._fields)}; got {because!r}.")
    if not (isinstance(sweeps, int) and 0 <= sweeps <= MOST_SWEEPS) or not 0 <= damping <= 0.95:
        return wrong(f"stay within the controls: sweeps 0 to {MOST_SWEEPS}, damping 0 to 0.95.")
    setting, digit = Setting(sweeps, damping, perturbation), np.asarray(digit)
    failure = _failure(model, digit, setting)
    if failure is None:
        return wrong("this setting works: the completions differ, and most of them settled. Look for one that fails.")
    if getattr(setting, because) == getattr(GOOD, because):
        return wrong(f"it does fail ({failure}), but {because} stands at its good value: another control is to blame.")
    still = _failure(model, digit, setting._replace(**{because: getattr(GOOD, because)}))
    if still is not None:
        return wrong(f"it does fail ({failure}), but with a good value of {because} it still does ({still}).")
    return right(f"{failure}, and with {because} = {getattr(GOOD, because)} that goes away: {because} is to blame.")


def _failure(model: RBM, digit: np.ndarray, setting: Setting) -> str | None:
    """Return what is wrong with the completions (all are equal, or most did not converge), or None if nothing is."""
    found = state(model, digit, half_of(digit), *setting, seed=0)
    if found.distinct == 1:
        return f"all {COMPLETIONS} completions are the same"
    settled = int((found.sweeps < setting.sweeps).sum())
    if settled < COMPLETIONS / 2:
        return f"{settled} of {COMPLETIONS} settled"
    return None
