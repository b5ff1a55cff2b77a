"""What a picture does on the page around it: names of controls, scrolling, keys, errors."""

import pytest

from browser import lab, plain
from helpers.drawn_toy import DrawnToy
from pmp_kit.course.explore import failure_list

pytestmark = lab.MARKS
CONTROLS = """() => window.host.parentElement.insertAdjacentHTML('afterbegin', `
    <div class="pmp-control"><label></label><label>damping\u200b</label><div class="noUi-handle"></div></div>
    <div class="pmp-upright"><label>message 1</label><div class="noUi-handle"></div></div>
    <div class="widget-play"><button><i class="fa fa-play"></i></button></div>`)"""
NAMES = "() => Array.from(document.querySelectorAll('.noUi-handle, .widget-play button'), (part) => part.ariaLabel)"

IN_VIEW = """() => {
    const { top, bottom } = document.querySelector('canvas').getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
}"""


@pytest.fixture
def toy(page):
    made = DrawnToy()
    plain.mount(page, made.picture)
    page.locator("canvas[data-drawn]").wait_for()
    return made


def test_controls_get_their_names_whenever_they_appear(page):
    """Without timers: on a slow machine a control may appear later than any."""
    page.evaluate("() => { window.setTimeout = () => 0; document.body.className = 'pmp-explorer'; }")
    plain.mount(page, DrawnToy().picture)
    page.evaluate(plain.FRAMES)
    page.evaluate(CONTROLS)
    page.evaluate(plain.FRAMES)
    assert page.evaluate(NAMES) == ["damping", "message 1", "play or pause"]
    page.evaluate("() => (document.querySelector('i').className = 'fa fa-stop')")
    page.evaluate(plain.FRAMES)
    assert page.evaluate(NAMES)[-1] == "stop"


@pytest.mark.usefixtures("toy")
def test_the_kernel_scrolls_the_picture_into_view(page):
    for place in ("afterbegin", "beforeend"):
        tall = "(at) => document.body.insertAdjacentHTML(at, '<div style=\"height: 3000px\"></div>')"
        page.evaluate(tall, place)
    for start in (0, 5000):
        page.evaluate("(y) => window.scrollTo(0, y)", start)
        assert not page.evaluate(IN_VIEW)
        page.evaluate("() => window.tell('msg:custom', { scroll: true })")
        assert page.evaluate(IN_VIEW)


@pytest.mark.usefixtures("toy")
def test_keys_of_the_browser_and_of_the_notebook(page):
    """The picture leaves those of the browser to it, and keeps all from the notebook."""
    page.evaluate("""() => {
        window.host.addEventListener('keydown', (event) => (window.last = event));
        document.addEventListener('keydown', () => (window.heard = true));
    }""")
    page.locator("canvas").focus()
    for keys in ("Control+f", "Control+0", "Meta+f", "Alt+ArrowRight", "a"):
        page.keyboard.press(keys)
        assert not page.evaluate("() => window.last.defaultPrevented"), keys
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => window.last.defaultPrevented")
    assert not page.evaluate("() => window.heard")


def test_an_error_of_a_handler_is_shown_and_reaches_the_list_of_failures(chromium_page):
    toy = DrawnToy()
    handler = 'view.complain(view.model.get("error"))'
    assert handler in toy.picture._esm
    toy.picture._esm = toy.picture._esm.replace(handler, "missing()")
    chromium_page.goto("about:blank")
    plain.mount(chromium_page, toy.picture)
    chromium_page.evaluate("() => window.model.set('error', 'planted')")
    assert "missing is not defined" in chromium_page.get_by_role("alert").inner_text()
    (sent,) = chromium_page.evaluate("() => window.sent")
    toy.picture._handle_custom_msg(sent, [])
    (failure,) = failure_list.failures()
    failure_list.clear_failures()
    assert failure.where == "the script of DrawnToy"
    assert "missing is not defined" in failure.text
