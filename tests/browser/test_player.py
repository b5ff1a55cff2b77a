"""The player on a plain page: every pixel of every frame, the buttons, the keys, and what screen readers get."""

import numpy as np
import pytest

from browser import lab, plain
from pmp_kit.course import explore
from pmp_kit.course.explore import export
from pmp_kit.course.explore.page import player as players

pytestmark = lab.MARKS
LAST = 9
IMAGES = np.arange(6, dtype=np.uint8).reshape(1, 2, 3)
COLOURS = np.random.default_rng(1).integers(0, 256, (LAST + 1, 6, 3), dtype=np.uint8)
CLIP = explore.Clip(IMAGES, COLOURS, np.linspace(0, 1, LAST + 1), "top", "bottom", first=3, width=300)


@pytest.fixture
def player():
    shown = explore.Player("a test", unit="sweep")
    shown.widget.rate = 6
    return shown


def shown(page) -> int:
    """The number of the frame whose pixels are shown; it must be the one that is written beside the scrubber."""
    frame = plain.pixels(page.locator("canvas").first)[..., :3]
    (number,) = (k for k in range(LAST + 1) if (CLIP.pixels(k) == frame).all())
    assert page.locator("output").inner_text() == f"sweep {number} of {LAST}"
    assert page.get_by_role("slider").input_value() == str(number)
    return number


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


@pytest.mark.parametrize(("frames", "height", "width", "palettes"), [(5, 8, 12, 1), (4, 3, 5, 4), (1, 6, 7, 3)])
def test_every_frame_of_an_exported_page(frames, height, width, palettes, page, tmp_path):
    draw = np.random.default_rng(0)
    images = draw.integers(0, 4, (frames, height, width), dtype=np.uint8)
    colours = draw.integers(0, 256, (palettes, 4, 3), dtype=np.uint8)
    clip = explore.Clip(images, colours, width=50)
    export.write(tmp_path / "player.html", clip, export.Words("a test", "", "", "frame"), 4)
    page.goto((tmp_path / "player.html").as_uri())
    page.wait_for_selector("canvas[data-drawn]")
    for number in range(clip.length):
        frame = plain.pixels(page.locator("canvas").first)
        assert (frame[..., :3] == clip.pixels(number)).all(), f"frame {number}"
        assert (frame[..., 3] == 255).all()
        button(page, "step forward").click()


def test_before_the_first_clip_nothing_happens(player, page):
    plain.mount(page, player.widget)
    for name in ("first", "step back", "play", "step forward", "last"):
        button(page, name).click()
    page.get_by_role("slider").press("End")
    for key in ("End", "ArrowRight", " "):
        page.locator("canvas").first.press(key)
    assert button(page, "play").is_visible()
    player.show(CLIP)
    plain.send(page, player.widget)
    page.wait_for_selector("canvas[data-drawn]")
    assert shown(page) == CLIP.first


def test_buttons_and_keys(player, page):
    player.show(CLIP)
    plain.mount(page, player.widget)
    page.evaluate("() => document.addEventListener('keydown', () => (window.heard = true))")
    page.wait_for_selector("canvas[data-drawn]")
    assert shown(page) == CLIP.first
    for name, reached in (("last", LAST), ("step back", LAST - 1), ("first", 0), ("step back", 0), ("step forward", 1)):
        button(page, name).click()
        assert shown(page) == reached
    for key, reached in (("End", LAST), ("ArrowLeft", LAST - 1), ("Home", 0), ("ArrowRight", 1)):
        page.locator("canvas").first.press(key)
        assert shown(page) == reached
    page.get_by_role("slider").press("End")
    assert shown(page) == LAST
    assert not page.evaluate("() => window.heard"), "JupyterLab would take the keys for its shortcuts"


