"""Every explorer of the notebooks in a real JupyterLab, light and dark: each control moved, painted on, played.

Screenshots and the seconds that each move took are kept in build/artifacts.
"""

import itertools
import json
import re
import shutil
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from browser import lab

ROOT = Path(__file__).parents[2]
ARTIFACTS = ROOT / "build" / "artifacts"
NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
GATE = {("02_messages.ipynb", "Light")}
ALIKE = 0.85  # correlation of the grey levels of two pictures
UNLIKE = {("00_start_here.ipynb", "Dark"), ("16_speed.ipynb", "Dark")}
"""Dark pages whose picture cannot be like the light still: a map has the same colours, times are of another machine."""
STRIDES = {"Deconvolution studio": 4}
"""Sweeps from one recorded sweep to the next, where they are not one."""

pytestmark = lab.MARKS


def looks(explorer) -> tuple[str, str]:
    """What can change when a control moves: the picture, and the sentence below it."""
    return lab.picture(explorer), lab.status(explorer)


HANDLE = ".noUi-handle, .ui-slider-handle"


def move_everywhere(page, row) -> list:
    """Ways to move the control in a row, one after the other; a list ends where it stood, for the controls below it."""
    if row.locator("select").count():
        stood = row.locator("select").evaluate("(list) => list.selectedIndex")
        others = [i for i in range(row.locator("select option").count()) if i != stood]
        return [lambda i=i: row.locator("select").select_option(index=i) for i in (*others, stood)]
    if row.locator("input[type=checkbox]").count():
        return [row.locator("input[type=checkbox]").click] * 2
    handle = row.locator(HANDLE).first
    return [lambda key=key: (handle.focus(), page.keyboard.press(key)) for key in ("Home", "End", "PageDown")]


STANDS_AT = """(row) => {
    const [list, box] = [row.querySelector('select'), row.querySelector('input[type=checkbox]')];
    const old = row.querySelector('.ui-slider-handle'); // of ipywidgets 7
    const at = () => old?.style.cssText ?? row.querySelector('[role=slider]').getAttribute('aria-valuenow');
    return String(list ? list.selectedIndex : box ? box.checked : at());
}"""
"""Where a control stands. A key that does not move it changes no picture, so nothing is waited for."""


def wait_until(condition, patience=3.0) -> None:
    """Wait until a condition holds, and fail if it does not in time."""
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def seconds_to_change(explorer, before, patience=1.5) -> float | None:
    """How long until picture or status are others; None if they stay."""
    start = time.monotonic()
    while time.monotonic() < start + patience:
        if looks(explorer) != before:
            return time.monotonic() - start
        time.sleep(0.02)
    return None


def cases():
    """Notebooks and themes; those that the gate has no time for are marked."""
    for name in NOTEBOOKS:
        for theme in ("Light", "Dark"):
            yield pytest.param(name, theme, marks=[] if (name, theme) in GATE else pytest.mark.all)


