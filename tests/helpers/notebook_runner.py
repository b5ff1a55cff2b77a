"""Run notebooks without a browser, and collect errors, stderr, recorded results, time and memory."""

import datetime
import json
import os
import pathlib
import re
import warnings
from typing import NamedTuple
from unittest import mock

import exercise
import papermill
import peak_memory

from pmp_kit.course.experiments.results import MIME

ROOT = pathlib.Path(__file__).parents[2]
COURSE = sorted((ROOT / "notebooks").glob("*.ipynb"))
PAPER = sorted((ROOT / "notebooks" / "paper").glob("*.ipynb"))
ALLOWED = ROOT / "tests" / "notebooks" / "stderr_allowed.txt"
WIDGET = "application/vnd.jupyter.widget-view+json"
MEASURED = "application/vnd.pmp-kit.measured+json"
TIMEOUT = 120  # seconds a cell

EXERCISE = f"""
{peak_memory.SOURCE}
{exercise.SOURCE}
import atexit, gc, os, threading
atexit.register(os._exit, 0)  # JAX would delete its programs one by one, for seconds
from IPython.display import display
for thread in threading.enumerate():  # Python cannot finish a tuple in another thread if this list refers to it
    if thread.name == "warm-up":
        thread.join()
from pmp_kit.course.explore.live import Live
shown = [one for one in gc.get_objects() if issubclass(type(one), Live)]
tried = {{type(thing).__name__ + " " + str(k): exercise(thing) for k, thing in enumerate(shown)}}
measured = {{"tried": tried, "megabytes": peak_megabytes()}}
display({{"{MEASURED}": measured, "text/plain": ""}}, raw=True)
"""


class Run(NamedTuple):
    """The results of running a notebook."""

    notebook: dict
    """The executed notebook."""
    error: str
    """Name, value and traceback of the exception that stopped the notebook, or empty if there was none."""

    @property
    def cells(self) -> list[dict]:
        return [cell for cell in self.notebook["cells"] if cell["cell_type"] == "code"]

    def outputs(self, mime: str) -> list:
        """The contents of all outputs of one kind, in order."""
        found = (output.get("data", {}).get(mime) for cell in self.cells for output in cell["outputs"])
        return [content for content in found if content is not None]

    @property
    def results(self) -> list[dict]:
        """The results that `pmp_kit.course.experiments.record` recorded."""
        return self.outputs(MIME)

    @property
    def stderr(self) -> list[str]:
        """The lines on stderr that no pattern of the allow list matches in full."""
        lines = ALLOWED.read_text(encoding="utf-8").splitlines()
        allowed = [re.compile(line) for line in lines if line.strip() and not line.startswith("#")]
        streams = (o for cell in self.cells for o in cell["outputs"] if o["output_type"] == "stream")
        text = "".join("".join(o["text"]) for o in streams if o["name"] == "stderr")
        return [line for line in text.splitlines() if line.strip() and not any(p.fullmatch(line) for p in allowed)]

    @property
    def measured(self) -> dict:
        """The results of the exercising cell: {"tried": explorer -> number of settings, "megabytes": peak memory}."""
        return self.outputs(MEASURED)[0]

    @property
    def seconds(self) -> float:
        """Duration of the whole run in seconds, including the start of the kernel."""
        return self.notebook["metadata"]["papermill"]["duration"]

    @property
    def first_picture(self) -> float:
        """Seconds from the start of the kernel to the end of the first cell that shows a picture."""
        start = _time(self.notebook["metadata"]["papermill"]["start_time"])
        for cell in self.cells:
            if any({"image/png", WIDGET} & output.get("data", {}).keys() for output in cell["outputs"]):
                return (_time(cell["metadata"]["papermill"]["end_time"]) - start).total_seconds()
        raise AssertionError("no cell shows a picture")


def _time(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text)


def cell(source: str, *tags: str) -> dict:
    """A code cell."""
    metadata = {"tags": list(tags)}
    return {"cell_type": "code", "execution_count": None, "metadata": metadata, "outputs": [], "source": source}


def page(*sources: str) -> dict:
    """A notebook of code cells, the last one tagged as the guard."""
    cells = [cell(source) for source in sources[:-1]] + [cell(sources[-1], "guard")]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}


def with_exercise(notebook: dict) -> dict:
    """The notebook with a cell before the guard that tries all settings of every explorer and prediction."""
    cells = list(notebook["cells"])
    guard = next(i for i, c in enumerate(cells) if "guard" in c["metadata"].get("tags", []))
    return notebook | {"cells": [*cells[:guard], cell(EXERCISE), *cells[guard:]]}


def run(notebook: dict, folder: pathlib.Path, timeout: int = TIMEOUT, **parameters) -> Run:
    """Execute a notebook with papermill in a new kernel and folder, and read the result."""
    before, after = folder / "before.ipynb", folder / "after.ipynb"
    before.write_text(json.dumps(notebook), encoding="utf-8")
    options = {"kernel_name": "python3", "cwd": folder, "progress_bar": False, "execution_timeout": timeout}
    stopped = ""
    with mock.patch.dict(os.environ, JUPYTER_PLATFORM_DIRS="1", PMP_KIT_PROGRESS="0"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of papermill and the packages under it
        try:
            has = papermill.inspect_notebook(before)  # not every page has a profile
            papermill.execute_notebook(before, after, {k: v for k, v in parameters.items() if k in has}, **options)
        except Exception as error:  # a cell that raises, a kernel that dies, a cell that takes too long
            stopped = f"{type(error).__name__}: {error}"
    executed = json.loads(after.read_text(encoding="utf-8"))
    errors = [o for c in executed["cells"] for o in c.get("outputs", []) if o["output_type"] == "error"]
    raised = "\n".join(f"{o['ename']}: {o['evalue']}" for o in errors[-1:])
    return Run(executed, raised if raised and stopped else stopped)
