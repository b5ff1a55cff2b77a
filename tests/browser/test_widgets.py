"""The other widgets on a plain page: still pictures, the pixels to paint, the names of controls, the code of a view."""

import numpy as np
import pytest
from toys import Toy

from browser import lab, plain
from pmp_kit import FREE
from pmp_kit.course import explore
from pmp_kit.course.explore import failure_list, layout
from pmp_kit.course.explore.history import MOST, History, View, small
from pmp_kit.course.explore.page import sources
from pmp_kit.course.explore.page.code import CodeButton
from pmp_kit.course.explore.page.told import Told
from pmp_kit.course.plot.pixels import HATCH_DARK, HATCH_LIGHT

pytestmark = lab.MARKS


@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 5), (40, 24)])
def test_a_still_shows_the_newest_picture(height, width, page):
    still, sent = explore.Still(100), []
    draw = np.random.default_rng(0)
    large, picture = (draw.integers(0, 256, (*size, 3), dtype=np.uint8) for size in ((600, 500), (height, width)))
    plain.mount(page, still.widget)
    for one in (large, picture):  # the first one takes longer to read
        still.show(one)
        sent.append(plain.traits_of(still.widget))
    page.evaluate("(sent) => sent.forEach((one) => window.receive(...one))", sent)
    page.wait_for_selector("canvas[data-drawn]")
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 200))")  # the first one is ready by then
    shown = plain.pixels(page.locator("canvas"))
    assert (shown[..., :3] == picture).all()
    assert (shown[..., 3] == 255).all()


def test_the_picture_of_a_failed_explorer_is_dimmed(page):
    """The picture alone: what is pinned below it and the pixels to paint are as good as before."""
    toy = Toy()
    toy._frame.complain("planted")
    page.set_content(
        f"""<style>{sources.style()}</style><div class="{" ".join(toy.widget._dom_classes)}">
        <div class="pmp-controls"><div class="pmp-painter"><canvas></canvas></div></div>
        <div class="pmp-picture"><div class="pmp-still"><canvas></canvas></div>
        <div class="pmp-pin"><div class="pmp-still"><canvas></canvas></div></div></div></div>"""
    )
    shown = "(all) => all.map((canvas) => getComputedStyle(canvas).opacity)"
    assert page.locator("canvas").evaluate_all(shown) == ["1", "0.3", "1"]


BROKEN = {
    "render": ("return showPicture(", "return missing(", "0"),
    "a handler": ('["lit"], draw', '["lit"], () => missing()', "window.model.set('lit', 'a')"),
    "a promise": ("", "", "window.receive({}, { image: btoa('these are not the bytes of a picture') })"),
}
"""What is wrong in the script of a picture: code, what stands in its place, and what then happens on the page."""


@pytest.mark.parametrize("name", BROKEN)
def test_what_a_script_raises_is_shown_and_reaches_the_kernel(name, chromium_page):
    (code, instead, happens), widget = BROKEN[name], explore.Still(100).widget
    widget._esm = widget._esm.replace(code, instead, 1)
    chromium_page.goto("about:blank")
    plain.mount(chromium_page, widget)
    chromium_page.evaluate(f"() => void {happens}")
    said = chromium_page.get_by_role("alert").inner_text()
    (sent,) = chromium_page.evaluate("() => window.sent")
    widget._handle_custom_msg(sent, [])
    (failure,) = failure_list.failures()
    failure_list.clear_failures()
    assert failure.where == "the script of StillView"
    for text in (said, failure.text):
        assert ("missing is not defined" if code else "what arrived cannot be read") in text


@pytest.fixture
def painter(page):
    made = explore.PixelPainter(np.full((3, 4), FREE), "evidence", cell=24)
    plain.mount(page, made.widget)
    return made


def painted(page) -> np.ndarray:
    """What the page has sent to the kernel, (3, 4) of 0 off, 1 on, 2 free, once the next frame is drawn."""
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    return np.reshape(page.evaluate("() => Array.from(new Uint8Array(window.model.get('pixels').buffer))"), (3, 4))


