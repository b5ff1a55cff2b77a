"""Pictures that the page draws, on a plain page: pointer, touch, keyboard, play, painting, themes, errors, exports."""

import numpy as np
import pytest

from browser import lab, plain
from helpers.drawn_toy import DrawnToy
from helpers.explorers import small_digits
from pmp_kit.course import explore

pytestmark = lab.MARKS
DRAWN = "() => Number(document.querySelector('canvas').dataset.drawn)"
SAME_COLOURS = """() => {
  const [stage, page] = [".pmp-stage", "body"].map((name) => getComputedStyle(document.querySelector(name)));
  return stage.color === page.color && stage.backgroundColor === page.backgroundColor;
}"""


def opened(page, explorer, **media):
    page.emulate_media(color_scheme=media.get("scheme", "light"), reduced_motion=media.get("motion", "no-preference"))
    page.set_viewport_size({"width": 1000, "height": 900})
    plain.mount(page, explorer.picture)
    page.locator("canvas[data-drawn]").wait_for()
    return page.locator("canvas")


@pytest.fixture
def scope(page):
    explorer = explore.MessageScope("triangle", layers=("states", "noise", "messages"))
    opened(page, explorer)
    return explorer


def tip(page) -> str:
    page.evaluate(plain.FRAMES)
    element = page.locator(".pmp-tip")
    return element.inner_text() if element.is_visible() else ""


def readout(page) -> str:
    return page.locator("output").inner_text()


def hover(page, x: float, y: float) -> None:
    """Point at a place, in shares of the canvas."""
    box = page.locator("canvas").bounding_box()
    page.mouse.move(box["x"] + x * box["width"], box["y"] + y * box["height"])


def test_pointing_shows_the_numbers_and_leaving_hides_them(scope, page):
    found = set()
    for x in np.linspace(0.02, 0.98, 30):
        for y in (0.2, 0.35, 0.6):
            hover(page, x, y)
            found.add(tip(page).split("\n")[0])
    assert {"variable x1", "message m1→2"} <= found or len(found) > 3, found
    page.mouse.move(1, 890)
    assert tip(page) == ""
    assert page.evaluate(DRAWN) == 1, "pointing draws no new state"


def test_arrow_keys_walk_the_marks_and_speak(scope, page):
    page.keyboard.press("Tab")
    while page.evaluate("() => document.activeElement.tagName") != "CANVAS":
        page.keyboard.press("Tab")
    titles = set()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowLeft", "ArrowDown") * 4:
        page.keyboard.press(key)
        shown, spoken = tip(page), page.locator(".pmp-unseen").inner_text()
        titles.add(shown.split("\n")[0].split()[0])
        assert shown.split("\n")[0].split()[0] in spoken
    assert {"variable", "message", "after"} & titles
    assert len(titles) > 1
    page.keyboard.press("Escape")
    assert tip(page) == ""


def test_play_step_and_scrub(scope, page):
    page.get_by_role("button", name="first").click()
    assert readout(page) == "sweep 0 of 64"
    page.get_by_role("button", name="step forward").click()
    assert readout(page) == "sweep 1 of 64"
    page.locator("select").select_option("30")
    before = page.evaluate(DRAWN)
    page.get_by_role("button", name="play").click()
    page.wait_for_timeout(600)
    page.get_by_role("button", name="pause").click()
    reached = int(readout(page).split()[1])
    assert 3 <= reached <= 1 + 30
    assert page.evaluate(DRAWN) - before > reached - 1, "it moves between the sweeps, too"
    page.locator("canvas").focus()
    page.keyboard.press("End")
    assert readout(page) == "sweep 64 of 64"
    page.keyboard.press("Home")
    page.locator("input[type=range]").fill("9")
    assert readout(page) == "sweep 9 of 64"
    assert page.evaluate("() => window.saved") == 0
    assert page.evaluate("() => window.sent.length") == 0


def test_a_state_is_drawn_when_it_arrives(scope, page):
    """No frame of the screen is waited for, so a slider is not a frame late."""
    scope.controls["coupling"].value = 0.5
    traits = plain.traits_of(scope.picture)
    counts = page.evaluate(
        """([plain, buffers]) => {
            const drawn = () => Number(document.querySelector('canvas').dataset.drawn), before = drawn();
            window.receive(plain, buffers);
            return [before, drawn()];
        }""",
        list(traits),
    )
    assert counts[1] == counts[0] + 1


