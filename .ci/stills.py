"""Make the PNG pictures of the explorers that the page draws, for GitHub: `make stills`.

A still shows what a `keep-output` cell of a notebook shows. It is a screenshot of the explorer's page without a kernel,
written into the notebook, and beside the explorers, so that a cell that is run again has it too.
"""

import ast
import base64
import io
import json
import shutil
import sys
from typing import Any

from strip_notebooks import KEEP, dumps
from venvs import ROOT, Missing, say

WIDTH, DENSITY, COLOURS = 720, 2, 128


def main() -> int:
    """Make all stills, and delete those that no notebook shows."""
    from pmp_kit.course import explore
    from pmp_kit.course.explore import picture
    from pmp_kit.course.explore.picture import still

    kinds = {name: getattr(explore, name) for name in explore.__all__}
    drawn = [name for name, kind in kinds.items() if isinstance(kind, type) and picture.Explorer in kind.__mro__]
    made = set()
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        (cell,) = (cell for cell in notebook["cells"] if KEEP in cell["metadata"].get("tags", []))
        if not any(f"explore.{name}(" in "".join(cell["source"]) for name in drawn):
            continue
        shown = run(notebook)
        name, png = still.name_of(shown), screenshot(alone(shown))
        made.add(name)
        still.FOLDER.mkdir(exist_ok=True)
        (still.FOLDER / name).write_bytes(png)
        data, _ = shown._repr_mimebundle_()
        kept = {"image/png": base64.b64encode(png).decode("ascii"), "text/plain": [data["text/plain"]]}
        cell["outputs"] = [{"data": kept, "metadata": {}, "output_type": "display_data"}]
        path.write_text(dumps(notebook), encoding="utf-8", newline="\n")
        say(f"{path.name}: {name}, {len(png) / 1000:.0f} kB")
    for path in still.FOLDER.glob("*.png"):
        if path.name not in made:
            path.unlink()
    return 0


def run(notebook: dict[str, Any]) -> Any:
    """Run the code of a notebook up to its `keep-output` cell, and return what that cell shows.

    Raises: ValueError if there is no such cell.
    """
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        source = ast.parse("".join(cell["source"]))
        if KEEP not in cell["metadata"].get("tags", []):
            exec(compile(source, "cell", "exec"), names)
            continue
        *before, last = source.body
        exec(compile(ast.Module(before, []), "cell", "exec"), names)
        assert isinstance(last, ast.Expr)
        return eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    raise ValueError(f"expected a cell that is tagged {KEEP}, got none; tag the cell whose picture is kept")


def alone(explorer: Any) -> str:
    """Return a page of an explorer with its present state only."""
    name = next(iter(explorer.telling))
    return explorer.export(controls={name: [explorer.params[name]]})


def screenshot(page: str) -> bytes:
    """Return the picture of a page as a PNG with few colours.

    Raises: Missing without a browser.
    """
    from PIL import Image
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise Missing("stills need a browser; apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        size = {"width": WIDTH + 40, "height": 1000}
        tab = browser.new_page(viewport=size, device_scale_factor=DENSITY, color_scheme="light")
        tab.set_content(page)
        tab.locator("canvas[data-drawn]").wait_for()
        tab.add_style_tag(content=".pmp-foot { visibility: hidden }")  # its line would be the last row of some pictures
        png = tab.locator(".pmp-stage").screenshot()
        browser.close()
    target = io.BytesIO()
    few = Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(target, "PNG", optimize=True)
    return target.getvalue()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Missing as problem:
        print(f"\npmp_kit: {problem}", file=sys.stderr)
        sys.exit(1)
