"""The first notebook in a real JupyterLab: run it, move sliders, paint a pixel; the picture changes each time."""

import shutil
from pathlib import Path

import pytest

from browser import lab

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "notebooks" / "00_start_here.ipynb"
ARTIFACTS = ROOT / "build" / "artifacts"

pytestmark = lab.MARKS


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebooks")
    shutil.copy(NOTEBOOK, folder)
    with lab.server(folder, tmp_path_factory.mktemp("lab")) as address, lab.page() as page:
        opened = lab.Notebook(page, address, NOTEBOOK.name)
        opened.run_all()
        yield opened


@pytest.fixture
def studio(notebook):
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    explorer = notebook.explorer("Sixty-second PMP")
    yield explorer
    explorer.screenshot(path=ARTIFACTS / "start_here.png")
    assert not explorer.locator(".pmp-error").count(), lab.status(explorer)


def sliders_change_the_picture(notebook, studio):
    for name in ("damping", "sweeps"):
        notebook.handle(studio, name).focus()
        for key in ("Home", "End"):
            before = lab.picture(studio)
            notebook.page.keyboard.press(key)
            lab.wait_for_change(studio, before)


def the_kernel_says_what_it_shows(studio):
    assert "pixels free" in lab.status(studio)
    assert "pixels free" in studio.locator(".pmp-picture canvas").get_attribute("aria-label")


def handles_have_names(notebook, studio):
    assert notebook.handle(studio, "damping").get_attribute("aria-label") == "damping"


def painting_a_pixel_changes_the_picture(notebook, studio):
    canvas = studio.locator(".pmp-picture canvas")
    for brush in ("on", "off"):
        before = lab.status(studio), lab.picture(studio)
        studio.get_by_role("button", name=brush, exact=True).click()
        canvas.click(position={"x": 12, "y": 34})
        lab.wait_for_change(studio, before[1])


def painting_by_keyboard_changes_the_picture_and_leaves_the_notebook_alone(notebook, studio):
    cells = notebook.count_cells()
    studio.locator(".pmp-picture canvas").focus()
    before = lab.picture(studio)
    for key in ("ArrowDown", "ArrowRight", "0", "f", "1", "a", "b"):  # a and b insert cells if JupyterLab hears them
        notebook.page.keyboard.press(key)
    lab.wait_for_change(studio, before)
    assert "row 2, column 2, given on" in studio.locator(".pmp-unseen").inner_text()
    assert notebook.count_cells() == cells


def the_picture_is_there_after_scrolling_away(notebook, studio):
    canvas = studio.locator(".pmp-picture canvas")
    canvas.blur()
    notebook.page.mouse.move(2, 2)  # what the pointer is on has an outline
    notebook.page.wait_for_timeout(2000)  # until the last stroke is answered
    before = lab.picture(studio)
    notebook.show_cell(20)
    canvas.evaluate("(canvas) => { canvas.width = canvas.width; }")  # what a page does that drops it
    notebook.show_cell(5)
    again = notebook.explorer("Sixty-second PMP")
    notebook.page.wait_for_timeout(500)
    assert lab.picture(again) == before


def test_the_first_notebook_answers(notebook, studio):
    """One test, because running the notebook takes most of the time."""
    sliders_change_the_picture(notebook, studio)
    the_kernel_says_what_it_shows(studio)
    handles_have_names(notebook, studio)
    painting_a_pixel_changes_the_picture(notebook, studio)
    painting_by_keyboard_changes_the_picture_and_leaves_the_notebook_alone(notebook, studio)
    the_picture_is_there_after_scrolling_away(notebook, studio)
