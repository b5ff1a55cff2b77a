"""Figures are described for readers who do not see them, also on exported pages."""

import html

import nbformat
from nbconvert import HTMLExporter

from pmp_kit.course.plot import Canvas
from pmp_kit.course.plot.figure import Figure


def test_an_exported_page_has_the_description():
    figure = Figure(Canvas(40, 30).png(), 40, 'bars of "x" & y')
    data, metadata = figure._repr_mimebundle_()
    output = nbformat.v4.new_output("execute_result", data, metadata=metadata, execution_count=1)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("figure", outputs=[output])])
    (page, _) = HTMLExporter().from_notebook_node(notebook)
    assert 'bars of "x" & y' in html.unescape(page)
    assert "No description" not in page
    assert page.count("<img") == 1
