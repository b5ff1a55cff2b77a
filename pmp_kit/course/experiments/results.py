"""Recorded results: numbers that a notebook shows on the page and that the tests read from its output."""

from typing import Any

from ...engine.checks import number

MIME = "application/vnd.pmp-kit.result+json"
disagreeing: dict[str, str] = {}
"""Name -> text of the numbers that were shown last and do not agree with their references."""


class Disagreement(AssertionError):
    """Recorded numbers that do not agree with their references."""


def record(
    name: str, value: Any, *, paper: Any = None, exact: Any = None, tolerance: float | None = None,
    at_most: Any = None, error: Any = None, method: str = "", size: str = "",
) -> None:  # fmt: skip
    """Show a result next to its reference value, and store it in the notebook in a form that tests can read.

    Args:
        name: the name of the result. It is unique in a notebook.
        value: the measured number.
        paper: the reference value from the paper.
        exact: the reference value from an exact calculation.
        tolerance: the largest difference from `paper` or `exact` that counts as agreement. If it is missing, the
            paper's number is shown without a verdict.
        at_most: the largest acceptable value, instead of `paper` or `exact`.
        error: standard error of the value, for example over seeds.
        method: the method that gave the number, for example "PMP". It is a column of the scorecard.
        size: a short description of the size of the run.

    Raises:
        ValueError: a value is not a finite number, there is more than one reference, `exact` has no tolerance, or a
            tolerance has neither `paper` nor `exact`.
    """
    references = {"paper": paper, "exact": exact, "at most": at_most}
    given = [source for source, reference in references.items() if reference is not None]
    if len(given) > 1:
        raise ValueError(f"{name}: expected one of paper, exact and at_most, got {', '.join(given)}")
    if (given == ["exact"] and tolerance is None) or (tolerance is not None and given in ([], ["at most"])):
        raise ValueError(f"tolerance: expected it together with paper= or exact= for {name!r}, got {tolerance}")
    result, text = {"name": name, "value": number("value", value)}, f"{name}: {float(value):.4g}"
    if error is not None:
        result["error"] = number("error", error, low=0.0)
        text += f" ± {result['error']:.2g}"
    result |= {label: words for label, words in (("method", method), ("size", size)) if words}
    for source in given:
        band = None if tolerance is None else number("tolerance", tolerance, low=0.0)
        text += "   " + _compare(result, source, number(source, references[source]), band)
    disagreeing.pop(name, None)  # the cell was run before
    if not result.get("agrees", True):
        disagreeing[name] = text
    _show(result, text + (f"   [{size}]" if size else ""))


def assert_agreement() -> None:
    """Raise a Disagreement if numbers that were shown do not agree with their references."""
    if disagreeing:
        raise Disagreement(f"{len(disagreeing)} recorded number(s) disagree:\n" + "\n".join(disagreeing.values()))


def _compare(result: dict, source: str, reference: float, band: float | None) -> str:
    """Add the reference and, if there is a tolerance or a limit, the verdict to a result. Return both as text."""
    result |= {"source": source, "reference": reference, "tolerance": band}
    text = f"{source} {reference:.4g}" + ("" if band is None else f" ± {band:.2g}")
    if source == "paper" and band is None:
        return f"({text})"
    gap = result["value"] - reference
    result["agrees"] = bool(gap <= 0 if band is None else abs(gap) <= band)
    return f"({text}: {'agrees' if result['agrees'] else 'does NOT agree'})"


def _show(result: dict, text: str) -> None:
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.display import display

    if InteractiveShell.initialized():
        display({MIME: result, "text/plain": text}, raw=True)
    else:
        print(text)
