"""The layout of an explorer: words and controls at the left, the picture at the right, a status line below."""

from __future__ import annotations

import base64
import html
import re
import sys
from typing import Any

import ipywidgets as widgets
import traitlets

from .page import sources
from .page.scripted import Scripted

ONE = re.compile(r"(?<![\d.,])1 (different )?(sweep|step|picture|completion|chain|sample|pixel|perturbation|call)s\b")
MINUS = re.compile(r"(?<![\w-])-(?=\d)")
VIEW = "application/vnd.jupyter.widget-view+json"
CALM = 170  # ms between pictures that play by themselves: two of them are a flash, and there are fewer than 3 a second


class _Labels(Scripted):
    """Invisible: names the slider handles and the picture of its explorer for screen readers, and scrolls to it."""

    _esm = sources.module("labels.js")
    picture = traitlets.Unicode().tag(sync=True)
    calls = traitlets.Int().tag(sync=True)
    """How often the picture was scrolled into view."""


def marked(template: str, *words: object) -> str:
    """Return HTML: a template whose braces are filled with words. All words of a reader enter HTML here, escaped."""
    return template.format(*(html.escape(str(word)) for word in words))


def text(content: str, name: str) -> widgets.HTML:
    """Make a line of HTML in one of the classes of look.css."""
    line = widgets.HTML(content, layout=widgets.Layout(width="100%", height="auto", margin="0"))
    line.add_class(name)
    return line


def style() -> widgets.HTML:
    """Make a widget without height that holds the style sheet."""
    return widgets.HTML(f"<style>{sources.style()}</style>", layout=widgets.Layout(display="none"))


def named(name: str, control: Any) -> None:
    """Lay out a control of the column: its name in front, as wide as the column."""
    control.description = name
    control.style.description_width = "102px"
    control.layout.width = "100%"
    control.layout.margin = "1px 0"
    control.add_class("pmp-control")


def heading(name: str) -> widgets.HTML:
    """Make the heading of a group of controls."""
    return text(marked("{}", name), "pmp-group")


def column(
    extras: list[widgets.Widget], groups: dict[str, dict[str, widgets.Widget]], below: list[widgets.Widget]
) -> widgets.VBox:
    """Make the column: the extras, then the controls under the headings of their groups, then what is below them."""
    rows = list(extras)
    for name, controls in groups.items():
        rows.append(heading(name))
        rows.extend(controls.values())
    box = widgets.VBox(rows + below)
    box.add_class("pmp-controls")
    return box


def player(control: Any, moves: str, **options) -> tuple[widgets.Play, list]:
    """Make a player that moves "value" or "index" of a control in the page, and its links to the control.

    Raises:
        ValueError: the interval is missing, or shorter than CALM.
    """
    if options.get("interval", 0) < CALM:
        raise ValueError(
            f"interval: expected at least {CALM} ms, so that nothing flashes faster than 3 Hz, got "
            f"{options.get('interval')}; take larger steps"
        )
    play = widgets.Play(show_repeat=False, **options | {"value": getattr(control, moves)})
    pairs = ("value", moves), ("disabled", "disabled")
    return play, [widgets.jslink((play, mine), (control, its)) for mine, its in pairs]


def typeset(line: str) -> str:
    """Return a line with "1 sweep" instead of "1 sweeps", and with minus signs instead of hyphens before numbers."""
    return MINUS.sub("−", ONE.sub(lambda one: f"1 {one[1] or ''}{one[2]}", line))


def short(value: Any) -> str:
    """Write a value of a control in few characters: 0.30000000000000004 is 0.3."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class Frame:
    """The box around an explorer.

    Attributes:
        widget: everything.
        status: the line under the picture.
        labels: names the controls and the picture for screen readers.
    """

    def __init__(self, title: str, caption: str, legend: str, controls: widgets.Widget, picture: widgets.Widget):
        self.status = text("", "pmp-status")
        self.labels = _Labels()
        self._holder = widgets.Box([picture])
        self._holder.add_class("pmp-picture")
        head = text(marked('<div class="pmp-title">{}</div>', title) + caption + legend, "pmp-caption")
        side = widgets.VBox([head, controls])
        side.add_class("pmp-side")
        row = widgets.Box(
            [side, self._holder], layout=widgets.Layout(display="flex", flex_flow="row wrap", width="100%")
        )
        row.add_class("pmp-row")
        self.widget = widgets.VBox([style(), row, self.status, self.labels])
        self.widget.add_class("pmp-explorer")
        self._says = None

    def below(self, *more: widgets.Widget) -> None:
        """Put something beside the picture or below it, as the style sheet says."""
        self._holder.children += more

    def say(self, line: str, picture: str) -> None:
        """Show the status line; `picture` describes the picture for screen readers."""
        line, picture = typeset(line), typeset(picture)
        if line != self._says:
            self.status.value = html.escape(line)
            self.labels.picture = picture
        if self._says is None:
            self.widget.remove_class("pmp-stale")
            self.status.remove_class("pmp-error")
        self._says = line

    def complain(self, line: str) -> None:
        """Show a failure: red status line, last picture dimmed."""
        self.status.value = html.escape(line)
        self.status.add_class("pmp-error")
        self.widget.add_class("pmp-stale")
        self._says = None


def mimebundle(widget: widgets.Widget, words: str, png: bytes | None = None, player: str = "") -> tuple[dict, dict]:
    """Return what a page shows: the live widget if there is a kernel, else the player, the picture or the words.

    Returns:
        The data and their metadata, by MIME type.
    """
    data: dict[str, Any] = {
        "text/plain": words,
        VIEW: {"version_major": 2, "version_minor": 0, "model_id": widget.model_id},
    }
    if png is not None:
        data["image/png"] = base64.b64encode(png).decode("ascii")
    if player:
        data["text/html"] = player
    return data, _metadata()


def _metadata() -> dict[str, Any]:
    """Return where Colab's manager of all widgets is. Without it, Colab shows those of ipywidgets alone.

    Colab adds it to what a cell displays, as ipywidgets 7 does with a bare widget, but not to the value of a cell.
    """
    output = sys.modules.get("google.colab.output")
    if output is None:
        return {}
    output.enable_custom_widget_manager()
    return {VIEW: {"colab": {"custom_widget_manager": {"url": output._widgets._installed_url}}}}  # as anywidget does
