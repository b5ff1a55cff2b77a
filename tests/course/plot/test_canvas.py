"""Canvases: threads draw one after another."""

import threading
import time

from matplotlib.backends.backend_agg import FigureCanvasAgg

from pmp_kit.course import plot


def test_two_threads_do_not_draw_at_once(monkeypatch):
    drawing, draw = [], FigureCanvasAgg.draw

    def slow(canvas):
        drawing.append("begin")
        time.sleep(0.05)
        draw(canvas)
        drawing.append("end")

    monkeypatch.setattr(FigureCanvasAgg, "draw", slow)
    threads = [threading.Thread(target=plot.Canvas(20, 20).pixels) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert drawing == ["begin", "end"] * 3
