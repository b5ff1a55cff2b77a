"""The base of the widgets that have a script of ours: what the script raises in the page arrives here."""

from __future__ import annotations

import anywidget

from .. import failure_list

SENT = "pmp_kit_failure"
"""The key of a message in which a script sends the text of an exception."""


class Scripted(anywidget.AnyWidget):
    """A widget whose script reports its exceptions to the list of failures."""

    def __init__(self, **traits):
        super().__init__(**traits)
        self.on_msg(_note)


def _note(widget: Scripted, content: object, buffers: object) -> None:
    """Record what a script reports; anywidget has messages of its own."""
    if isinstance(content, dict) and SENT in content:
        failure_list.record(f"the script of {type(widget).__name__.lstrip('_')}", str(content[SENT]))
