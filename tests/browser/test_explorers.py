"""Every explorer of the notebooks in a real JupyterLab, light and dark: each control moved, the player played."""

import shutil
import time
from pathlib import Path

import pytest

from browser import lab

ROOT = Path(__file__).parents[2]
ARTIFACTS = ROOT / "build" / "artifacts"
NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))

pytestmark = [
    pytest.mark.all,
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(lab.CHROMIUM is None, reason="no Chromium found; apt-get install chromium"),
]


def looks(explorer) -> tuple[str, str]:
    """What can change when a control moves: the picture, and the numbers in the status line."""
    return lab.picture(explorer), lab.status(explorer)


def move_everywhere(page, row) -> list:
    """Ways to move the control in a row, one after the other."""
    if row.locator("select").count():
        options = row.locator("select option").count()
        return [lambda i=i: row.locator("select").select_option(index=i) for i in reversed(range(options))]
    if row.locator("input[type=checkbox]").count():
        return [row.locator("input[type=checkbox]").click] * 2
    handle = row.locator(".noUi-handle, .ui-slider-handle").first
    return [lambda key=key: (handle.focus(), page.keyboard.press(key)) for key in ("Home", "End", "PageDown")]


def seen_to_change(explorer, before, seconds=3.0) -> bool:
    """Whether picture or status become others within a while."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if looks(explorer) != before:
            return True
        time.sleep(0.03)
    return False


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_control(name, theme, tmp_path):
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    notes, scratch = tmp_path / "notes", tmp_path / "lab"
    notes.mkdir()
    scratch.mkdir()
    shutil.copy(ROOT / "notebooks" / name, notes)
    with lab.server(notes, scratch, theme) as address, lab.page() as page:
        notebook = lab.Notebook(page, address, name)
        notebook.run_all()
        for guess in notebook.each(".pmp-explorer:has(input[type=radio])"):
            guess.locator("input[type=radio]").first.click()
        count = 0
        for explorer in notebook.each(".pmp-explorer:has(.pmp-picture)"):
            count += 1
            for row in explorer.locator(".pmp-controls .pmp-control").all():
                changed = False
                for move in move_everywhere(page, row):
                    before = looks(explorer)
                    move()
                    changed |= seen_to_change(explorer, before)
                    assert explorer.locator(".pmp-error").count() == 0, lab.status(explorer)
                assert changed, row.inner_text()
            play_through(page, explorer)
            explorer.screenshot(path=ARTIFACTS / f"{Path(name).stem}_{count}_{theme.lower()}.png")
        assert count


def play_through(page, explorer) -> None:
    """Play, pause, step and scrub where there is a player."""
    if not explorer.locator(".pmp-player").count():
        return
    readout = explorer.locator(".pmp-player output")
    explorer.get_by_role("button", name="first").click()
    assert readout.inner_text().startswith("sweep 0 of")
    explorer.get_by_role("button", name="step forward").click()
    assert readout.inner_text().startswith("sweep 1 of")
    explorer.get_by_role("button", name="play").click()
    page.wait_for_timeout(1500)
    explorer.get_by_role("button", name="pause").click()
    reached = int(readout.inner_text().split()[1])
    assert 3 <= reached <= 1 + 6 * 2  # four frames a second at the start, never more than six
    explorer.locator(".pmp-player canvas").first.focus()
    page.keyboard.press("End")
    last = readout.inner_text().split()
    assert last[1] == last[3]
