"""Recorded results: numbers that a notebook vouches for, shown on the page and read back by the tests."""

import math
from typing import Any

from ...engine.validate import number

MIME = "application/vnd.pmp-kit.result+json"


def record(
    name: str, value: Any, *, paper: Any = None, exact: Any = None, tolerance: float | None = None,
    at_most: Any = None, error: Any = None, method: str = "", size: str = "",
) -> None:  # fmt: skip
    """Show a result beside what it should be, and leave it in the notebook in a form that tests read.

    Args:
        name: what it is; once in a notebook.
        value: the number that was measured.
        paper: what the paper reports, or
        exact: what it must be by calculation.
        tolerance: the largest difference that counts as agreement; goes with `paper` or `exact`. Without it the
            paper's number is shown beside, and nothing is judged.
        at_most: instead of a reference, the largest value that will do.
        error: standard error of the value, over seeds say.
        method: what the number belongs to, "PMP" say: a column of the scorecard.
        size: in a few words, how large the run was.

    Raises:
        ValueError: no number, more than one reference, or an exact one without its tolerance.
    """
    references = {"paper": paper, "exact": exact, "at most": at_most}
    given = [source for source, reference in references.items() if reference is not None]
    if len(given) > 1:
        raise ValueError(f"{name}: expected one of paper, exact and at_most, got {', '.join(given)}")
    if (given == ["exact"] and tolerance is None) or (tolerance is not None and given in ([], ["at most"])):
        raise ValueError(f"tolerance: expected it together with paper= or exact= for {name!r}, got {tolerance}")
    result, text = {"name": name, "value": _finite("value", value)}, f"{name}: {float(value):.4g}"
    if error is not None:
        result["error"] = number("error", _finite("error", error), low=0.0)
        text += f" ± {result['error']:.2g}"
    result |= {label: words for label, words in (("method", method), ("size", size)) if words}
    for source in given:
        band = None if tolerance is None else number("tolerance", tolerance, low=0.0)
        text += "   " + _compare(result, source, _finite(source, references[source]), band)
    _show(result, text + (f"   [{size}]" if size else ""))


def _compare(result: dict, source: str, reference: float, band: float | None) -> str:
    """Put a reference into a result, and whether it agrees, if that is to be judged; the same in words."""
    result |= {"source": source, "reference": reference, "tolerance": band}
    text = f"{source} {reference:.4g}" + ("" if band is None else f" ± {band:.2g}")
    if source == "paper" and band is None:
        return f"({text})"
    gap = result["value"] - reference
    result["agrees"] = bool(gap <= 0 if band is None else abs(gap) <= band)
    return f"({text}: {'agrees' if result['agrees'] else 'does NOT agree'})"


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
