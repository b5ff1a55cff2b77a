"""Drives a real JupyterLab in headless Chromium: a server, a page, a notebook run from top to bottom."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None and os.environ.get("CI"):
    raise RuntimeError("no Chromium found, and CI must not skip the tests that need it; apt-get install chromium")
MARKS = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium found; apt-get install chromium"),
]
START_SECONDS, RUN_SECONDS, STOP_SECONDS = 120, 300, 20
LIBRARY_THREADS = {"OMP_NUM_THREADS": "1"}
SERVER_SETTINGS = Path(__file__).parents[2] / "binder"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _settings(folder: Path, theme: str) -> Path:
    """JupyterLab's settings for a quiet page: no news, no tour, the theme that was asked for."""
    folder.mkdir(parents=True)
    overrides = {
        "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
        "@jupyterlab/apputils-extension:themes": {"theme": f"JupyterLab {theme}"},
        "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    }
    (folder / "overrides.json").write_text(json.dumps(overrides), encoding="utf-8")
    return folder


@contextlib.contextmanager
def server(root: Path, scratch: Path, theme: str = "Light") -> Iterator[str]:
    """A JupyterLab on the folder `root`; yields its address with the token. All it writes goes to `scratch`."""
    token, port = secrets.token_hex(16), _free_port()
    settings = _settings(scratch / "settings", theme)
    folders = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "HOME")
    environment = {**os.environ, **LIBRARY_THREADS, **{name: str(scratch / name.lower()) for name in folders}}
    environment["JUPYTER_CONFIG_PATH"] = str(SERVER_SETTINGS)  # as `make lab` has it
    (scratch / "home").mkdir()
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"),
        f"--IdentityProvider.token={token}",
        "--LabApp.expose_app_in_browser=True",
        f"--LabApp.app_settings_dir={settings}",
        f"--LabApp.workspaces_dir={scratch / 'workspaces'}",
        f"--LabApp.user_settings_dir={scratch / 'user-settings'}",
        f"--ServerApp.root_dir={root}",
    ]
    with (scratch / "server.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT, cwd=root)
        try:
            _wait_for(f"http://127.0.0.1:{port}/api?token={token}", process, scratch / "server.log")
            yield f"http://127.0.0.1:{port}/lab?token={token}"
        finally:
            process.terminate()
            try:
                process.wait(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:  # a busy kernel on a busy machine
                process.kill()
                process.wait()


def _wait_for(address: str, process: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(errors='replace')[-3000:]}")


KERNEL_READY = """() => {
    const context = window.jupyterapp?.shell?.currentWidget?.sessionContext;
    return context?.isReady && context.session?.kernel?.status === 'idle';
}"""


CODE_CELLS = """
    const widget = window.jupyterapp.shell.currentWidget;
    const items = (list) => Array.from({ length: list.length }, (_, index) => list.get(index));
    const cells = items(widget.content.model.cells).filter((cell) => cell.type === 'code');
    const failures = cells.flatMap((cell) => items(cell.outputs)).filter((output) => output.type === 'error');
"""
"""The code cells of the notebook and the outputs of those that failed, in JupyterLab 3 and 4."""


@contextlib.contextmanager
def page(width: int = 1300, height: int = 1000):
    """A fresh page of headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        try:
            yield browser.new_page(viewport={"width": width, "height": height})
        finally:
            browser.close()


SHOW_CELL = """async (index) => {
    const notebook = window.jupyterapp.shell.currentWidget.content;
    const cell = notebook.widgets[index].node;
    await (notebook.scrollToItem?.(index, 'start') ?? cell.scrollIntoView()); // JupyterLab 3 keeps all on the page
    cell.dataset.index = index;
}"""


class Notebook:
    """An open notebook.

    Attributes:
        page: the Playwright page.
    """

    def __init__(self, page, address: str, path: str):
        self.page = page
        lab, token = address.split("?")
        page.goto(f"{lab}/tree/{path}?{token}&reset")
        page.wait_for_selector(".jp-NotebookPanel .jp-Cell", timeout=START_SECONDS * 1000)
        page.wait_for_function(KERNEL_READY, timeout=START_SECONDS * 1000)
        page.evaluate("() => void window.jupyterapp.commands.execute('application:toggle-left-area')")

    def run_all(self) -> None:
        """Run every cell; an error in one raises."""
        self.page.evaluate("() => void window.jupyterapp.commands.execute('notebook:run-all-cells')")
        self.page.wait_for_function(
            f"""() => {{
                {CODE_CELLS}
                const ran = (cell) => cell.executionCount !== null || !cell.sharedModel.getSource().trim();
                const done = cells.every(ran);
                return failures.length || (done && widget.sessionContext.session?.kernel?.status === 'idle');
            }}""",
            timeout=RUN_SECONDS * 1000,
        )
        failure = self.page.evaluate(
            f"() => {{ {CODE_CELLS} return failures.map((one) => one.toJSON().traceback.join('\\n')).join('\\n'); }}"
        )
        if failure:
            raise AssertionError(f"a cell failed:\n{failure}")

    def count_cells(self) -> int:
        """How many cells the notebook has."""
        return self.page.evaluate("() => window.jupyterapp.shell.currentWidget.content.model.cells.length")

    def show_cell(self, index: int) -> None:
        """Scroll a cell into view."""
        self.page.evaluate(SHOW_CELL, index)

    def explorer(self, title: str):
        """The explorer with this title, scrolled into view and painted."""
        box = self.page.locator(".pmp-explorer", has=self.page.locator(".pmp-title", has_text=title)).first
        box.wait_for(timeout=30_000)
        box.scroll_into_view_if_needed()
        box.locator(".pmp-picture canvas[data-drawn]").first.wait_for()
        return box

    def each(self, selector: str):
        """Every part of the notebook that fits, scrolled into view; cells come into being only when they are seen."""
        cells = self.count_cells()
        for index in range(cells):
            self.show_cell(index)
            cell = self.page.locator(f'.jp-Cell[data-index="{index}"]')
            cell.wait_for(state="attached", timeout=10_000)
            for part in cell.locator(selector).all():
                part.scroll_into_view_if_needed()
                yield part

    def handle(self, explorer, name: str):
        """The handle of the slider with this name: arrow keys move it."""
        row = explorer.locator(".pmp-control", has=self.page.get_by_text(name, exact=True))
        return row.locator(".noUi-handle, .ui-slider-handle").first


def decoded(base64_png: str):
    """A picture, from a PNG in base64."""
    from PIL import Image

    return Image.open(io.BytesIO(base64.b64decode(base64_png)))


def committed_picture(path: Path):
    """The one picture that a notebook file keeps, for readers without a kernel."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    (cell,) = (cell for cell in cells if "keep-output" in cell["metadata"].get("tags", []))
    return decoded(cell["outputs"][0]["data"]["image/png"])


FINGERPRINT = """(box) => {
    return box.querySelector('.pmp-picture canvas').toDataURL();
}"""


def picture(explorer) -> str:
    """A name of the picture of an explorer that changes with it."""
    return explorer.evaluate(FINGERPRINT)


def wait_for_change(explorer, before: str, seconds: float = 10.0) -> str:
    """Wait until the picture is another one; return that."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        now = picture(explorer)
        if now != before:
            return now
        time.sleep(0.02)
    raise AssertionError(f"the picture did not change within {seconds} s; status: {status(explorer)}")


def status(explorer) -> str:
    """The status line of an explorer, once it says something: it comes after the picture.

    A reader's sampler has a line of its own, among the controls.
    """
    line = explorer.locator(":scope > .pmp-status, .pmp-line", has_text=re.compile(r"\S"))
    return line.inner_text()


def name_of(row) -> str:
    """The word written beside a control; a checkbox has an empty label before it, of one invisible letter."""
    return row.inner_text().replace("\u200b", "").strip().splitlines()[0]
