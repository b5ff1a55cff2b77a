"""How long from moving a control to the changed picture, in a real browser: `make latency`.

Every control of every explorer is measured beside a bare echo (one slider, one image, nothing computed) on the same
page, turn by turn, so that a busy machine slows both. Limits: the echo's median + 30 ms, its 95th percentile + 60 ms.
Players: at least 30 frames a second, and no word to the kernel. A drag: 200 events end on the right picture, within
150 ms of the last. `--soak` drags each explorer for 10,000 events instead, and prints the memory of page and kernel.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))

import psutil
from explorers import EXPLORERS

from browser import lab

MEDIAN_LIMIT, P95_LIMIT = 30.0, 60.0  # ms above the echo
SETTLED_LIMIT, FRAMES_LIMIT = 150.0, 30.0  # ms after a drag; frames a second
WARM_UP = 3  # moves of each control that do not count
PATIENCE = 2000  # ms to wait for a picture
GIVE_UP = 4  # moves in a row without another picture
DRAG = 200  # events
SOAK = (1_000, 5_000, 10_000)  # events after which the memory is measured
NO_EFFECT = {"digits": {"sweeps"}, "factors": {"k"}, "learning": {"chains", "sweeps"}, "rbm": {"sweeps"}}
"""Explorer -> controls that cannot change its first picture: they act on other choices, are locked, or allow sweeps
that change nothing, because all samples have converged or all weights are 0."""
SETUP = """
import sys
sys.path.insert(0, HELPERS)
import ipywidgets as widgets, numpy as np
from pmp_kit import plot
from explorers import EXPLORERS
class Echo:
    def __init__(self):
        self.slider, self.image = widgets.IntSlider(max=50, description="seed"), widgets.Image(width="200px")
        pictures = [plot.png(np.full((100, 200, 3), 4 * value, np.uint8)) for value in range(51)]
        self.slider.observe(lambda change: setattr(self.image, "value", pictures[change["new"]]), "value")
        self.image.value = pictures[0]
        self.slider.add_class("pmp-control")
        holder = widgets.Box([self.image])
        holder.add_class("pmp-picture")
        self.widget = widgets.VBox([widgets.HTML('<div class="pmp-title">Echo</div>'), self.slider, holder])
        self.widget.add_class("pmp-explorer")
kept = []
def beside(explorer):
    kept.append((Echo(), explorer))
    return widgets.VBox([one.widget for one in kept[-1]])
