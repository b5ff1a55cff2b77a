"""Every explorer in a real JupyterLab at three widths, light and dark: text does not overlap, pictures use the width.

On the screen of a projector, the picture and the controls are seen together.

Screenshots are kept in build/artifacts.
"""

import json
from pathlib import Path

import pytest
from explorers import EXPLORERS

from browser import lab

ROOT = Path(__file__).parents[2]
ARTIFACTS = ROOT / "build" / "artifacts"
WIDTHS, THEMES = (700, 1000, 1400), ("Light", "Dark")
SETUP = "import sys; sys.path.insert(0, {!r})\nfrom explorers import EXPLORERS"

PROJECTOR = {"width": 1280, "height": 720}

pytestmark = [*lab.MARKS, pytest.mark.all]


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """A notebook with one cell for each explorer, run."""
    folder = tmp_path_factory.mktemp("notebooks")
    sources = [SETUP.format(str(ROOT / "tests" / "helpers"))]
    sources += [f"EXPLORERS[{name!r}].make_small()" for name in EXPLORERS]
    cells = [
        {
            "cell_type": "code",
            "id": f"cell{k}",
            "metadata": {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for k, source in enumerate(sources)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    written = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (folder / "all.ipynb").write_text(json.dumps(written), encoding="utf-8")
    with lab.server(folder, tmp_path_factory.mktemp("lab")) as address, lab.page() as page:
        opened = lab.Notebook(page, address, "all.ipynb")
        opened.run_all()
        yield opened


MEASURE = """(root) => {
    const texts = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const words = node.textContent.replaceAll('\\u200b', '').trim();
        if (!words || node.parentElement.closest('style, option, [hidden]') || !node.parentElement.checkVisibility()) {
            continue;
        }
        range.selectNodeContents(node);
        for (const { left, top, right, bottom } of range.getClientRects()) {
            if (right - left > 1) texts.push({ words, left, top, right, bottom });
        }
    }
    const boxOf = (part) => {
        const { left, top, right, bottom, width } = part.getBoundingClientRect();
        return { left, top, right, bottom, width };
    };
    const row = root.matches('.pmp-row') ? root : root.querySelector('.pmp-row');
    return {
        texts, root: boxOf(root), controls: boxOf(root.querySelector('.pmp-controls')),
        holder: boxOf(root.querySelector('.pmp-picture')),
        canvases: Array.from(root.querySelectorAll('canvas'), boxOf).filter((box) => box.width),
        picture: boxOf(root.querySelector('.pmp-picture canvas')),
    };
}"""


def overlap(one, other) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    return across > 1 and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 2


def complaints(seen) -> list[str]:
    """What is wrong with the text and the widths of an explorer on the page."""
    texts, root = seen["texts"], seen["root"]
    wrong = [
        f"{one['words']!r} lies on {other['words']!r}"
        for k, one in enumerate(texts)
        for other in texts[:k]
        if overlap(one, other) and one["words"] != other["words"]
    ]
    wrong += [f"{one['words']!r} lies on a picture" for one in texts for box in seen["canvases"] if overlap(one, box)]
    wrong += [f"{one['words']!r} is cut off" for one in texts if one["right"] > root["right"] + 1]
    picture, controls, holder = seen["picture"], seen["controls"], seen["holder"]
    stacked = holder["top"] >= controls["bottom"] - 1
    if picture["width"] < (0.95 if stacked else 0.6) * root["width"] and picture["width"] < 690:
        wrong.append(f"the picture is {picture['width']:.0f} of {root['width']:.0f} pixels wide")
    return wrong


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_text_does_not_overlap(notebook, width, theme):
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    page = notebook.page
    page.set_viewport_size({"width": width, "height": 1000})
    change = "(theme) => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
    page.evaluate(change, f"JupyterLab {theme}")
    page.wait_for_function("(light) => document.body.dataset.jpThemeLight === light", arg=str(theme == "Light").lower())
    wrong, names = [], list(EXPLORERS)
    for number, explorer in enumerate(notebook.each(".pmp-explorer:has(.pmp-picture)")):
        explorer.locator(".pmp-picture canvas[data-drawn]").first.wait_for()
        wrong += [f"{names[number]}: {words}" for words in complaints(explorer.evaluate(MEASURE))]
        explorer.screenshot(path=ARTIFACTS / f"text_{names[number]}_{width}_{theme.lower()}.png")
    assert number == len(EXPLORERS) - 1
    assert not wrong


HEIGHTS = """(root) => {
    const seen = document.querySelector('.jp-WindowedPanel-outer').clientHeight;
    const top = root.getBoundingClientRect().top;
    const parts = ['.pmp-controls', '.pmp-picture canvas', '.pmp-bar'];
    const found = parts.flatMap((part) => [...root.querySelectorAll(part)]);
    const ends = found.map((part) => part.lastElementChild ?? part); // the column itself is as high as the picture
    return [seen, Math.max(...ends.map((part) => part.getBoundingClientRect().bottom - top))];
}"""


def test_a_projector_shows_the_picture_beside_its_controls(notebook):
    notebook.page.set_viewport_size(PROJECTOR)
    low, names = [], list(EXPLORERS)
    for number, explorer in enumerate(notebook.each(".pmp-explorer:has(.pmp-picture)")):
        explorer.locator(".pmp-picture canvas[data-drawn]").first.wait_for()
        seen, end = explorer.evaluate(HEIGHTS)
        low += [f"{names[number]}: {end:.0f} of {seen} pixels"] if end > seen else []
    assert not low
