"""Pages without a kernel: their controls go over recorded states, marks have tips, and nothing is fetched."""

import itertools
import re

import nbconvert
import nbformat
import pytest

from browser import lab, plain
from helpers.explorers import EXPLORERS
from helpers.slow_parameters import some
from pmp_kit.course import explore
from pmp_kit.course.explore import layout
from pmp_kit.course.explore.picture import page as pages

pytestmark = lab.MARKS
GATE = {"sampler"}
"""Explorers whose pages `make test` tests; `make test-all` tests all."""


def settings(explorer):
    """The first and last values of the controls of a page: (place of each value, params)."""
    values = {name: pages.values_of(explorer, explorer.telling, name) for name in explorer.telling}
    ends = [[0, len(one) - 1] for one in values.values()]
    for places in itertools.product(*ends):
        chosen = {name: one[place] for place, (name, one) in zip(places, values.items(), strict=True)}
        yield places, explorer.moved(explorer.params, chosen)


@pytest.mark.parametrize("name", some(EXPLORERS, GATE, pytest.mark.all))
def test_every_explorer_works_without_a_kernel(name, page, tmp_path):
    explorer, file, asked = EXPLORERS[name].make_small(), tmp_path / "page.html", []
    page.on("request", note := lambda request: asked.append(request.url))
    explorer.export(file)
    assert file.stat().st_size < pages.MOST + len(pages.PAGE) + 100
    page.goto(file.as_uri())
    page.locator("canvas[data-drawn]").wait_for()
    controls, line = page.locator(".pmp-given :is(input, select)"), page.locator(".pmp-line")
    assert line.inner_text() == layout.typeset(explorer.says(explorer.state))
    seen = set()
    for places, params in settings(explorer):
        for control, place in zip(controls.all(), places, strict=True):
            listed = control.evaluate("(control) => control.tagName") == "SELECT"
            (control.select_option if listed else control.fill)(str(place))
        page.evaluate(plain.FRAMES)
        assert line.inner_text() == layout.typeset(explorer.says(explorer.compute(params)))
        seen.add(plain.pixels(page.locator("canvas")).tobytes())
    assert len(seen) > 1, "the controls change the picture"
    page.keyboard.press("Tab")
    page.locator("canvas").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".pmp-tip").is_visible()
    assert page.locator(".pmp-unseen").inner_text()
    assert "recorded states" in page.locator(".pmp-live").inner_text()
    page.remove_listener("request", note)
    assert asked == [file.as_uri()]


def test_an_exported_notebook_has_its_controls(page, tmp_path, monkeypatch):
    """The bundle of a cell as nbconvert writes it. Its page is opened without a network."""
    monkeypatch.setenv(pages.PLAYERS, "1")
    bundle, _ = explore.OneSample()._repr_mimebundle_()
    output = nbformat.v4.new_output("display_data", bundle)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("sample", outputs=[output])])
    html, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    page.route(re.compile("^http"), lambda route: route.abort())
    page.goto((tmp_path / "page.html").as_uri())
    page.locator("canvas[data-drawn]").wait_for()
    before = page.locator(".pmp-line").inner_text()
    page.locator(".pmp-given input").fill("5")
    assert page.locator(".pmp-given output").inner_text() == "5"
    assert page.locator(".pmp-line").inner_text() != before
    page.unroute_all()
