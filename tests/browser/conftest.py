"""A page of headless Chromium that the tests of one file share, and that must not report an error."""

import pytest

from browser import lab


@pytest.fixture(scope="module")
def chromium_page():
    with lab.page(width=1000) as page:
        page.set_default_timeout(10_000)
        yield page


@pytest.fixture
def page(chromium_page):
    """An empty page; an error that its scripts do not catch fails the test."""
    errors = []

    def note(error):
        errors.append(str(error))

    chromium_page.on("pageerror", note)
    chromium_page.goto("about:blank")
    yield chromium_page
    chromium_page.evaluate("() => new Promise(requestAnimationFrame)")  # an error comes a little later than its cause
    chromium_page.remove_listener("pageerror", note)
    assert not errors
