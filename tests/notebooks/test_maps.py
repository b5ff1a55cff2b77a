"""Each page shows the map of the course with its own place."""

import json
import re

import notebook_runner as runner
import pytest

from pmp_kit.course import pages

MAP = re.compile(r'\bexplore\.CourseMap\("([^"]+)"\)')
OF_COURSE = [page.name for page in pages.PAGES.values() if page.shelf != "paper"]


@pytest.mark.parametrize("name", OF_COURSE)
def test_a_page_shows_its_own_place_on_the_map(name):
    notebook = json.loads((runner.ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    assert MAP.findall("\n".join("".join(cell["source"]) for cell in notebook["cells"])) == [name]
