"""Text in columns for a page: its lines are not broken."""

from __future__ import annotations

import html


class Listing(str):
    """Lines that a page shows as they are. Where they do not fit, they scroll; Jupyter breaks lines that are printed.

    It is a string. To show it, make it the value of a cell.
    """

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict:
        font = "font-family: var(--jp-code-font-family, monospace); font-size: var(--jp-code-font-size, 13px)"
        style = f"white-space: pre; overflow-x: auto; {font}"  # Jupyter has other letters for HTML than for text
        return {"text/plain": str(self), "text/html": f'<pre style="{style}">{html.escape(self)}</pre>'}
