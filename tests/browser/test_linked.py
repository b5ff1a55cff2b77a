"""Linked equations on a plain page: mouse, focus, keys, the picture, and the page without any script."""

import numpy as np
import pytest

from browser import lab, plain
from pmp_kit.course import explore
from pmp_kit.course.explore.linked import equations, listings

pytestmark = lab.MARKS
TERMS, LINES = ".pmp-row [data-term]", ".pmp-listing [data-term]"
PLAIN = "rgba(0, 0, 0, 0)"
LIT = """() => Array.from(document.querySelectorAll('[data-term]'))
    .filter((part) => getComputedStyle(part).backgroundColor !== 'rgba(0, 0, 0, 0)')
    .map((part) => (part.closest('.pmp-row') ? part.dataset.term : part.textContent.trim()))"""
IMAGES = np.array([[[0, 1, 2, 3]] * 3] * 2, np.uint8).repeat(8, 1).repeat(8, 2)  # two frames of four stripes
COLOURS = np.array([[[255, 255, 255], [200, 0, 0], [0, 100, 0], [10, 10, 10]]], np.uint8)
CLIP = explore.Clip(IMAGES, COLOURS, width=32, parts={"one": [1], "two": [1, 3]}, letters={"i": (0.9, 0.5)})


@pytest.fixture
def linked():
    return explore.Linked(equations.MESSAGE, listings.message)


def term(page, name):
    return page.locator(f'{TERMS}[data-term="{name}"]').first


def line(page, text):
    return page.locator(LINES, has_text=text)


def lit_parts(page) -> str:
    return page.evaluate("() => window.model.get('lit')")


def static(page, linked):
    """Open what a page without a kernel shows; its scripts, if any, do not run."""
    page.set_content(f"<!doctype html><body>{linked._repr_mimebundle_()[0]['text/html']}")
    assert page.locator("script").count() == 0


@pytest.mark.parametrize("live", [True, False])
def test_a_term_lights_its_lines_and_a_line_its_terms(live, linked, page):
    if live:
        plain.mount(page, linked.view)
    else:
        static(page, linked)
    assert page.evaluate(LIT) == []
    term(page, "arriving").hover()
    assert page.evaluate(LIT) == ["arriving", linked.lines[1].strip(), linked.lines[2].strip()]
    assert page.locator(".pmp-says").inner_text().strip() == linked.equation.terms["arriving"].words
    line(page, "cavity = unaries").hover()
    assert page.evaluate(LIT) == ["cavity", "unary", linked.lines[3].strip()]
    assert "The unary of i" in page.locator(".pmp-says").inner_text()
    page.mouse.move(990, 5)
    assert page.evaluate(LIT) == []


@pytest.mark.parametrize("live", [True, False])
def test_tab_moves_through_terms_and_lines(live, linked, page):
    if live:
        plain.mount(page, linked.view)
    else:
        static(page, linked)
    page.mouse.move(990, 5)
    seen = []
    for _ in range(page.locator("[data-term]").count()):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("() => document.activeElement.dataset.term"))
        assert page.evaluate("() => getComputedStyle(document.activeElement).backgroundColor") != PLAIN
        assert page.evaluate("() => document.activeElement.ariaLabel.length > 10")
    assert seen[:3] == ["cavity", "unary", "arriving"]
    assert {name for names in seen for name in names.split()} == set(linked.equation.terms)


def test_arrow_keys_and_escape(linked, page):
    plain.mount(page, linked.view)
    page.evaluate("() => document.addEventListener('keydown', () => (window.heard = true))")
    page.mouse.move(990, 5)
    page.keyboard.press("Tab")
    page.evaluate("() => (window.heard = false)")
    keys = {"ArrowRight": "unary", "ArrowDown": "arriving", "ArrowLeft": "unary", "ArrowUp": "cavity"}
    for key, name in keys.items():
        page.keyboard.press(key)
        assert page.evaluate("() => document.activeElement.dataset.term") == name
        assert lit_parts(page) == linked.equation.terms[name].lights
    page.keyboard.press("ArrowUp")  # there is none before the first
    assert lit_parts(page) == "cavity"
    page.keyboard.press("Escape")
    assert (lit_parts(page), page.evaluate(LIT)) == ("", [])
    page.keyboard.press("ArrowRight")
    assert lit_parts(page) == "variable"
    assert not page.evaluate("() => window.heard"), "JupyterLab would take the keys for its shortcuts"


