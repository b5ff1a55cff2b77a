"""No test leaves recorded failures behind."""

import threading

import pytest

from pmp_kit.course import plot
from pmp_kit.course.explore import failure_list


def pytest_configure(config):
    """Let pass what ipywidgets 7.7, the oldest that is promised, says of itself beside newer traitlets."""
    config.addinivalue_line("filterwarnings", "ignore:Deprecated in traitlets 4.1:DeprecationWarning")


@pytest.fixture
def drawn(monkeypatch):
    """The canvases that a test draws, each once, in their order: what a figure shows, which its PNG does not tell."""
    kept, pixels = [], plot.Canvas.pixels

    def noted(canvas):
        if canvas not in kept:
            kept.append(canvas)
        return pixels(canvas)

    monkeypatch.setattr(plot.Canvas, "pixels", noted)
    return kept


@pytest.fixture
def no_threads(monkeypatch):
    """No thread can be started."""

    def refuse(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)


@pytest.fixture(autouse=True)
def clean_failures():
    failure_list.clear_failures()
    yield
    failure_list.clear_failures()
