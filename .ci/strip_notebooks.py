"""Bring notebooks into the form in which they are committed: no outputs, no traces of a run, at most one kept picture.

A cell tagged `keep-output` keeps the first PNG of its outputs and the text that goes with it, so that a page without a
kernel has something to show. The widget view goes: a viewer that finds it ignores the PNG.
"""

import json
import sys
from pathlib import Path

from venvs import ROOT, say

KEEP = "keep-output"
KEPT_FORMATS = ("image/png", "text/plain")
RUN_METADATA = ("widgets", "papermill")
RUN_CELL_METADATA = ("papermill", "execution", "ExecuteTime", "collapsed", "scrolled")


def notebooks() -> list[Path]:
    """Return the project's notebooks."""
    return sorted((ROOT / "notebooks").glob("*.ipynb"))


def dumps(notebook: dict) -> str:
    """Return a notebook as the text that Jupyter itself writes."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True, separators=(",", ": ")) + "\n"


def strip(notebook: dict) -> dict:
    """Return a stripped copy of a notebook.

    Raises: ValueError if more than one cell is to keep its output.
    """
    notebook = json.loads(json.dumps(notebook))
    for key in RUN_METADATA:
        notebook["metadata"].pop(key, None)
    kept = [i for i, cell in enumerate(notebook["cells"]) if KEEP in cell["metadata"].get("tags", [])]
    if len(kept) > 1:
        raise ValueError(f"cells {kept} are tagged {KEEP}: expected one a notebook at most; untag the others")
    for cell in notebook["cells"]:
        for key in RUN_CELL_METADATA:
            cell["metadata"].pop(key, None)
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
            cell["outputs"] = kept_outputs(cell) if KEEP in cell["metadata"].get("tags", []) else []
    return notebook


def kept_outputs(cell: dict) -> list[dict]:
    """Return the first picture among a cell's outputs as a display of PNG and text alone; nothing if there is none."""
    for output in cell["outputs"]:
        data = output.get("data", {})
        if "image/png" in data:
            formats = {name: data[name] for name in KEPT_FORMATS if name in data}
            return [{"data": formats, "metadata": {}, "output_type": "display_data"}]
    return []


def main(*paths: str) -> int:
    """Take the outputs out of the notebooks that are named, or of all; a picture tagged keep-output stays."""
    for path in map(Path, paths) if paths else notebooks():
        before = path.read_text(encoding="utf-8")
        after = dumps(strip(json.loads(before)))
        if after != before:
            path.write_text(after, encoding="utf-8", newline="\n")
            say(f"stripped {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
