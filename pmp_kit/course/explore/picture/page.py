"""Pages without a kernel: the same picture over a table of states, with a slider or a list for each telling control."""

from __future__ import annotations

import base64
import html
import itertools
import json
import math
import os
import zlib
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import layout
from . import bundle

if TYPE_CHECKING:
    from .explorer import Explorer

WHERE = "open its notebook in JupyterLab (<code>make lab</code>), on Binder or on Colab."
PLAYERS = "PMP_KIT_PLAYERS"
"""The environment variable that, set to any text, adds a picture without a kernel to what a cell shows."""
MOST = 400_000
"""Bytes of a picture on a page."""
KEPT_BITS = 14
"""Of the 23 bits of a float32, in a table of states: four digits. The others would be most of the bytes."""
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ background: Canvas; color: CanvasText;
  font: 15px/1.5 system-ui, sans-serif; margin: 32px auto; max-width: 860px; padding: 0 20px; }}
</style>
{part}
</html>
"""
# The function keeps the names of one picture apart from those of others on the same page.
PART = """<div class="pmp-explorer pmp-drawn pmp-recorded">
<style>
{style}
</style>
<div class="pmp-title">{title}</div>
<div class="pmp-caption">{caption}</div>
<div class="pmp-given"></div>
<div class="pmp-picture"></div>
<p class="pmp-live">{live}</p>
<script>
(() => {{
"use strict";
{script}
openTable(picture, document.currentScript.parentElement, {table});
}})();
</script>
</div>
"""


def players_wanted() -> bool:
    """Return whether cells are run for pages without a kernel."""
    return bool(os.environ.get(PLAYERS))


def whole(explorer: Explorer, controls: Collection[str] | Mapping[str, list]) -> str:
    """Return a page of its own that fetches nothing.

    Raises:
        ValueError: an unknown control, or a part that is too large.
    """
    return PAGE.format(title=html.escape(explorer.title), part=part(explorer, controls))


def part(explorer: Explorer, controls: Collection[str] | Mapping[str, list]) -> str:
    """Return HTML for a place inside a page.

    Args:
        explorer: it stays as it is.
        controls: one or two names of controls, or name -> values; none of an explorer without controls.

    Raises:
        ValueError: not one or two controls, an unknown one, or more than MOST bytes.
    """
    if not min(1, len(explorer.controls)) <= len(controls) <= 2:
        raise ValueError(f"controls: expected one or two of {', '.join(explorer.controls)}, got {list(controls)}")
    stops = {name: values_of(explorer, controls, name) for name in controls}
    recorded = math.prod(map(len, stops.values()))
    text = PART.format(
        style=layout.style_sheet(),
        title=html.escape(explorer.title),
        caption=explorer.caption,
        live=f"{recorded} recorded state{'s' if recorded > 1 else ''}. For all controls, {WHERE}",
        script=_scripts(explorer),
        table=json.dumps(table(explorer, stops)).replace("</", "<\\/"),
    )
    if len(text.encode()) > MOST:
        raise ValueError(
            f"controls: expected states for a page of at most {MOST} bytes, got {len(text.encode())}; give fewer "
            "values, such as {'damping': [0, 0.5]}"
        )
    return text


def folded(words: str, body: str) -> str:
    """Return HTML that is hidden until the reader clicks on the words, or presses Enter on them."""
    keys = 'data-lm-suppress-shortcuts="true"'  # Enter and Space unfold it, and do nothing to the notebook
    return f'<details class="pmp-fold" {keys}><summary>{html.escape(words)}</summary>{body}</details>'


def values_of(explorer: Explorer, controls: Collection[str] | Mapping[str, list], name: str) -> list[Any]:
    """Return the values of a control on the page, the present one among them.

    Raises:
        ValueError: there is no such control.
    """
    if name not in explorer.controls and name not in explorer.telling:
        raise ValueError(f"controls: expected names among {', '.join(explorer.controls)}, got {name!r}")
    given = controls[name] if isinstance(controls, Mapping) else None
    values, now = explorer.stops(name) if given is None else list(given), plain(explorer.params[name])
    if now not in values:
        values = [*values, now] if listed(values) else sorted([*values, now])
    return values


def plain(value: Any) -> Any:
    """Return the value of a slider without the error of its steps: 0.30000000000000004 is 0.3."""
    return round(value, 10) if isinstance(value, float) else value


def table(explorer: Explorer, stops: dict[str, list[Any]]) -> dict[str, Any]:
    """Return the states of all settings, with what is said of each value, and which setting is shown first."""
    now = explorer.params
    settings = [
        explorer.moved(now, dict(zip(stops, values, strict=True))) for values in itertools.product(*stops.values())
    ]
    states = explorer.compute_many(settings)
    frames = [explorer.packed(state, rounded) for state in states]
    ends = list(itertools.accumulate(map(len, frames)))
    return {
        "controls": [
            {
                "name": name,
                "values": [layout.typeset(layout.short(value)) for value in values],
                "first": values.index(plain(now[name])),
                "listed": listed(values),
            }
            for name, values in stops.items()
        ],
        "starts": [0, *ends],
        "states": base64.b64encode(zlib.compress(b"".join(frames), 9)).decode("ascii"),
        "layers": list(explorer.picture.layers),
    }


def listed(values: list[Any]) -> bool:
    """Return whether values are words, which stand in a list and not on a slider."""
    return any(isinstance(value, str | bool) for value in values)


def rounded(value: Any) -> Any:
    """Return an array of floats with few bits, which zlib makes small; other values are returned unchanged."""
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return value
    drop = 23 - KEPT_BITS
    bits = np.ascontiguousarray(value, np.float32).view(np.uint32)
    finite = np.isfinite(value)
    half = np.where(finite, np.uint32(1 << (drop - 1)), np.uint32(0))
    return (
        np.where(finite, (bits + half) & np.uint32(~((1 << drop) - 1) & 0xFFFFFFFF), bits)
        .astype(np.uint32)
        .view(np.float32)
    )


def _scripts(explorer: Explorer) -> str:
    """Return the script of the picture and of the table, in which `picture` is what anywidget would call."""
    drawing = bundle.script(explorer.script()).replace("export default", "const picture =")
    return drawing + bundle.script(bundle.HERE / "table.js")