@pytest.mark.parametrize(("name", "theme"), list(cases()))
def test_every_control(name, theme, tmp_path):
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    notes, scratch = tmp_path / "notes", tmp_path / "lab"
    notes.mkdir()
    scratch.mkdir()
    shutil.copy(ROOT / "notebooks" / name, notes)
    stem, waits, errors, complaints = f"{Path(name).stem}_{theme.lower()}", {}, [], []
    with lab.server(notes, scratch, theme) as address, lab.page() as page:
        page.on("pageerror", lambda error: errors.append(error.stack or str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        notebook = lab.Notebook(page, address, name)
        notebook.run_all()
        if (name, theme) not in UNLIKE:
            assert_like_the_committed_one(notebook, ROOT / "notebooks" / name)
        found = answer_questions(notebook), use_explorers(page, notebook, stem, waits)
        assert found == there(ROOT / "notebooks" / name)
        assert waits
        assert not page.get_by_text(re.compile("Error displaying widget|model not found")).count()
    slowest = dict(sorted(waits.items(), key=lambda item: -item[1]))
    (ARTIFACTS / f"{stem}_seconds.json").write_text(json.dumps(slowest, indent=1, ensure_ascii=False))
    assert not errors
    assert not [said for said in complaints if any(word in said for word in ("pmp", "anywidget", "Uncaught"))]


def there(path) -> tuple[int, int]:
    """How many questions and explorers the cells of a notebook show; a phase map looks like an explorer."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    shown = re.findall(r"\bexplore\.([A-Z]\w+)\(", code)
    return shown.count("Predict"), sum(name not in ("CourseMap", "Linked", "Predict") for name in shown)


def answer_questions(notebook) -> int:
    """Answer every question of a notebook, and return their number."""
    count = 0
    for guess in notebook.each(".pmp-explorer:has(input[type=radio])"):
        count += 1
        assert not nameless(guess)
        guess.locator("input[type=radio]").first.click()
        guess.get_by_role("button", name="show me", exact=True).click()
        guess.get_by_role("button", name="yes", exact=True).click()
        guess.get_by_text("You were surprised").wait_for()
        assert not nameless(guess)
    return count


def use_explorers(page, notebook, stem, waits) -> int:
    """Use every part of every explorer of a notebook, and return the number of explorers."""
    count = 0
    for count, explorer in enumerate(notebook.each(".pmp-explorer:has(.pmp-controls)"), start=1):
        explorer.screenshot(path=ARTIFACTS / f"{stem}_{count}_before.png")
        move_controls(page, explorer, waits)
        paint_on(page, explorer)
        press_buttons(page, explorer)
        play_through(page, explorer)
        play_control(page, explorer)
        assert not nameless(explorer)
        assert explorer.locator(".pmp-error").count() == 0, lab.status(explorer)
        explorer.screenshot(path=ARTIFACTS / f"{stem}_{count}.png")
    return count


def move_controls(page, explorer, waits) -> None:
    """Every control, everywhere it goes; each must change picture or status.

    Some do so only where another slider is at one of its ends: how to decode is seen after few sweeps.
    """
    rows = explorer.locator(".pmp-controls .pmp-control").all()
    for row in rows:
        if row.locator("option").count() == 1:  # the list of devices, where there is one
            continue
        enable(page, row, rows)
        changed = move_control(page, explorer, row, waits)
        sliders = [one.locator(HANDLE).first for one in rows if one is not row and one.locator(HANDLE).count()]
        for slider, key in itertools.product(sliders, ("Home", "End")):
            if changed:
                break
            slider.focus()
            page.keyboard.press(key)
            page.wait_for_timeout(1000)  # until its own picture is there
            changed = move_control(page, explorer, row, waits)
        assert changed, row.inner_text()


def move_control(page, explorer, row, waits) -> bool:
    """Move one control everywhere it goes; return whether picture or status changed."""
    changed, key = False, f"{explorer.locator('.pmp-title').first.inner_text()}: {lab.name_of(row)}"
    for move in move_everywhere(page, row):
        before, stood = looks(explorer), row.evaluate(STANDS_AT)
        move()
        if row.evaluate(STANDS_AT) == stood:
            continue
        took = seconds_to_change(explorer, before)
        if took is not None:
            changed = True
            waits[key] = round(max(waits.get(key, 0.0), took), 3)
        assert explorer.locator(".pmp-error").count() == 0, lab.status(explorer)
    return changed


def enable(page, row, rows) -> None:
    """Choose from the lists of an explorer until a control can be used that says something of some choices only."""
    for choice in (one.locator("select") for one in rows if one.locator("select").count()):
        for index in range(choice.locator("option").count()):
            if not row.locator("[disabled]").count():
                return
            choice.select_option(index=index)
            page.wait_for_timeout(300)


def paint_on(page, explorer) -> None:
    """A stroke with each brush on the board at the upper left of the picture, where there is one."""
    if not explorer.locator(".pmp-sets").count():
        return
    box, line = explorer.locator(".pmp-picture canvas").bounding_box(), explorer.locator(".pmp-line")
    for brush, height in (("on", 40), ("off", 60), ("free", 50)):
        before = looks(explorer)
        explorer.get_by_role("button", name=brush, exact=True).click()
        page.mouse.move(box["x"] + 20, box["y"] + height)
        page.mouse.down()
        page.mouse.move(box["x"] + 150, box["y"] + height)
        page.mouse.up()
        assert seconds_to_change(explorer, before, 10.0) is not None, brush
    of_own_sampler = re.match(r"\w+: \d+ completions, \d+ different", line.inner_text())
    of_digits = re.match(r"\S+ \w+ after \d+ sweeps: \d+ of 10 digits", line.inner_text())
    assert of_own_sampler or of_digits or "pixels free" in line.inner_text()


def press_buttons(page, explorer) -> None:
    """The code below the picture, and the buttons of the column: pressed twice, they end what they start."""
    code = explorer.locator(".pmp-foot").get_by_role("button", name="copy as code", exact=True)
    if code.count():
        code.click()
        explorer.locator("pre", has_text="explore").or_(explorer.locator("pre", has_text="Store")).wait_for()
        explorer.get_by_role("button", name="hide code", exact=True).click()
    for word in ("start", "step", "restart"):
        button = explorer.locator(".pmp-controls").get_by_role("button", name=word, exact=True)
        if not button.count():
            continue
        count = explorer.locator(".pmp-controls button").count()
        places = [explorer.locator(".pmp-controls button").nth(k) for k in range(count)]
        (place,) = [one for one in places if one.inner_text().strip() == word]
        for _ in range(1 if word == "restart" else 2):
            before = explorer.inner_html()
            place.click()
            wait_until(lambda before=before: explorer.inner_html() != before)
        wait_until(lambda place=place, word=word: place.inner_text().strip() == word)


def play_through(page, explorer) -> None:
    """Play, pause, step and scrub where there is a player."""
    if not explorer.locator(".pmp-player").count():
        return
    readout = explorer.locator(".pmp-player output")
    explorer.get_by_role("button", name="first", exact=True).click()
    assert " 0 of " in readout.inner_text()
    explorer.get_by_role("button", name="step forward", exact=True).click()
    step = STRIDES.get(explorer.locator(".pmp-title").first.inner_text(), 1)
    assert f" {step} of " in readout.inner_text()
    explorer.get_by_role("button", name="play", exact=True).click()
    page.wait_for_timeout(1500)
    explorer.get_by_role("button", name="pause", exact=True).click()
    reached = int(readout.inner_text().split()[1])
    assert 3 <= reached / step <= 1 + 6 * 2  # four frames a second at the start, never more than six
    explorer.locator(".pmp-player canvas").first.focus()
    page.keyboard.press("End")
    last = readout.inner_text().split()
    assert last[1] == last[3]


def play_control(page, explorer) -> None:
    """Let a control play from its start for a while, where one can."""
    buttons = explorer.locator(".pmp-controls .widget-play button")
    if not buttons.count():
        return
    stop, play = (explorer.locator(f".pmp-controls .widget-play button[aria-label='{name}']") for name in NAMES)
    stop.click()
    page.wait_for_timeout(500)
    before = looks(explorer)
    play.click()
    assert seconds_to_change(explorer, before) is not None
    play.click()


NAMES = "stop", "play or pause"
NAMELESS = """(root) => [...root.querySelectorAll('button, select, input, textarea, [tabindex="0"], [role="img"]')]
    .filter((part) => part.offsetParent !== null)
    .filter((part) => {
        const beside = [...(part.labels ?? [])].map((label) => label.textContent).join('');
        const name = part.getAttribute('aria-label') ?? (part.alt || part.title || part.textContent || beside);
        return !name.replaceAll('\\u200b', '').trim();
    })
    .map((part) => part.outerHTML)"""


def nameless(explorer) -> list[str]:
    """What can be used or seen, and has no name for readers who do not see it."""
    return explorer.evaluate(NAMELESS)


def assert_like_the_committed_one(notebook, path) -> None:
    """The first picture of the notebook looks like the one that is committed for readers without a kernel.

    Both are compared small and without colours, where letters that another machine draws otherwise do not matter.
    """
    explorer = next(notebook.each(".pmp-explorer:has(.pmp-picture)"))
    explorer.locator(".pmp-picture canvas[data-drawn]").first.wait_for()
    other = ink(lab.committed_picture(path), 255)

    def alike() -> bool:
        live = lab.decoded(lab.picture(explorer).partition(",")[2]).convert("RGBA")
        dark = explorer.locator(".pmp-bar").first.evaluate("(bar) => bar.style.colorScheme === 'dark'")
        paper = 0 if dark else 255
        live = Image.alpha_composite(Image.new("RGBA", live.size, (paper,) * 3 + (255,)), live)
        same, flipped = (np.corrcoef(ink(live, paper).ravel(), two.ravel())[0, 1] for two in (other, other[::-1]))
        return same > ALIKE > flipped  # flipped: a picture upside down would pass as well

    wait_until(alike, patience=20)  # some explorers draw more and more samples


def ink(picture: Image.Image, paper: int) -> np.ndarray:
    """How much the parts of a picture differ from the paper, (40, 60)."""
    small = picture.convert("L").resize((60, 40), Image.Resampling.BOX)
    return abs(np.asarray(small, float) - paper)