@pytest.mark.usefixtures("painter")
def test_free_pixels_are_as_grey_as_in_the_pictures(page):
    shown = plain.pixels(page.locator("canvas"))[4:44, 4:44]  # within one pixel, away from the lines of the grid
    assert (shown[..., :1] == shown[..., :3]).all()
    values, counts = np.unique(shown[..., 0], return_counts=True)
    assert (values.min(), values.max()) == (HATCH_DARK, HATCH_LIGHT)
    assert counts[[0, -1]].min() > 100
    stripes = page.evaluate("() => getComputedStyle(document.querySelector('.pmp-brush-free'), '::before').background")
    for grey in (HATCH_DARK, HATCH_LIGHT):
        assert f"rgb({grey}, {grey}, {grey})" in stripes


@pytest.mark.usefixtures("painter")
def test_painting_with_the_mouse(page):
    box = page.locator("canvas").bounding_box()
    page.mouse.move(box["x"] + 12, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 84, box["y"] + 12)  # skips two pixels
    page.mouse.up()
    page.mouse.move(box["x"] + 12, box["y"] + 60)
    assert painted(page).tolist() == [[1, 1, 1, 1], [2, 2, 2, 2], [2, 2, 2, 2]]
    assert page.evaluate("() => window.saved") <= 2, "one message for each frame of the screen"
    page.get_by_role("button", name="off").click()
    page.locator("canvas").click(position={"x": 36, "y": 12})
    assert painted(page)[0].tolist() == [1, 0, 1, 1]
    assert plain.pixels(page.locator("canvas"))[24, [24, 72], 0].tolist() == [0, 255]
    page.get_by_role("button", name="all free").click()
    assert (painted(page) == 2).all()
    page.locator("canvas").click(position={"x": 36, "y": 12}, button="right")
    assert (painted(page) == 2).all(), "that is for the menu of the page"


@pytest.mark.usefixtures("painter")
def test_painting_with_keys(page):
    canvas = page.locator("canvas")
    for key in ("ArrowDown", "ArrowRight", "1", "ArrowRight", "0", "ArrowUp", "ArrowUp", "Enter", "ArrowDown", "f"):
        canvas.press(key)
    assert painted(page).tolist() == [[2, 2, 1, 2], [2, 1, 2, 2], [2, 2, 2, 2]]
    assert canvas.get_attribute("aria-label").startswith("evidence: row 2, column 3 is free.")


@pytest.mark.usefixtures("painter")
def test_keys_of_the_browser_paint_nothing(page):
    page.evaluate("() => window.host.addEventListener('keydown', (event) => (window.last = event))")
    page.keyboard.press("Tab")
    page.keyboard.press("1")
    for keys in ("Control+f", "Control+0", "Meta+f", "Alt+ArrowRight"):
        page.keyboard.press(keys)
        assert not page.evaluate("() => window.last.defaultPrevented"), keys
    assert painted(page)[0].tolist() == [1, 2, 2, 2]
    page.keyboard.press("Shift+F")  # as with caps lock
    assert (painted(page) == 2).all()


def test_the_kernel_paints(painter, page):
    painter.values = np.eye(3, 4, dtype=int)
    plain.send(page, painter.widget)
    assert (plain.pixels(page.locator("canvas"))[24::48, 24::48, 0] == 255 * (1 - painter.values)).all()


EXPLORER = """() => {
    const explorer = document.createElement('div');
    explorer.className = 'pmp-explorer';
    explorer.append(window.host);
    document.body.append(explorer);
}"""
CONTROL = """() => window.host.parentElement.insertAdjacentHTML('beforeend', `
    <div class="pmp-control"><label></label><label>damping\u200b</label><div class="noUi-handle"></div></div>
    <div class="widget-play"><button><i class="fa fa-play"></i></button></div>
    <div class="pmp-still"><canvas></canvas></div>
    <div class="pmp-pin">pinned before <div class="pmp-still"><canvas></canvas></div></div>`)"""