""".replace("HELPERS", repr(sys.path[0]))
# Resolves with the milliseconds from the next key to the next picture, or with null if no picture came.
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
# The part of a row that receives keys, whether it is at its end, and its name.
PART = "select, input[type=checkbox], .noUi-handle, .ui-slider-handle"
AT_END = """(part) => part.tagName === 'SELECT' ? [part.selectedIndex === 0, part.selectedIndex === part.length - 1]
    : [part.ariaValueNow === part.ariaValueMin, part.ariaValueNow === part.ariaValueMax]"""
CHOOSE = """(part, step) => {
    document.dispatchEvent(new KeyboardEvent('keydown')); // starts the clock
    part.selectedIndex += step;
    part.dispatchEvent(new Event('change', {bubbles: true}));
}"""
# Plays from the start to the end, and resolves with the number of frames drawn per second.
PLAYED = """async ([player, canvas]) => {
    const button = player.querySelector('[aria-label="play"]'), drawn = () => Number(canvas.dataset.drawn);
    const before = drawn(), start = performance.now();
    button.click();
    while (button.getAttribute("aria-label") !== "play") await new Promise(requestAnimationFrame);
    return (drawn() - before) / (performance.now() - start) * 1000;
}"""
# Moves a slider's value by the widget's own events as fast as possible. Resolves with the milliseconds from the last
# event to the last new picture, or with null if no picture came.
DRAGGED = """async ([part, box, events]) => {
    const picture = box.querySelector('.pmp-picture canvas');
    let last = null;
    const watcher = new MutationObserver(() => (last = performance.now()));
    watcher.observe(picture, {attributes: true, attributeFilter: ['data-drawn']});
    part.focus();
    for (let k = 0; k < events; k++) {
        const key = k % 40 < 20 ? 'ArrowLeft' : 'ArrowRight';
        part.dispatchEvent(new KeyboardEvent('keydown', {key, code: key, bubbles: true, cancelable: true}));
        await new Promise((resolve) => setTimeout(resolve, 8));
    }
    const released = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    watcher.disconnect();
    return last === null ? null : last - released;
}"""


class Control:
    """One row of an explorer, moved back and forth by keys."""

    def __init__(self, page, box, row, traffic: list[tuple[str, int]]):
        self.page, self.box, self.traffic = page, box, traffic
        self.name = lab.name_of(row)
        self.part = row.locator(PART).first
        self.forth, self.missed, self.found, self.carried = True, 0, [], []

    def move(self) -> float | None:
        """Press a key, and return the milliseconds until the picture changed."""
        low, high = self.part.evaluate(AT_END)
        self.forth = True if low else False if high else self.forth
        kind = self.part.evaluate("(part) => part.type ?? 'slider'")
        self.box.evaluate(WATCH)
        before = len(self.traffic)
        if kind.startswith("select"):  # a closed list receives keys only on some systems
            self.part.evaluate(CHOOSE, 1 if self.forth else -1)
        else:
            self.part.focus()
            self.page.keyboard.press("Space" if kind == "checkbox" else "ArrowRight" if self.forth else "ArrowLeft")
        elapsed = self.page.evaluate("() => window.pmpLatency")
        self.missed = 0 if elapsed is not None else self.missed + 1
        self.page.wait_for_timeout(20)  # the kernel says last that it is idle
        self.carried.append((len(self.traffic) - before, sum(size for _, size in self.traffic[before:])))
        return elapsed


def write_notebook(folder: Path, explorers: list[str]) -> str:
    """Write a notebook with an echo above every explorer, and return its name."""
    sources = [SETUP, *(f"beside(EXPLORERS[{name!r}].make())" for name in explorers)]
    cells = [
        {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None, "id": f"c{k}"}
        for k, source in enumerate(sources)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "latency.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    return "latency.ipynb"


def listen(socket, traffic: list[tuple[str, int]]) -> None:
    """Note each message that the page sends to the server or receives from it."""
    socket.on("framesent", lambda message: traffic.append(("sent", len(message))))
    socket.on("framereceived", lambda message: traffic.append(("received", len(message))))


def measure(page, pair, moves: int, traffic: list[tuple[str, int]]) -> tuple[list[Control], Control]:
    """Move the controls of an explorer and of the echo alternately, `moves` times each, and return them."""
    echo, explorer = pair.locator(".pmp-explorer").first, pair.locator(".pmp-explorer").nth(1)
    mine = [Control(page, echo, echo.locator(".pmp-control").first, traffic)]
    rows = explorer.locator(".pmp-controls .pmp-control").all()
    mine += [Control(page, explorer, row, traffic) for row in rows]
    for move in range(moves + WARM_UP):
        for control in mine:
            if control.missed >= GIVE_UP:
                continue
            elapsed = control.move()
            if elapsed is not None and move >= WARM_UP:
                control.found.append(elapsed)
    return mine[1:], mine[0]


def drag(page, pair) -> tuple[float, bool] | None:
    """Milliseconds from the last of many events to the last picture, and whether this picture fits the value.

    It drags the first slider that changes the picture. If there are sliders and none does, the time is infinite.
    """
    explorer = pair.locator(".pmp-explorer").nth(1)
    handles = explorer.locator(".pmp-controls .noUi-handle:visible").all()
    for choice in explorer.locator(".pmp-controls select").all():
        if "frozen" in choice.locator("option").all_inner_texts():
            choice.select_option(label="frozen")  # new noise would change every picture
            page.wait_for_timeout(500)
    for handle in handles:
        settled = page.evaluate(DRAGGED, [handle.element_handle(), explorer.element_handle(), DRAG])
        if settled is None:
            continue
        shown = lab.picture(explorer)
        handle.focus()
        for key in ("ArrowLeft", "ArrowRight"):  # after a move away and back, the picture fits this value
            page.keyboard.press(key)
            page.wait_for_timeout(800)
        return settled, lab.picture(explorer) == shown
    return (float("inf"), False) if handles else None


def soak(page, pair) -> list[tuple[int, float, float]]:
    """Return the MB of the page's JavaScript and of the kernel after each number of events in SOAK on one slider.

    An explorer without sliders has no such numbers.
    """
    explorer = pair.locator(".pmp-explorer").nth(1)
    handles = explorer.locator(".pmp-controls .noUi-handle:visible").all()
    if not handles:
        return []
    tools, found, done = page.context.new_cdp_session(page), [], 0
    tools.send("Performance.enable")
    for events in SOAK:
        page.evaluate(DRAGGED, [handles[0].element_handle(), explorer.element_handle(), events - done])
        tools.send("HeapProfiler.collectGarbage")
        metrics = {one["name"]: one["value"] for one in tools.send("Performance.getMetrics")["metrics"]}
        found.append((events, metrics["JSHeapUsedSize"] / 1e6, kernel_megabytes()))
        done = events
    return found


def kernel_megabytes() -> float:
    """Return the memory of the kernel that this process's server has started."""
    below = psutil.Process().children(recursive=True)
    return sum(one.memory_info().rss for one in below if "ipykernel_launcher" in " ".join(one.cmdline())) / 1e6