def test_layers_are_chosen_in_the_page(scope, page):
    canvas = page.locator("canvas")
    for name in ("states", "noise", "beliefs", "messages", "truth"):
        before = plain.pixels(canvas)
        page.locator(".pmp-chip", has_text=name).click()
        page.evaluate(plain.FRAMES)
        assert (plain.pixels(canvas) != before).any(), name
    assert page.evaluate("() => window.saved + window.sent.length") == 0


@pytest.fixture
def studio(page):
    explorer = explore.SixtySecondPMP(**small_digits())
    opened(page, explorer)
    return explorer


def painted(page) -> np.ndarray:
    numbers = page.evaluate("() => Array.from(new Uint8Array(window.model.get('painted').buffer))")
    return np.array(numbers).reshape(8, 8)


def test_a_stroke_paints_every_pixel_on_its_way(studio, page):
    box = page.locator("canvas").bounding_box()
    cell = box["width"] * 0.295 / 8
    before = painted(page)
    page.get_by_role("button", name="free", exact=True).click()
    page.mouse.move(box["x"] + 1.5 * cell, box["y"] + 24 + 1.5 * cell)
    page.mouse.down()
    page.mouse.move(box["x"] + 6.5 * cell, box["y"] + 24 + 1.5 * cell)
    page.mouse.up()
    page.evaluate(plain.FRAMES)
    assert (painted(page)[1, 1:7] == 2).all()
    assert (painted(page) != before).sum() == (before[1, 1:7] != 2).sum()
    assert 1 <= page.evaluate("() => window.saved") <= 3
    page.get_by_role("button", name="all free").click()
    assert (painted(page) == 2).all()


def test_the_keyboard_paints(studio, page):
    page.keyboard.press("Tab")
    while page.evaluate("() => document.activeElement.tagName") != "CANVAS":
        page.keyboard.press("Tab")
    for key, value in {"1": 1, "0": 0, "f": 2, "Enter": 1}.items():
        page.keyboard.press(key)
        assert painted(page)[0, 0] == value
        page.evaluate(plain.FRAMES)
    assert "row 1, column 1" in tip(page)


TOUCH = """([kind, x, y]) => {
    const canvas = document.querySelector('canvas');
    const options = { clientX: x, clientY: y, pointerId: 7, pointerType: 'touch', bubbles: true, isPrimary: true };
    canvas.setPointerCapture = () => {};
    canvas.dispatchEvent(new PointerEvent(kind, options));
}"""


def test_a_long_press_shows_the_tip_and_a_tap_paints(studio, page):
    box = page.locator("canvas").bounding_box()
    at = [box["x"] + 20, box["y"] + 24 + 20]
    kept = painted(page)
    page.evaluate(TOUCH, ["pointerdown", *at])
    page.wait_for_timeout(600)
    page.evaluate(TOUCH, ["pointerup", *at])
    assert "row 1, column 1" in tip(page)
    assert (painted(page) == kept).all()
    page.get_by_role("button", name="off", exact=True).click()
    wanted = 0 if kept[0, 0] else 1
    page.get_by_role("button", name=("off", "on")[wanted], exact=True).click()
    for kind in ("pointerdown", "pointerup"):
        page.evaluate(TOUCH, [kind, *at])
    assert painted(page)[0, 0] == wanted


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_takes_the_theme_of_the_page(scheme, page):
    canvas = opened(page, explore.MessageScope(), scheme="dark" if scheme == "light" else "light")
    page.evaluate("(scheme) => (document.documentElement.style.colorScheme = scheme)", scheme)
    page.wait_for_timeout(100)
    page.evaluate(plain.FRAMES)
    ink = plain.pixels(canvas)
    strong = ink[ink[..., 3] == 255][:, :3].astype(int)
    grey = strong[(np.ptp(strong, axis=1) < 4)]
    assert ((grey.mean(1) > 200) if scheme == "dark" else (grey.mean(1) < 60)).any()
    page.evaluate("() => (document.documentElement.style.colorScheme = '')")


def test_an_error_of_the_kernel_is_shown_and_cleared(page):
    toy = DrawnToy()
    opened(page, toy)
    toy.picture.error = "RuntimeError while computing a picture: planted"
    plain.send(page, toy.picture)
    assert page.get_by_role("alert").inner_text().endswith("planted")
    assert page.locator(".pmp-old canvas").count() == 1
    toy.controls["number"].value = 11
    plain.send(page, toy.picture)
    assert page.locator(".pmp-old, [role=alert]").count() == 0
    assert page.locator(".pmp-line").inner_text() == "number 11 of kind b, 0 found"


