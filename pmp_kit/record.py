"""Recorded results: numbers that a notebook vouches for, shown on the page and read back by the tests."""

import math

from .validate import number

MIME = "application/vnd.pmp-kit.result+json"


def record(name: str, value, *, paper=None, exact=None, tolerance=None) -> None:
    """Show a result beside what it should be, and leave it in the notebook in a form that tests read.

    Args:
        name: what it is; once in a notebook.
        value: the number that was measured.
        paper: what the paper reports, or
        exact: what it must be by calculation.
        tolerance: the largest difference that counts as agreement; goes with `paper` or `exact`.

    Raises:
        ValueError: no number, both references, or a reference without its tolerance.
    """
    value, reference = _finite("value", value), paper if exact is None else exact
    if paper is not None and exact is not None:
        raise ValueError(f"exact: expected one reference for {name!r}, got paper={paper} and exact={exact}")
    if (reference is None) != (tolerance is None):
        raise ValueError(f"tolerance: expected it together with paper= or exact= for {name!r}, got {tolerance}")
    result = {"name": name, "value": value}
    text = f"{name}: {value:.4g}"
    if reference is not None:
        source = "paper" if exact is None else "exact"
        reference, tolerance = _finite(source, reference), number("tolerance", tolerance, low=0.0)
        result |= {"source": source, "reference": reference, "tolerance": tolerance}
        verdict = "agrees" if abs(value - reference) <= tolerance else "does NOT agree"
        text += f"   ({source}: {reference:.4g} ± {tolerance:.2g}, {verdict})"
    _show(result, text)


def _finite(name: str, value) -> float:
    value = number(name, value)
    if not math.isfinite(value):
        raise ValueError(f"{name}: expected a finite number, got {value}")
    return value


def _show(result: dict, text: str) -> None:
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.display import display

    if InteractiveShell.initialized():
        display({MIME: result, "text/plain": text}, raw=True)
    else:
        print(text)
