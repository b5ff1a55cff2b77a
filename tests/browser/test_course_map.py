"""The map of the course in a real JupyterLab: a station opens its notebook, and no text lies on another one.

Screenshots are kept in build/artifacts.
"""

import json
from pathlib import Path

import notebook_runner as runner
import pytest

from browser import lab
from pmp_kit.course import pages
from pmp_kit.course.explore import CourseMap

ARTIFACTS = Path(__file__).parents[2] / "build" / "artifacts"

pytestmark = lab.MARKS


@pytest.fixture
def course(tmp_path):
    """Empty notebooks in the place of the pages. Two of them show the map."""
    for name in pages.PAGES:
        source = f'from pmp_kit.course import explore\nexplore.CourseMap("{name}")'
        path = tmp_path / "course" / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(runner.page(source, "")), encoding="utf-8")
    return tmp_path / "course"


OPENED = "(path) => window.jupyterapp.shell.currentWidget?.context?.path === path"


@pytest.mark.all
def test_stations_open_notebooks(course, tmp_path_factory):
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    with lab.server(course, tmp_path_factory.mktemp("lab"), "Dark") as address, lab.page(width=900) as page:
        notebook = lab.Notebook(page, address, "02_messages.ipynb")
        notebook.run_all()
        shown = page.locator("nav.pmp-map")
        shown.screenshot(path=str(ARTIFACTS / "course_map_dark.png"))
        shown.get_by_role("link", name="5.3 Zeros").click()
        page.wait_for_function(OPENED, arg="paper/5_3_zeros.ipynb")
        page.wait_for_function(lab.KERNEL_READY)
        notebook.run_all()
        page.locator("nav.pmp-map:visible").get_by_role("link", name="12 Build your own").click()
        page.wait_for_function(OPENED, arg="12_build_your_own.ipynb")


BOXES = """() => [...document.querySelectorAll('nav.pmp-map a')].map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const { left, top, right, bottom } = range.getBoundingClientRect();
    return { words: one.innerText, left, top, right, bottom };
})"""


@pytest.mark.parametrize("width", [1000, 716, 400])
def test_no_station_lies_on_another(page, width):
    page.set_viewport_size({"width": width, "height": 400})
    page.set_content(f"<body style='margin: 8px; font: 13px serif'>{CourseMap('02_messages')._repr_html_()}</body>")
    boxes = page.evaluate(BOXES)
    assert len(boxes) == len(pages.PAGES)
    for number, one in enumerate(boxes):
        assert 0 <= one["left"] <= one["right"] <= width, one
        for other in boxes[:number]:
            apart = (
                one["right"] <= other["left"] or other["right"] <= one["left"]
                or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]
            )  # fmt: skip
            assert apart, (one, other)
