"""Pages without a kernel: the player of every explorer plays, asks for nothing, and says where it works live."""

import re

import nbconvert
import nbformat
import pytest

from browser import lab, plain
from helpers.explorers import PAINTED
from helpers.slow_parameters import some
from pmp_kit.course.explore import export, filmed

pytestmark = lab.MARKS
GATE = {"sampler", "bounds"}
"""Explorers whose players `make test` tests; `make test-all` tests all players."""
AT_THE_END = """() => {
    const scrub = document.querySelector("input[type=range]");
    return scrub.value === scrub.max && document.querySelector("button[title=play]") !== null;
}"""


def opened(page, folder, player):
    """Open a page that holds HTML, and return its address."""
    file = folder / "page.html"
    file.write_text(f"<!doctype html><meta charset='utf-8'><body>{player}", encoding="utf-8")
    page.goto(file.as_uri())
    page.wait_for_selector("canvas[data-drawn]")
    return file.as_uri()


def upper(page):
    """The pixels that are shown, without the words at the lower edge."""
    pixels = plain.pixels(page.locator("canvas").first)
    return pixels[: int(0.9 * len(pixels))]


@pytest.fixture(autouse=True)
def wanted(monkeypatch):
    monkeypatch.setenv(filmed.PLAYERS, "1")


@pytest.mark.parametrize("name", some(PAINTED, GATE, pytest.mark.all))
def test_every_explorer_plays_without_a_kernel(name, page, tmp_path):
    asked = []
    page.on("request", note := lambda request: asked.append(request.url))
    player = PAINTED[name].make_small().player()
    assert len(player.encode()) <= export.MOST
    address = opened(page, tmp_path, player)
    page.get_by_role("combobox").select_option("30")
    page.get_by_role("button", name="first", exact=True).click()  # some open at their last frame
    page.get_by_role("button", name="play", exact=True).click()
    page.wait_for_function(AT_THE_END)
    end = upper(page)
    page.get_by_role("button", name="first", exact=True).click()
    frames = [upper(page)]
    for _ in range(10):  # messages that oscillate may end as they began
        page.get_by_role("button", name="step forward", exact=True).click()
        frames.append(upper(page))
    assert any((frame != end).any() for frame in frames)
    assert "open its notebook in JupyterLab" in page.locator(".pmp-live").inner_text()
    page.remove_listener("request", note)
    assert asked == [address]


def test_players_on_one_page_are_independent(page, tmp_path):
    opened(page, tmp_path, 2 * PAINTED["drift"].make_small().player())
    page.wait_for_function("() => document.querySelectorAll('canvas[data-drawn]').length === 2")
    assert page.locator(".pmp-stage").nth(1).locator("output").count() == 1
    page.get_by_role("button", name="last", exact=True).first.click()
    assert page.locator("output").all_inner_texts() == ["frame 4 of 4", "frame 0 of 4"]


def test_a_first_play_begins_at_the_first_frame(page, tmp_path):
    """The page opens on the view that the sentence below it describes."""
    opened(page, tmp_path, PAINTED["noise"].make_small().player())
    assert page.locator("output").inner_text() == "frame 18 of 38"
    page.get_by_role("combobox").select_option("1")
    page.get_by_role("button", name="play", exact=True).click()
    assert page.locator("output").inner_text() == "frame 0 of 38"


def test_a_frame_of_the_screen_that_began_before_the_click(page, tmp_path):
    opened(page, tmp_path, PAINTED["noise"].make_small().player())
    page.evaluate("""() => {
        const request = window.requestAnimationFrame;
        window.requestAnimationFrame = (action) => request((now) => action(now - 1000));
    }""")
    page.get_by_role("combobox").select_option("1")
    page.get_by_role("button", name="play", exact=True).click()
    page.wait_for_timeout(200)
    assert page.locator("output").inner_text() == "frame 0 of 38"


def test_an_exported_notebook_plays(page, tmp_path):
    """The bundle of a cell as nbconvert writes it. Its page is opened without a network."""
    bundle, _ = PAINTED["drift"].make_small()._repr_mimebundle_()
    output = nbformat.v4.new_output("display_data", bundle)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("ribbon", outputs=[output])])
    html, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    page.route(re.compile("^http"), lambda route: route.abort())
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_selector("canvas[data-drawn]")
    page.get_by_role("button", name="last", exact=True).click()
    assert page.locator("output").inner_text() == "frame 4 of 4"
    page.unroute_all()