def test_a_new_clip_keeps_the_frame_that_the_reader_chose(player, page):
    player.show(CLIP)
    plain.mount(page, player.widget)
    page.wait_for_selector("canvas[data-drawn]")
    button(page, "last").click()
    player.show(CLIP._replace(palettes=COLOURS[:6], curve=np.zeros(0)))
    plain.send(page, player.widget)
    page.wait_for_function("() => document.querySelector('output').innerText === 'sweep 5 of 5'")
    assert not page.locator(".pmp-player-curve").is_visible()


def test_the_curve_is_a_scrubber(player, page):
    player.show(CLIP)
    plain.mount(page, player.widget)
    page.wait_for_selector("canvas[data-drawn]")
    box = page.locator(".pmp-player-curve").bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 40)
    page.mouse.down()
    assert shown(page) == 0
    page.mouse.move(box["x"] + 10 + (box["width"] - 20) * 3 / LAST, box["y"] + 40)
    assert shown(page) == 3
    page.mouse.move(box["x"] + box["width"] - 10, box["y"] + 400)  # the pointer may leave the curve
    assert shown(page) == LAST
    page.mouse.up()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 40)
    assert shown(page) == LAST


def test_the_play_button_says_what_it_does(player, page):
    player.show(CLIP)
    plain.mount(page, player.widget)
    page.wait_for_selector("canvas[data-drawn]")
    play = page.locator(".pmp-player-tools button").nth(2)
    for name in ("play", "pause", "play"):
        assert (play.get_attribute("title"), play.get_attribute("aria-label")) == (name, name)
        play.click()


def test_screen_readers_get_a_frame_when_it_stops(player, page):
    """While it plays, nothing is announced of its own: neither by the text nor by the name of the focused picture."""
    player.show(CLIP)
    plain.mount(page, player.widget)
    page.wait_for_selector("canvas[data-drawn]")
    picture, scrubber = page.locator("canvas").first, page.get_by_role("slider")
    assert page.locator("output").get_attribute("aria-live") == "off"
    assert picture.get_attribute("role") == "application"
    picture.press("Home")
    assert picture.get_attribute("aria-label").startswith(f"a test, sweep 0 of {LAST}. Space plays")
    picture.press(" ")
    page.wait_for_function("() => document.querySelector('output').innerText.startsWith('sweep 2 ')")
    assert " 0 of " in picture.get_attribute("aria-label")
    picture.press(" ")
    assert picture.get_attribute("aria-label").startswith(f"a test, sweep {shown(page)} of {LAST}.")
    assert scrubber.get_attribute("aria-valuetext") == page.locator("output").inner_text()


def test_rates_come_from_python(page, tmp_path, monkeypatch):
    monkeypatch.setattr(players, "RATES", (2, 3, 40))
    monkeypatch.setattr(players, "RATE", 3)
    for target in ("widget", "page"):
        if target == "widget":
            plain.mount(page, explore.Player("a test").widget)
        else:
            export.write(tmp_path / "player.html", CLIP, export.Words("a test", "", "", "frame"), 3)
            page.goto((tmp_path / "player.html").as_uri())
        assert page.locator("option").all_inner_texts() == ["2 / s", "3 / s", "40 / s"]
        assert page.get_by_role("combobox").input_value() == "3"


def test_the_end_of_a_view_ends_its_animation(player, page):
    player.show(CLIP)
    plain.mount(page, player.widget)
    page.wait_for_selector("canvas[data-drawn]")
    button(page, "play").click()
    page.evaluate("() => window.end()")
    assert button(page, "play").is_visible()
    drawn = page.locator("canvas").first.get_attribute("data-drawn")
    page.wait_for_timeout(300)  # longer than a frame
    plain.send(page, player.widget)
    page.wait_for_timeout(200)
    assert page.locator("canvas").first.get_attribute("data-drawn") == drawn


def test_the_kernel_may_ask_for_a_frame(player, page):
    player.show(CLIP)
    plain.mount(page, player.widget)
    page.wait_for_selector("canvas[data-drawn]")
    for frame in (7, 7, 2):
        button(page, "last").click()
        player.go(frame)
        plain.send(page, player.widget)
        assert shown(page) == frame
