"""The finished map for pages without a kernel."""

from __future__ import annotations

from ...plot.png import png
from .. import layout, recorded
from ..explorer import Explorer
from . import compute, paint
from .compute import Axis
from .measures import Measure

FOLD = "The map answers the question about {control}. Open it after you have chosen an answer."


def caption(explorer: Explorer, x: Axis, y: Axis, measure: Measure) -> str:
    """Return what the cells and their colours are, as HTML."""
    return layout.marked(
        "Each cell is a setting of <b>{}</b> and <b>{}</b> of <i>{}</i>. The colour shows the {}.",
        *(x.name, y.name, explorer.title, measure.label),
    )


def html(explorer: Explorer, x: Axis, y: Axis, measure: Measure, locked: str) -> str:
    """Compute the whole map and return HTML that shows it; the explorer stays as it is.

    Args:
        explorer: whose present values hold for the controls that are no axes.
        x, y: the axes.
        measure: what the colours show.
        locked: the control that a question of the page is about, if any. The map is then folded.
    """
    work = compute.Work(explorer, x, y, measure)
    work.restart(compute.params_of(explorer))
    while not work.over:
        work.step()
    picture = png(paint.Painter(x, y, measure).paint(work.values))
    says, fold = paint.words(work.values, x, y, measure), FOLD.format(control=locked) if locked else ""
    return recorded.picture("Phase map", caption(explorer, x, y, measure), picture, says, fold)
