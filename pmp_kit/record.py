"""Recorded results: numbers that a notebook vouches for, shown on the page and read back by the tests."""

import math

from .validate import number

MIME = "application/vnd.pmp-kit.result+json"


def record(name: str, value, *, paper=None, exact=None, tolerance=None, at_most=None) -> None:
    """Show a result beside what it should be, and leave it in the notebook in a form that tests read.

    Args:
        name: what it is; once in a notebook.
        value: the number that was measured.
        paper: what the paper reports, or
        exact: what it must be by calculation.
        tolerance: the largest difference that counts as agreement; goes with `paper` or `exact`.
        at_most: instead of a reference, the largest value that will do.

    Raises:
        ValueError: no number, more than one reference, or a reference without its tolerance.
    """
    references = {"paper": paper, "exact": exact, "at most": at_most}
    given = {source: reference for source, reference in references.items() if reference is not None}
    if len(given) > 1:
        raise ValueError(f"{name}: expected one of paper, exact and at_most, got {', '.join(given)}")
    if (tolerance is None) == bool(given.keys() & {"paper", "exact"}):
        raise ValueError(f"tolerance: expected it together with paper= or exact= for {name!r}, got {tolerance}")
    band = None if tolerance is None else number("tolerance", tolerance, low=0.0)
    result, text = {"name": name, "value": _finite("value", value)}, f"{name}: {float(value):.4g}"
    for source, reference in given.items():
        gap = result["value"] - _finite(source, reference)
        agrees = gap <= 0 if band is None else abs(gap) <= band
        result |= {"source": source, "reference": float(reference), "tolerance": band, "agrees": bool(agrees)}
        around = "" if band is None else f" ± {band:.2g}"
        text += f"   ({source} {reference:.4g}{around}: {'agrees' if agrees else 'does NOT agree'})"
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
