"""Pages of the second edition keep the limits of their shelf, state the time that they take, and show the map.

A page is of the second edition if it shows the map of the course.
"""

import json
import re

import notebook_runner as runner
import pytest

import times
from pmp_kit.course import pages

MAP = re.compile(r'\bexplore\.CourseMap\("([^"]+)"\)')
LIMITS = {"words": (0, 1100), "code": (0, 50), "explorers": (0, 2), "pictures": (0, 3), "exercises": (1, 2)}
"""What is counted -> the least and the most. The paper's shelf has limits of its own, in test_paper_form.py."""


def faults(page, notebook):
    """Return what is wrong with a page, one sentence each."""
    found, shown = times.figures(notebook), MAP.findall("\n".join(map(times.source, notebook["cells"])))
    wrong = [
        f"{getattr(found, name)} {name}, expected {least} to {most}"
        for name, (least, most) in LIMITS.items()
        if not least <= getattr(found, name) <= most
    ]
    if found.stated != found.minutes:
        wrong.append(f"states {found.stated} minutes, takes {found.minutes}: run `make times`")
    if shown != [page.name]:
        wrong.append(f"shows the maps {shown}, expected one, of {page.name}")
    return wrong


def second_edition():
    """Return the pages that are there, with their notebooks."""
    for page in pages.PAGES.values():
        path = runner.ROOT / "notebooks" / f"{page.name}.ipynb"
        if path.exists() and "CourseMap(" in (text := path.read_text(encoding="utf-8")):
            yield page, json.loads(text)


def test_the_path_and_the_detours_are_of_the_second_edition():
    names = {page.name for page in pages.PAGES.values() if page.shelf != "paper"}
    assert {page.name for page, _ in second_edition()} == names


def test_pages_keep_their_limits():
    assert {page.name: wrong for page, notebook in second_edition() if (wrong := faults(page, notebook))} == {}


SETUP = runner.cell("from pmp_kit.course import explore, exercises\n" * 30, "setup")
SHOWS = runner.cell('explore.CourseMap("02_messages")')
EXERCISE = runner.cell("def update(): ...\n\n# a comment\nexercises.check_update(update)", "exercise")
PLAY = runner.cell("scope = explore.MessageScope()\nscope", "play")


def text(words, minutes=15):
    head = f"<!-- badges -->\n# 02 · Messages\n**Time:** {minutes} minutes.\n$$a\\,b$$"
    return {"cell_type": "markdown", "metadata": {}, "source": head + " word" * words}


def made(*cells):
    return {"cells": [*cells, SETUP, SHOWS], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}


FOLDED = {"cell_type": "markdown", "metadata": {}, "source": "<details><summary>a b c</summary>\n\nd e\n</details>"}
FAULTS = {
    "": made(text(100), EXERCISE, PLAY, FOLDED),
    "1106 words, expected 0 to 1100": made(text(1099, 25), EXERCISE, PLAY),
    "53 code, expected 0 to 50": made(text(100, 30), EXERCISE, runner.cell("x = 1\n" * 50)),
    "3 explorers, expected 0 to 2": made(text(100, 25), EXERCISE, PLAY, PLAY, PLAY),
    "4 pictures, expected 0 to 3": made(text(100), EXERCISE, *[runner.cell("Image(1)")] * 4),
    "0 exercises, expected 1 to 2": made(text(600, 10), PLAY),
    "3 exercises, expected 1 to 2": made(text(100, 35), *[EXERCISE] * 3),
    "states 30 minutes, takes 15: run `make times`": made(text(100, 30), EXERCISE, PLAY),
    "shows the maps ['02_messages', '02_messages'], expected one, of 02_messages": made(
        text(100), EXERCISE, PLAY, SHOWS
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found(fault):
    assert faults(pages.page("02_messages"), FAULTS[fault]) == [fault] * bool(fault)


def test_the_minutes_are_written_into_the_page():
    page = made(text(100, 99), EXERCISE, PLAY)
    stamped = times.stamped(page)
    assert times.figures(stamped).stated == times.figures(page).minutes == 15
    assert [cell["source"] for cell in stamped["cells"][1:]] == [cell["source"] for cell in page["cells"][1:]]
    assert "**Time:** 15 minutes.\n" in stamped["cells"][0]["source"]
    assert times.stamped(stamped) == stamped
