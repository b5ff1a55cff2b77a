"""Parts of the layout of explorers, and what a cell that ends with one gives to each page."""

from __future__ import annotations

import base64
import functools
import html
import pathlib
import re
import sys
from typing import Any

import ipywidgets as widgets

ONE = re.compile(r"(?<![\d.,])1 (different )?(sweep|step|picture|completion|chain|sample|pixel|perturbation|call)s\b")
MINUS = re.compile(r"(?<![\w-])-(?=\d)")
VIEW = "application/vnd.jupyter.widget-view+json"
CALM = 170  # ms between pictures that play by themselves: two of them are a flash, and there are fewer than 3 a second


def marked(template: str, *words: object) -> str:
    """Return HTML: a template whose braces are filled with words. All words of a reader enter HTML here, escaped."""
    return template.format(*(html.escape(str(word)) for word in words))


def text(content: str, name: str) -> widgets.HTML:
    """Make a line of HTML in one of the classes of look.css."""
    line = widgets.HTML(content, layout=widgets.Layout(width="100%", height="auto", margin="0"))
    line.add_class(name)
    return line


@functools.cache
def style_sheet() -> str:
    """Return the style sheet of all pictures."""
    return (pathlib.Path(__file__).parent / "picture/look.css").read_text(encoding="utf-8")


def style() -> widgets.HTML:
    """Make a widget without height that holds the style sheet."""
    return widgets.HTML(f"<style>{style_sheet()}</style>", layout=widgets.Layout(display="none"))


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