def test_the_picture_is_told_without_the_kernel(linked, page):
    plain.mount(page, linked.view)
    term(page, "arriving").hover()
    assert lit_parts(page) == "others"
    line(page, "cavity = unaries").hover()
    assert lit_parts(page) == "cavity variable"
    page.keyboard.press("Escape")  # the focus is elsewhere, so nothing happens
    assert lit_parts(page) == "cavity variable"
    page.mouse.move(990, 5)
    assert lit_parts(page) == ""
    term(page, "message").click()
    page.mouse.move(990, 5)
    assert (lit_parts(page), page.evaluate(LIT)) == ("", []), "a click must not leave a term lit"
    term(page, "message").hover()
    page.evaluate("() => window.end()")
    assert lit_parts(page) == ""
    assert page.evaluate("() => window.saved") == 0


def shown(page) -> np.ndarray:
    return plain.pixels(page.locator("canvas").first)[..., :3].astype(int)


def test_the_player_lights_up_a_part_within_one_frame(page):
    player = explore.Player("a test")
    player.show(CLIP)
    plain.mount(page, player.widget)
    page.wait_for_selector("canvas[data-drawn]")
    before = shown(page)
    assert (before == CLIP.pixels(0)).all()
    page.evaluate("() => window.model.set('lit', 'one')")  # drawn at once: no frame in between
    lit = shown(page)
    assert (lit[4:20, 12] == COLOURS[0, 1]).all(), "what is lit keeps its colour"
    assert (lit[4:20, 8] == [0, 114, 178]).all(), "and has an outline"
    pale = 255 - np.round(0.2 * (255 - COLOURS[0].astype(float)))
    assert (lit[4:20, 19] == pale[2]).all(), "all else is pale"
    assert ((lit[:, 24:] == [0, 114, 178]).all(2)).any(), "a letter is written"
    for names in ("two", "one two"):
        page.evaluate("(names) => window.model.set('lit', names)", names)
        lit = shown(page)
        assert (lit[3, [12, 28]] == COLOURS[0, [1, 3]]).all()  # above the letter
        assert (lit[4:20, 19] == pale[2]).all()
    for names in ("moon", ""):
        page.evaluate("(names) => window.model.set('lit', names)", names)
        assert (shown(page) == before).all()
    page.evaluate("() => window.model.set('lit', 'one')")
    page.get_by_role("button", name="step forward").click()
    assert (shown(page)[4:20, 12] == COLOURS[0, 1]).all()
    assert (shown(page)[4:20, 8] == [0, 114, 178]).all(), "every frame is lit"


def test_a_still_lights_up_its_boxes(page):
    picture = np.full((40, 60, 3), 100, np.uint8)
    still = explore.Still(60, parts=lambda: {"one": [(10, 10, 10, 8)], "two": [(10, 10, 10, 8), (30, 20, 20, 10)]})
    still.show(picture)
    plain.mount(page, still.widget)
    page.wait_for_selector("canvas[data-drawn]")
    assert (shown(page) == 100).all()
    page.evaluate("() => window.model.set('lit', 'one')")
    lit = shown(page)
    assert (lit[13:16, 13:17] == 100).all(), "what is lit keeps its colour"
    assert (lit[12:16, 10] == [0, 114, 178]).all(), "and has an outline"
    assert (np.abs(lit[25, 35] - (255 - 0.2 * 155)) < 2).all(), "all else is pale"
    page.evaluate("() => window.model.set('lit', 'two moon')")
    lit = shown(page)
    assert (lit[23:27, 34:46] == 100).all()
    assert (np.abs(lit[5, 5] - (255 - 0.2 * 155)) < 2).all()
    for names in ("moon", ""):
        page.evaluate("(names) => window.model.set('lit', names)", names)
        assert (shown(page) == 100).all()


def test_every_part_of_the_perturbation_lab_is_lit(page):
    plain.mount(page, explore.PerturbationLab().picture)
    page.wait_for_selector("canvas[data-drawn]")
    before = shown(page)
    for term in equations.PERTURB_AND_MAP.terms.values():
        page.evaluate("(name) => window.model.set('lit', name)", term.lights)
        assert (shown(page) != before).any(), term.lights
