"""Remove outputs and execution counts from notebooks before they are committed. At most one picture is kept.

A cell tagged `keep-output` keeps the first PNG of its outputs and its text, so that a page without a kernel shows a
picture. The widget view is removed, because a viewer that finds it ignores the PNG.
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
    """Return the project's notebooks: the course and the paper's shelf."""
    return sorted(path for folder in ("notebooks", "notebooks/paper") for path in (ROOT / folder).glob("*.ipynb"))


def dumps(notebook: dict) -> str:
    """Return a notebook as text in the format that Jupyter writes."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True, separators=(",", ": ")) + "\n"


def strip(notebook: dict) -> dict:
    """Return a stripped copy of a notebook.

    Raises: ValueError if more than one cell is tagged `keep-output`.
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
    """Return the first picture among a cell's outputs as a display of PNG and text, or [] if there is none."""
    for output in cell["outputs"]:
        data = output.get("data", {})
        if "image/png" in data:
            formats = {name: data[name] for name in KEPT_FORMATS if name in data}
            return [{"data": formats, "metadata": {}, "output_type": "display_data"}]
    return []


def main(*paths: str) -> int:
    """Remove the outputs of the named notebooks, or of all notebooks. A picture tagged keep-output is kept."""
    for path in map(Path, paths) if paths else notebooks():
        before = path.read_text(encoding="utf-8")
        after = dumps(strip(json.loads(before)))
        if after != before:
            path.write_text(after, encoding="utf-8", newline="\n")
            say(f"stripped {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