def test_an_error_of_the_script_is_shown_and_reported_once(page):
    toy = DrawnToy()
    opened(page, toy)
    toy.restore({"number": 13, "kind": "a"})
    for _ in range(2):
        plain.send(page, toy.picture)
    assert "planted in draw" in page.get_by_role("alert").inner_text()
    (sent,) = page.evaluate("() => window.sent")
    assert "planted in draw" in sent["pmp_kit_failure"]


def test_a_drag_calls_every_cell_once(page):
    opened(page, DrawnToy())
    box = page.locator("canvas").bounding_box()
    place = lambda col, row: (box["x"] + 40 + 20 * col + 10, box["y"] + 110 + 20 * row + 10)  # noqa: E731
    page.mouse.move(*place(0, 0))
    page.mouse.down()
    page.mouse.move(*place(3, 1))
    page.mouse.move(place(4, 1)[0] + 300, place(4, 1)[1])  # out of the mark: the nearest cell
    page.mouse.up()
    pressed = [tuple(cell) for cell in page.evaluate("() => window.pressed")]
    assert pressed[0] == (0, 0)
    assert pressed[-1] == (1, 4)
    assert [col for _, col in pressed] == [0, 1, 2, 3, 4]


def test_buttons_ask_the_kernel(page):
    toy = DrawnToy()
    opened(page, toy)
    page.get_by_role("button", name="reset").click()
    page.get_by_role("button", name="copy as code").click()
    assert page.evaluate("() => window.sent") == [{"ask": "reset"}, {"ask": "code", "copy": True}]
    page.evaluate("() => window.tell('msg:custom', { code: 'Toy()', copy: false })")
    assert page.locator("pre").inner_text() == "Toy()"
    page.get_by_role("button", name="hide code").click()
    assert page.locator("pre").is_hidden()


def exported(page, text: str) -> None:
    """Open an exported page; anything that it would fetch fails the test."""
    asked = []
    page.route("**/*", lambda route: (asked.append(route.request.url), route.abort()))
    page.set_content(text)
    page.locator("canvas[data-drawn]").first.wait_for()
    page.unroute("**/*")
    assert not asked


def test_an_exported_page_has_real_sliders_and_tips(page, tmp_path):
    scope = explore.MessageScope("triangle", damping=0.0, start="zero", seed=0)
    text = scope.export(tmp_path / "scope.html", {"topology": ["triangle", "line"], "damping": [0.0, 0.5, 0.9]})
    assert (tmp_path / "scope.html").read_text(encoding="utf-8") == text
    exported(page, text)
    line = page.locator(".pmp-line")
    assert "cycles with period 2" in line.inner_text()
    slider = page.locator(".pmp-given input")
    slider.fill("1")
    assert "settled after" in line.inner_text()
    assert page.locator(".pmp-given output").inner_text() == "0.5"
    page.locator(".pmp-given select").select_option(label="line")
    expected = explore.MessageScope("line", damping=0.5, start="zero", seed=0)
    assert line.inner_text() == expected.says(expected.state)
    page.locator("canvas").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert "edge of x 1 and x 2" in page.locator(".pmp-unseen").inner_text()
    page.get_by_role("button", name="first").click()
    assert readout_of(page) == "sweep 0 of 64"
    assert page.get_by_role("button", name="copy as code").count() == 0


def readout_of(page) -> str:
    return page.locator(".pmp-bar output").inner_text()


def test_an_exported_page_follows_the_system_to_dark_and_back(page, tmp_path):
    """The picture kept its first colours: its own colour scheme decided what Canvas and CanvasText are."""
    file = tmp_path / "page.html"
    explore.MessageScope("triangle").export(file)
    colours = []
    for scheme in ("light", "dark", "light"):
        page.emulate_media(color_scheme=scheme)
        if not colours:
            page.goto(file.as_uri())
            page.locator("canvas[data-drawn]").wait_for()
        page.wait_for_function(SAME_COLOURS)  # those of the stage arrive with its transition: see look.css
        colours.append(page.evaluate("() => getComputedStyle(document.body).color"))
    light, dark, again = colours
    assert light == again != dark
