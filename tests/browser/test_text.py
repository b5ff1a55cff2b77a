"""Every explorer in a real JupyterLab at three widths, light and dark: text does not overlap, pictures use the width.

On the screen of a projector, the picture and the controls are seen together.

Screenshots are kept in build/artifacts.
"""

import importlib
import json
from pathlib import Path

import pytest
from explorers import DRAWN, EXPLORERS

from browser import lab
from pmp_kit.course import plot

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
        return { left, top, right, bottom, width, pixels: part.width, still: !!part.closest('.pmp-still') };
    };
    const row = root.matches('.pmp-row') ? root : root.querySelector('.pmp-row');
    return {
        texts, root: boxOf(root), row: boxOf(row), controls: boxOf(root.querySelector('.pmp-controls')),
        holder: boxOf(root.querySelector('.pmp-picture')),
        canvases: Array.from(root.querySelectorAll('canvas'), boxOf).filter((box) => box.width),
        picture: boxOf(root.querySelector('.pmp-picture canvas')),
        size: parseFloat(getComputedStyle(root.querySelector('.pmp-control')).fontSize),
    };
}"""


def overlap(one, other) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    return across > 1 and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 2


def complaints(name, seen) -> list[str]:
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
    if picture["width"] < (0.95 if stacked else 0.6) * seen["row"]["width"] and picture["width"] < 690:
        wrong.append(f"the picture is {picture['width']:.0f} of {seen['row']['width']:.0f} pixels wide")
    if picture["still"]:
        paint = importlib.import_module(f"{EXPLORERS[name].kind.__module__}.paint")
        shown = getattr(paint, "SIZE", plot.TEXT) * picture["width"] / (picture["pixels"] / 1.5)
        if not 0.8 < shown / seen["size"] < 1.5:
            wrong.append(f"text in the picture is {shown:.1f} px high, beside it {seen['size']:.1f}")
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
        for folded in (True, False):
            for legend in explorer.locator(".pmp-legend").all():
                legend.evaluate("(legend, open) => (legend.open = open)", not folded)
            wrong += [f"{names[number]}: {words}" for words in complaints(names[number], explorer.evaluate(MEASURE))]
            shot = f"text_{names[number]}_{width}_{theme.lower()}{'' if folded else '_legend'}.png"
            explorer.screenshot(path=ARTIFACTS / shot)
        for legend in explorer.locator(".pmp-legend").all():
            legend.evaluate("(legend) => (legend.open = false)")
    assert number == len(EXPLORERS) - 1
    assert not wrong


HEIGHTS = """(root) => {
    const seen = document.querySelector('.jp-WindowedPanel-outer').clientHeight;
    const top = root.getBoundingClientRect().top;
    const parts = ['.pmp-controls', '.pmp-picture canvas', '.pmp-player-tools', '.pmp-bar', '.pmp-pin canvas'];
    const found = parts.flatMap((part) => [...root.querySelectorAll(part)]);
    const ends = found.map((part) => part.lastElementChild ?? part); // the column itself is as high as the picture
    return [seen, Math.max(...ends.map((part) => part.getBoundingClientRect().bottom - top))];
}"""


def test_a_projector_shows_the_picture_beside_its_controls(notebook):
    notebook.page.set_viewport_size(PROJECTOR)
    low, names = [], list(EXPLORERS)
    for number, explorer in enumerate(notebook.each(".pmp-explorer:has(.pmp-picture)")):
        explorer.locator(".pmp-picture canvas[data-drawn]").first.wait_for()
        pins = names[number] not in DRAWN
        if pins:
            explorer.get_by_role("button", name="pin", exact=True).click()
            explorer.locator(".pmp-pin canvas[data-drawn]").first.wait_for()
        for word in ("unpin", "") if pins else ("",):
            seen, end = explorer.evaluate(HEIGHTS)
            low += [f"{names[number]}: {end:.0f} of {seen} pixels"] if end > seen else []
            if word:
                explorer.get_by_role("button", name=word, exact=True).click()
                explorer.locator(".pmp-pin canvas").first.wait_for(state="detached")
    assert not low
