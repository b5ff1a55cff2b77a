"""Linked equations on a plain page: mouse, focus, keys, the picture, and the page without a kernel."""

import pytest

from browser import lab, plain
from pmp_kit.course import explore
from pmp_kit.course.explore.linked import equations, listings

pytestmark = lab.MARKS
TERMS, LINES = ".pmp-row [data-term]", ".pmp-listing [data-term]"
LIT = """() => Array.from(document.querySelectorAll('.pmp-lit'))
    .map((part) => (part.closest('.pmp-row') ? part.dataset.term : part.textContent.trim()))"""


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
    """Open what a page without a kernel shows."""
    page.set_content(f"<!doctype html><body>{linked._repr_mimebundle_()[0]['text/html']}")


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
        assert page.evaluate("() => document.activeElement.classList.contains('pmp-lit')")
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


def test_every_part_lights_up_marks_of_the_picture(page):
    plain.mount(page, explore.MessageScope().picture)
    page.locator("canvas[data-drawn]").wait_for()
    before = plain.pixels(page.locator("canvas"))
    for term in equations.MESSAGE.terms.values():
        page.evaluate("(name) => window.model.set('lit', name)", term.lights)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        lit = plain.pixels(page.locator("canvas"))
        assert (lit != before).any(), term.lights
    page.evaluate("() => window.model.set('lit', '')")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert (plain.pixels(page.locator("canvas")) == before).all()
