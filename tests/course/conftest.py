"""No test leaves recorded failures behind."""

import sys
import types

import pytest
from IPython.core.formatters import DisplayFormatter

from pmp_kit.course.explore import failure_list


def pytest_configure(config):
    """Let pass what ipywidgets 7.7, the oldest that is promised, says of itself beside newer traitlets."""
    config.addinivalue_line("filterwarnings", "ignore:Deprecated in traitlets 4.1:DeprecationWarning")


@pytest.fixture
def colab_manager(monkeypatch):
    """A function that returns the address of the widget manager in what Colab gets of a cell's value, None if missing.

    `google.colab.output` is a fake. It has the address once its manager of widgets is enabled.
    """
    output = types.ModuleType("google.colab.output")
    output._widgets = types.SimpleNamespace(_installed_url=None)
    output.enable_custom_widget_manager = lambda: vars(output._widgets).update(_installed_url="https://manager")
    monkeypatch.setitem(sys.modules, output.__name__, output)

    def manager(shown):
        data, metadata = DisplayFormatter().format(shown)
        assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == shown.widget.model_id
        view = metadata.get("application/vnd.jupyter.widget-view+json", {})
        return view.get("colab", {}).get("custom_widget_manager", {}).get("url")

    return manager


@pytest.fixture(autouse=True)
def clean_failures():
    failure_list.clear_failures()
    yield
    failure_list.clear_failures()
