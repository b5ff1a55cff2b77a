"""No test leaves recorded failures behind."""

import pytest

from pmp_kit.course import explore


def pytest_configure(config):
    """Let pass what ipywidgets 7.7, the oldest that is promised, says of itself beside newer traitlets."""
    config.addinivalue_line("filterwarnings", "ignore:Deprecated in traitlets 4.1:DeprecationWarning")


@pytest.fixture(autouse=True)
def clean_failures():
    explore.clear_failures()
    yield
    explore.clear_failures()
