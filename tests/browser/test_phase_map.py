"""A phase map on a plain page: what mouse and keyboard ask the kernel for, and how the map answers."""

import pytest

from browser import lab, plain
from helpers.drawn_toy import DrawnToy
from pmp_kit.course import explore

pytestmark = lab.MARKS


@pytest.fixture
def chart(page):
    """A map of 21 numbers and two kinds."""
    made = explore.PhaseMap(DrawnToy(kind="b"), "number", "kind", lambda state: state.number)
    plain.mount(page, made.picture)
    page.locator("canvas[data-drawn]").wait_for()
    return made


def place(page, number: float, kind: float) -> tuple[float, float]:
    """The middle of a cell on the page, in shares of the map: draw.js has 52 and 26 pixels at the left and above."""
    box = page.locator("canvas").bounding_box()
    wide = min(box["width"] - 52 - 186, 500)
    return box["x"] + 52 + number * wide, box["y"] + 26 + (1 - kind) * min(0.8 * wide, 360)


def sent(page) -> list[dict]:
    return page.evaluate("() => window.sent.splice(0)")


def test_a_click_asks_for_one_cell_and_a_drag_for_no_more(chart, page):
    page.mouse.move(*place(page, 0.5, 0.75))
    page.evaluate(plain.FRAMES)
    assert page.locator(".pmp-tip").inner_text().split() == [
        "<lambda>:",
        "not",
        "computed",
        "yet",
        "number",
        "50",
        "kind",
        "b",
    ]
    page.mouse.down()
    page.mouse.move(*place(page, 0.95, 0.25))
    page.mouse.up()
    assert sent(page) == [{"load": [1, 10]}]
    page.mouse.click(*place(page, 0.5, 0.75))
    assert sent(page) == [{"load": [1, 10]}], "a second click on the same cell counts"


def test_enter_asks_for_the_cell_that_the_arrow_keys_reach(chart, page):
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert sent(page) == [{"load": [1, 1]}]
    assert "number 5" in page.locator(".pmp-unseen").inner_text()


def test_the_kernel_shows_a_frame_of_a_picture(page):
    plain.mount(page, DrawnToy().picture)
    page.locator("canvas[data-drawn]").wait_for()
    page.evaluate("() => window.tell('msg:custom', { frame: 1 })")
    assert page.locator("output").inner_text() == "step 1 of 3"
