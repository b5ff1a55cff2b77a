"""Each page shows the map of the course with its own place, and states the time that it takes."""

import json
import re

import notebook_runner as runner
import pytest

import times
from pmp_kit.course import pages

MAP = re.compile(r'\bexplore\.CourseMap\("([^"]+)"\)')
OF_COURSE = [page.name for page in pages.PAGES.values() if page.shelf != "paper"]


@pytest.mark.parametrize("name", OF_COURSE)
def test_a_page_shows_its_own_place_on_the_map(name):
    notebook = json.loads((runner.ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    assert MAP.findall("\n".join(map(times.source, notebook["cells"]))) == [name]


def test_the_minutes_are_written_into_the_page():
    head = "<!-- badges -->\n# 02 · Messages\n**Time:** 99 minutes." + " word" * 100
    exercise = runner.cell("def update(): ...\n\nexercises.check_update(update)", "exercise")
    scope = runner.cell("scope = explore.MessageScope()\nscope", "play")
    cells = [{"cell_type": "markdown", "metadata": {}, "source": head}, exercise, scope]
    page = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    stamped = times.stamped(page)
    assert times.figures(stamped).stated == times.figures(page).minutes != 99
    assert [cell["source"] for cell in stamped["cells"][1:]] == [cell["source"] for cell in page["cells"][1:]]
    assert times.stamped(stamped) == stamped
