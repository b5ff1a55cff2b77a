"""The guard cell finds planted failures that a notebook which is run does not stop at."""

import notebook_runner as runner
import pytest

from pmp_kit.course.explore import failure_list, guard

INSTALL = "from pmp_kit.course.explore import guard\nguard.install()"
CHECK = "guard.check()"
STALL = 30
"""Time limit of a cell in seconds. A cell in which an explorer fails sometimes ends only then."""

PLANTED = {
    "an observe callback": """
import ipywidgets
def moved(change):
    raise ValueError("planted in an observe callback")
slider = ipywidgets.IntSlider()
slider.observe(moved, "value")
message = {"content": {"data": {"method": "update", "state": {"value": 3}, "buffer_paths": []}}, "buffers": []}
slider.comm.handle_msg(message)  # as the page sends it
""",
    "a click": """
import ipywidgets
def clicked(button):
    raise ValueError("planted in a click")
button = ipywidgets.Button()
button.on_click(clicked)
button.click()
""",
    "interact": """
import ipywidgets
def shown(x):
    raise ValueError("planted in interact")
ipywidgets.interact(shown, x=(0, 3));
""",
    "a thread": """
import threading
def work():
    raise ValueError("planted in a thread")
threading.Thread(target=work).start()
""",
    "a task": """
import asyncio
async def wait():
    raise ValueError("planted in a task")
task = asyncio.get_running_loop().create_task(wait())
""",
}

LATE = {
    "a thread that goes on": (
        "import threading, time\nguard.PATIENCE = 0.2\n"
        "threading.Thread(target=time.sleep, args=(5,), name='slow').start()",
        "thread slow\nstill running after 0.2 s",
    ),
    "a number": (
        "from pmp_kit.course.experiments import record\nrecord('pi', 3.2, exact=3.1416, tolerance=0.01)",
        "Disagreement: 1 recorded number(s) disagree:\npi: 3.2   (exact 3.142 ± 0.01: does NOT agree)",
    ),
    "a script": (
        "from pmp_kit import explore\nview = explore.MessageScope().picture\n"
        "sent = {'data': {'method': 'custom', 'content': {'pmp_kit_failure': 'Error: planted at draw.js:1'}}}\n"
        "view.comm.handle_msg({'content': sent, 'buffers': []})  # as the page sends it",
        "the script of MessageScope\nError: planted at draw.js:1",
    ),
}
"""What is wrong when everything has run -> the cell, and what the guard says."""

EXPLORER = """
import ipywidgets
from typing import NamedTuple
from pmp_kit import explore
class State(NamedTuple):
    size: int
class Fragile(explore.Explorer):
    title, caption, drawing = "Fragile", "Breaks at one end.", "export default {};"
    def __init__(self):
        super().__init__({})
    def make_controls(self):
        return {"model": {"size": ipywidgets.IntSlider(value=0, min=0, max=3)}}
    def compute(self, params):
        if params["size"] == 3:
            raise ValueError("planted in computing")
        return State(params["size"])
    def says(self, state):
        return str(state.size)
fragile = Fragile()
"""


def test_the_guard_names_everything_that_was_planted(tmp_path):
    page = runner.page(INSTALL, *PLANTED.values(), EXPLORER, "fragile.controls['size'].value = 3", CHECK)
    error = runner.run(page, tmp_path, STALL).error
    assert error.startswith(f"AssertionError: {len(PLANTED) + 1} failure(s)")
    for where in (*PLANTED, "computing"):
        assert f"planted in {where}" in error


@pytest.mark.parametrize("name", LATE)
def test_the_guard_raises_what_no_cell_raised(name, tmp_path):
    cell, said = LATE[name]
    assert said in runner.run(runner.page(INSTALL, cell, CHECK), tmp_path).error


def test_what_a_page_handled_is_no_failure(tmp_path):
    handled = """
import asyncio
from concurrent.futures import ThreadPoolExecutor
async def fail():
    raise ValueError("handled")
task = asyncio.get_running_loop().create_task(fail())
try:
    await task
except ValueError:
    print("handled")
await asyncio.gather(fail(), return_exceptions=True)
guard.PATIENCE = 0.2
pool = ThreadPoolExecutor()  # its idle thread never ends
pool.submit(print, "pooled").result()
await asyncio.to_thread(print, "pooled")
from pmp_kit.course.experiments import record
record("pi", 3.2, exact=3.1416, tolerance=0.01)
record("pi", 3.14, exact=3.1416, tolerance=0.01)  # the cell was mended and run again
"""
    assert runner.run(runner.page(INSTALL, handled, CHECK), tmp_path).error == ""


def test_an_explorer_that_breaks_at_one_end_is_found_by_exercising_it(tmp_path):
    page = runner.page(INSTALL, EXPLORER, CHECK)
    assert runner.run(page, tmp_path).error == "", "nobody moved it"
    assert "planted in computing" in runner.run(runner.with_exercise(page), tmp_path).error


def test_stderr_and_recorded_results_are_read_back(tmp_path):
    warn = "import warnings\nwarnings.warn('planted on stderr', stacklevel=1)"
    page = runner.page(
        "from pmp_kit.course.experiments import record\nrecord('pi', 3.14, exact=3.1416, tolerance=0.01)", warn
    )
    done = runner.run(page, tmp_path)
    assert any("planted on stderr" in line for line in done.stderr)
    (result,) = done.results
    assert result.items() >= {"name": "pi", "value": 3.14, "reference": 3.1416, "agrees": True}.items()


@pytest.mark.filterwarnings("ignore:The default datetime adapter:DeprecationWarning")  # of IPython on Colab
def test_an_error_of_a_cell_is_no_failure_of_an_explorer(monkeypatch):
    """A cell with a typo, or `check` itself, was counted as one in every later check."""
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell()
    monkeypatch.setattr(shell, "_showtraceback", lambda *shown: None)
    monkeypatch.setattr(guard, "_watch_tasks", lambda: None)
    monkeypatch.setattr("IPython.core.getipython.get_ipython", lambda: shell)
    monkeypatch.setattr(failure_list, "watch_threads", lambda: None)
    guard.install()
    shell.run_cell("undefined_name")
    guard.check()
    try:
        raise ValueError("planted in a callback")
    except ValueError:
        shell.showtraceback()
    with pytest.raises(AssertionError, match="planted in a callback"):
        guard.check()
    guard.check()