def play(page, pair, traffic: list[tuple[str, int]]) -> tuple[float, int] | None:
    """Frames per second of a player at its highest rate, and the number of messages that the page sent meanwhile."""
    player = pair.locator(".pmp-player").first
    if not player.count():
        return None
    player.locator("select").select_option("30")
    player.get_by_role("button", name="first").click()
    page.wait_for_timeout(300)
    before = len(traffic)
    frames = page.evaluate(PLAYED, [player.element_handle(), player.locator("canvas").first.element_handle()])
    return float(frames), sum(way == "sent" for way, _ in traffic[before:])


def summary(values: list[float]) -> tuple[float, float]:
    """Median and 95th percentile."""
    return statistics.median(values), statistics.quantiles(values, n=20, method="inclusive")[-1]


def report(title: str, controls: list[Control], echo: Control) -> bool:
    """Print a table of one explorer, and return whether all limits are met."""
    echo_median, echo_p95 = summary(echo.found)
    print(f"\n{title}: echo {echo_median:.0f} ms, p95 {echo_p95:.0f} ms", flush=True)
    met = True
    for control in controls:
        if len(control.found) < 5:
            dead = not control.found and control.name not in NO_EFFECT.get(title, ())
            met &= not dead
            words = "MISSED: it never changed the picture" if dead else "too few to judge"
            print(f"  {control.name:16s} {len(control.found):3d} moves changed the picture  {words}", flush=True)
            continue
        median, p95 = summary(control.found)
        messages, carried = (statistics.median(part) for part in zip(*control.carried, strict=True))
        above = median - echo_median, p95 - echo_p95
        good = above[0] <= MEDIAN_LIMIT and above[1] <= P95_LIMIT
        met &= good
        print(
            f"  {control.name:16s} {len(control.found):3d} moves, median {median:5.0f} ms ({above[0]:+4.0f}), "
            f"p95 {p95:5.0f} ms ({above[1]:+4.0f}), {messages:3.0f} messages, {carried / 1e3:7.1f} kB  "
            f"{'met' if good else 'MISSED'}",
            flush=True,
        )
    return met


def report_more(dragged: tuple[float, bool] | None, played: tuple[float, int] | None) -> bool:
    """Print the results of a drag and a player, and return whether their limits are met."""
    met = True
    if dragged is not None:
        settled, right = dragged
        good = settled <= SETTLED_LIMIT and right
        met &= good
        words = f"settled {settled:.0f} ms after the last of {DRAG} events, {'right' if right else 'WRONG'} picture"
        print(f"  {words}  {'met' if good else 'MISSED'}", flush=True)
    if played is not None:
        frames, sent = played
        good = frames >= 0.95 * FRAMES_LIMIT and sent == 0
        met &= good
        print(f"  player: {frames:.0f} frames/s, {sent} messages sent  {'met' if good else 'MISSED'}", flush=True)
    return met


def main() -> int:
    """Measure and print. Returns 1 if a limit is missed, 2 if Chromium is not found, and 0 otherwise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=25, help="moves of every control")
    parser.add_argument("--soak", action="store_true", help="drag for 10,000 events, and print the memory")
    parser.add_argument("--only", default="", help="explorers whose folder has this in its name")
    options = parser.parse_args()
    if lab.CHROMIUM is None:
        print("no Chromium found; install it (apt-get install chromium) and try again", file=sys.stderr)
        return 2
    met = True
    with tempfile.TemporaryDirectory() as notes, tempfile.TemporaryDirectory() as scratch:
        chosen = [name for name in EXPLORERS if options.only in name]
        notebook_name = write_notebook(Path(notes), chosen)
        with lab.server(Path(notes), Path(scratch)) as address, lab.page(height=1400) as page:
            traffic: list[tuple[str, int]] = []  # "sent" or "received", and the bytes of each message
            page.on("websocket", lambda socket: listen(socket, traffic))
            notebook = lab.Notebook(page, address, notebook_name)
            notebook.run_all()
            pairs = notebook.each(".widget-vbox:has(> .pmp-explorer + .pmp-explorer)")
            for title, pair in zip(chosen, pairs, strict=True):
                page.wait_for_timeout(1000)
                if options.soak:
                    for events, heap, kernel in soak(page, pair):
                        print(f"{title}: {events:6d} events, page {heap:6.1f} MB, kernel {kernel:6.0f} MB", flush=True)
                    continue
                met &= report(title, *measure(page, pair, options.moves, traffic))
                met &= report_more(drag(page, pair), play(page, pair, traffic))
    if options.soak:
        return 0
    print(f"\nlimits: {MEDIAN_LIMIT:+.0f} ms for the median, {P95_LIMIT:+.0f} ms for p95, above the echo")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