NAMES = """() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() =>
    resolve(Array.from(document.querySelectorAll('.noUi-handle, button, canvas'), (part) => part.ariaLabel)))))"""


def test_controls_get_their_names_whenever_they_appear(page):
    """Without timers: on a slow machine a control may appear later than any."""
    page.evaluate("() => (window.setTimeout = () => 0)")
    labels = layout._Labels(picture="four bars")
    plain.mount(page, labels)
    page.evaluate(EXPLORER)
    page.evaluate(NAMES)
    page.evaluate(CONTROL)
    assert page.evaluate(NAMES) == ["damping", "play or pause", "four bars", "pinned before"]
    page.evaluate("() => (document.querySelector('i').className = 'fa fa-stop')")
    assert page.evaluate(NAMES)[1] == "stop"
    labels.picture = "five bars"
    plain.send(page, labels)
    assert page.evaluate(NAMES) == ["damping", "stop", "five bars", "pinned before"]


def test_a_call_scrolls_to_the_picture_if_it_is_out_of_view(page):
    labels = layout._Labels(picture="four bars")
    plain.mount(page, labels)
    page.evaluate(EXPLORER)
    page.evaluate(
        """() => {
        document.querySelector(".pmp-explorer").insertAdjacentHTML("afterbegin", "<div class='pmp-picture'>four</div>");
        document.body.insertAdjacentHTML("beforeend", "<div style='height: 3000px'></div>");
        }"""
    )
    for start in (2000, 0):
        page.evaluate("(y) => window.scrollTo(0, y)", start)
        labels.calls += 1
        plain.send(page, labels)
        page.evaluate(NAMES)
        assert page.evaluate("() => window.scrollY") < 100


def test_the_code_of_a_view_is_shown_and_selected(page):
    made = CodeButton(lambda: "explore.Race(seed=3)")
    plain.mount(page, made.widget)
    button = page.get_by_role("button")
    button.click()
    assert page.evaluate("() => window.model.get('shown')")
    made.widget.shown = True
    plain.send(page, made.widget)
    assert page.locator("pre").inner_text() == "explore.Race(seed=3)"
    assert page.evaluate("() => String(window.getSelection())") == "explore.Race(seed=3)"
    page.wait_for_function("() => /copied|selected/.test(document.querySelector('output').textContent)")
    assert (button.inner_text(), button.get_attribute("aria-expanded")) == ("hide code", "true")
    button.click()
    made.widget.shown = False
    plain.send(page, made.widget)
    assert not page.locator("pre").is_visible()
    assert page.locator("output").inner_text() == ""


def test_the_last_views_are_pictures_to_click(page):
    asked = []
    strip = History(asked.append)
    plain.mount(page, strip.widget)
    assert page.locator("button").count() == 0
    grey = small(np.full((4, 8, 3), 99, np.uint8))
    for number in range(2):
        strip.keep(View({"number": number}, f"number {number}", grey))
    plain.send(page, strip.widget)
    buttons = page.get_by_role("button")
    page.wait_for_function("() => document.querySelectorAll('button').length === 2")
    assert [one.get_attribute("aria-label") for one in buttons.all()] == ["return to: number 0", "return to: number 1"]
    page.wait_for_function("() => [...document.querySelectorAll('img')].every((one) => one.naturalWidth === 112)")
    serial = strip.widget.serials[1]
    buttons.nth(1).click()
    assert page.evaluate("() => window.model.get('asked')") == [serial, 1]
    buttons.nth(1).focus()
    page.keyboard.press("Enter")
    assert page.evaluate("() => window.model.get('asked')") == [serial, 2]
    strip.widget.asked = [serial, 2]
    assert asked == [{"number": 1}]


