"""How long from moving a slider to the changed picture, in a real browser: `make latency`.

Every explorer is measured beside a bare echo (one slider, one image, nothing computed) in the same page, turn by turn,
so that a busy machine slows both. Limits: the echo's median + 30 ms, and its 95th percentile + 60 ms.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import lab

MEDIAN_LIMIT, P95_LIMIT = 30.0, 60.0  # ms above the echo
WARM_UP = 4  # moves of each slider that do not count
PATIENCE = 3000  # ms to wait for a picture
ECHO = "Echo"
SLIDERS = {
    ECHO: ("seed",),
    "Sixty-second PMP": ("seed", "damping"),
    "Message scope": ("perturbation", "coupling"),
    "Perturbation lab": ("coupling", "samples"),
    "Wrong-model dial": ("learned theta", "data theta"),
}
CELLS = (
    """
import ipywidgets as widgets, numpy as np, pmp_kit as pk
from pmp_kit import explore, plot
class Echo:
    def __init__(self):
        self.slider, self.image = widgets.IntSlider(max=50, description="seed"), widgets.Image(width="200px")
        pictures = [plot.png(np.full((100, 200, 3), 4 * value, np.uint8)) for value in range(51)]
        self.slider.observe(lambda change: setattr(self.image, "value", pictures[change["new"]]), "value")
        self.image.value = pictures[0]
        self.slider.add_class("pmp-control"); self.image.add_class("pmp-picture")
        title = widgets.HTML('<div class="pmp-title">Echo</div>')
        self.widget = widgets.VBox([title, self.slider, widgets.Box([self.image])])
        self.widget.children[2].add_class("pmp-picture"); self.widget.add_class("pmp-explorer")
Echo().widget
""",
    'explore.SixtySecondPMP(pk.pretrained("digits_rbm"), pk.datasets.digits()["v"])',
    'explore.MessageScope(topology="grid", coupling=0.5)',
    "explore.PerturbationLab()",
    "explore.WrongModelDial()",
)
# Resolves with the milliseconds from the next key to the next picture, or with null where none came.
WATCH = """(box) => {
    const start = {};
    const picture = box.querySelector('.pmp-picture img, .pmp-picture canvas');
    document.addEventListener('keydown', () => (start.time = performance.now()), {capture: true, once: true});
    window.pmpLatency = new Promise((resolve) => {
        const watcher = new MutationObserver(async () => {
            watcher.disconnect();
            if (picture.decode) await picture.decode();
            resolve(performance.now() - start.time);
        });
        watcher.observe(picture, {attributes: true, attributeFilter: ['src', 'data-drawn']});
        setTimeout(() => { watcher.disconnect(); resolve(null); }, PATIENCE);
    });
}""".replace("PATIENCE", str(PATIENCE))


def write_notebook(folder: Path) -> str:
    """A notebook with the echo and the explorers; returns its name."""
    cells = [
        {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None, "id": f"c{k}"}
        for k, source in enumerate(CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "latency.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    return "latency.ipynb"


def measure(notebook: lab.Notebook, moves: int) -> dict[tuple[str, str], list[float]]:
    """Milliseconds for every slider, the sliders taking turns; moves that change no picture are left out."""
    boxes = {title: notebook.explorer(title) for title in SLIDERS}
    names = [(title, name) for title, sliders in SLIDERS.items() for name in sliders]
    handles = {(title, name): notebook.handle(boxes[title], name) for title, name in names}
    found: dict[tuple[str, str], list[float]] = {key: [] for key in names}
    for move in range(moves + WARM_UP):
        key = "ArrowRight" if (move // 10) % 2 == 0 else "ArrowLeft"
        for title, name in names:
            handles[title, name].focus()
            boxes[title].evaluate(WATCH)
            notebook.page.keyboard.press(key)
            elapsed = notebook.page.evaluate("() => window.pmpLatency")
            time.sleep(0.03)
            if elapsed is not None and move >= WARM_UP:
                found[title, name].append(elapsed)
    return found


def summary(values: list[float]) -> tuple[float, float]:
    """Median and 95th percentile."""
    return statistics.median(values), statistics.quantiles(values, n=20, method="inclusive")[-1]


def report(found: dict[tuple[str, str], list[float]]) -> bool:
    """Print the table; whether all limits are met."""
    echo_median, echo_p95 = summary(found[ECHO, SLIDERS[ECHO][0]])
    print(f"{'explorer':20s} {'slider':14s} {'moves':>5s} {'median ms':>10s} {'p95 ms':>8s} {'above the echo':>18s}")
    met = True
    for (title, name), values in found.items():
        if len(values) < 5:
            print(f"{title:20s} {name:14s} {len(values):5d}   too few pictures changed")
            met = False
            continue
        median, p95 = summary(values)
        above = median - echo_median, p95 - echo_p95
        good = above[0] <= MEDIAN_LIMIT and above[1] <= P95_LIMIT
        met &= good
        note = "" if title == ECHO else f"{above[0]:+8.0f} {above[1]:+8.0f}  {'met' if good else 'MISSED'}"
        print(f"{title:20s} {name:14s} {len(values):5d} {median:10.0f} {p95:8.0f} {note}")
    print(f"limits: {MEDIAN_LIMIT:+.0f} ms for the median, {P95_LIMIT:+.0f} ms for p95, above the echo")
    return met


def main() -> int:
    """Measure and print; 1 where a limit is missed, 2 where no Chromium is found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=60, help="moves of every slider")
    moves = parser.parse_args().moves
    if lab.CHROMIUM is None:
        print("no Chromium found; install it (apt-get install chromium) and try again", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as notes, tempfile.TemporaryDirectory() as scratch:
        name = write_notebook(Path(notes))
        with lab.server(Path(notes), Path(scratch)) as address, lab.page(height=2600) as page:
            notebook = lab.Notebook(page, address, name)
            notebook.run_all()
            found = measure(notebook, moves)
    return 0 if report(found) else 1


if __name__ == "__main__":
    sys.exit(main())
