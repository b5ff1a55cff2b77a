"""Figures of the pages of the course: words, code, explorers, exercises, and the minutes that a page takes.

`make times` writes the minutes into the pages. A page states them in its first cell as `**Time:** 30 minutes`.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

import badges
from strip_notebooks import dumps, notebooks
from venvs import say

FOLDED = {"setup", "hint", "solution", "guard", "parameters"}
"""Tags of cells that a page folds. Their code does not count."""
COMPANIONS = {"CourseMap", "Linked", "PhaseMap", "Predict"}
"""Classes of `explore` that accompany an explorer and are not counted as one."""
DETAILS = re.compile(r"<details>.*?</details>", re.DOTALL)
UNREAD = re.compile(r"<!--.*?-->|\$\$.*?\$\$|\[!\[.*?\)\]\(.*?\)", re.DOTALL)
"""Comments, displayed equations and badges are not words."""
EXPLORER = re.compile(r"\bexplore\.([A-Z]\w+)\(")
CHECK = re.compile(r"\bexercises\.check_\w+\(")
PICTURE = re.compile(r"\bImage\(|\bfigures\.\w+\(")
TIME = re.compile(r"\*\*Time:\*\* (\d+) minutes")


class Figures(NamedTuple):
    """What a page asks of its readers."""

    words: int
    code: int
    """Lines that are neither folded, blank nor comments."""
    explorers: int
    predictions: int
    pictures: int
    """Cells that show a picture of results."""
    exercises: int
    stated: int | None
    """The minutes that the page states."""

    @property
    def minutes(self) -> int:
        """The minutes that the page takes, rounded to 5."""
        reading = self.words / 120 + self.code / 3
        return 5 * round((reading + 4 * self.explorers + 3 * self.predictions + 10 * self.exercises) / 5)


def figures(notebook: dict) -> Figures:
    """Return the figures of a notebook."""
    texts = [source(cell) for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    lines = [line.strip() for cell in code if not FOLDED & set(tags(cell)) for line in source(cell).splitlines()]
    run = "\n".join(source(cell) for cell in code)
    shown, stated = EXPLORER.findall(run), TIME.search(texts[0]) if texts else None
    return Figures(
        words=sum(len(UNREAD.sub("", DETAILS.sub("", text)).split()) for text in texts),
        code=sum(bool(line) and not line.startswith("#") for line in lines),
        explorers=sum(name not in COMPANIONS for name in shown),
        predictions=shown.count("Predict"),
        pictures=sum(bool(PICTURE.search(source(cell))) for cell in code),
        exercises=len(CHECK.findall(run)),
        stated=int(stated[1]) if stated else None,
    )


def source(cell: dict) -> str:
    """Return the text of a cell, without the lines for Colab, which `make badges` writes."""
    return badges.COLAB.sub("", "".join(cell["source"]))


def tags(cell: dict) -> list[str]:
    """Return the tags of a cell."""
    return cell["metadata"].get("tags", [])


def stamped(notebook: dict) -> dict:
    """Return a notebook whose first cell states the minutes, if it states any."""
    first, *rest = notebook["cells"]
    text = TIME.sub(f"**Time:** {figures(notebook).minutes} minutes", "".join(first["source"]))
    return notebook | {"cells": [first | {"source": text.splitlines(keepends=True)}, *rest]}


def main(*paths: str) -> int:
    """Write into the named pages, or into all, how many minutes they take."""
    for path in map(Path, paths) if paths else notebooks():
        text = path.read_text(encoding="utf-8")
        notebook = json.loads(text)
        found = figures(notebook)
        say(f"{path.stem:34}{found.words:5} words {found.code:4} lines {found.minutes:4} minutes")
        if (new := dumps(stamped(notebook))) != text:
            path.write_text(new, encoding="utf-8", newline="\n")
    return 0