def test_the_focus_stays_on_its_view_when_the_oldest_one_goes(page):
    strip, grey = History(print), small(np.full((4, 8, 3), 99, np.uint8))
    for number in range(MOST):
        strip.keep(View({"number": number}, f"number {number}", grey))
    plain.mount(page, strip.widget)
    page.get_by_role("button", name="number 3").focus()
    for number in range(2):
        strip.keep(View({"number": MOST + number}, f"number {MOST + number}", grey))
        plain.send(page, strip.widget)
    page.get_by_role("button", name=f"number {MOST + 1}").wait_for()
    assert page.evaluate("() => document.activeElement.title") == "return to: number 3"


def test_a_strip_that_has_ended_keeps_no_picture_in_the_page(page):
    strip, grey = History(print), small(np.full((4, 8, 3), 99, np.uint8))
    strip.keep(View({"number": 0}, "number 0", grey))
    page.evaluate("""() => {
        window.addresses = new Set();
        const [create, revoke] = [URL.createObjectURL, URL.revokeObjectURL];
        URL.createObjectURL = (blob) => {
            const address = create(blob);
            if (blob.type === 'image/png') window.addresses.add(address);
            return address;
        };
        URL.revokeObjectURL = (address) => window.addresses.delete(address) && revoke(address);
    }""")
    plain.mount(page, strip.widget)
    assert page.evaluate("() => window.addresses.size") == 1
    strip.keep(View({"number": 1}, "number 1", grey))
    words = "([plain, buffers]) => { window.receive(plain, buffers); window.end(); }"  # in one turn of the page
    page.evaluate(words, list(plain.traits_of(strip.widget)))
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.evaluate("() => window.addresses.size") == 0


WORDS = [f"block {row}, {column}" for row in range(2) for column in range(3)]


@pytest.fixture
def told(page):
    """A picture with 2 x 3 blocks of 20 x 10 pixels, at the left and the top a margin of 10 pixels."""
    grid = {"left": 10, "top": 10, "wide": 20, "high": 10, "rows": 2, "columns": 3}
    made = Told(80, grid, WORDS, "point at a block")
    made.show(np.full((40, 80, 3), 200, np.uint8))
    plain.mount(page, made.widget)
    page.wait_for_selector("canvas[data-drawn]")
    return made


def outlined(page) -> set[tuple[int, int]]:
    """The blocks with blue on their left and right edges."""
    shown = plain.pixels(page.locator("canvas")).astype(int)
    blue = (np.abs(shown[..., :3] - [0, 114, 178]) < 40).all(-1)
    edges = [blue[13 : 13 + 14 : 10, at - 1 : at + 2].any(1) for at in (10, 30, 50, 70)]  # each: one value for a row
    return {(r, c) for r in range(2) for c in range(3) if edges[c][r] and edges[c + 1][r]}


@pytest.mark.usefixtures("told")
def test_a_block_says_what_it_is_by_mouse(page):
    box, says = page.locator("canvas").bounding_box(), page.locator("output")
    assert says.inner_text() == "point at a block"
    for row, column in ((0, 0), (1, 2)):
        at = (10 + 20 * column + 10) / 80 * box["width"], (10 + 10 * row + 5) / 40 * box["height"]
        page.mouse.move(box["x"] + at[0], box["y"] + at[1])
        assert says.inner_text() == f"block {row}, {column}"
        assert outlined(page) == {(row, column)}
    page.mouse.move(box["x"] + 1, box["y"] + 1)
    assert says.inner_text() == "point at a block"
    assert outlined(page) == set()


@pytest.mark.usefixtures("told")
def test_a_block_says_what_it_is_by_keyboard(page):
    page.mouse.move(990, 790)
    page.keyboard.press("Tab")
    assert page.locator("output").inner_text() == "block 0, 0"
    said = []
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
        said.append(page.locator("output").inner_text().removeprefix("block "))
    assert said == ["0, 1", "1, 1", "1, 2", "1, 2", "0, 2", "0, 1"]
    assert outlined(page) == {(0, 1)}
    assert page.locator("output").get_attribute("aria-live") == "polite"
    page.keyboard.press("Tab")
    assert page.locator("output").inner_text() == "point at a block"
