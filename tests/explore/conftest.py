"""No test leaves failures or strictness behind."""

import pytest

from pmp_kit import explore


@pytest.fixture(autouse=True)
def clean_failures():
    explore.clear_failures()
    explore.set_strict(False)
    yield
    explore.clear_failures()
    explore.set_strict(False)
