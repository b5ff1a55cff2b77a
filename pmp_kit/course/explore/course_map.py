"""The map of the course: all pages as stations, the page that shows it lit."""

from __future__ import annotations

import html
import pathlib

from ..pages import PAGES, Page, link, page
from .picture.page import players_wanted

STYLE = pathlib.Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


class CourseMap:
    """A map of the course, which shows where a page belongs. Every station is a link to its notebook.

    Args:
        name: of the page that shows the map, such as "02_messages" or "paper/5_3_zeros".

    Raises:
        ValueError: no page has this name.
    """

    def __init__(self, name: str):
        self.page = page(name)

    def __repr__(self) -> str:
        return f"Map of the course. This page: {self.page.number} {self.page.title}. {self.page.question}"

    def _repr_html_(self) -> str:
        """Return the map as lists of links, which can be read without its style sheet, as on GitHub."""
        here = f"<b>{self.page.number} {html.escape(self.page.title)}</b>. {html.escape(self.page.question)}"
        return (
            f'<nav class="pmp-map" aria-label="Map of the course"><style>{STYLE}</style>'
            f'<p>You are here: {here}</p><ol class="pmp-map-path">{self._stations("path")}</ol>'
            f'<p>The paper, figure by figure</p><ol class="pmp-map-paper">{self._stations("paper")}</ol></nav>'
        )

    def _stations(self, shelf: str, branches: str = "") -> str:
        """Return the pages of a shelf, each with the detours that branch from it."""
        there = (one for one in PAGES.values() if (one.shelf, one.branches) == (shelf, branches))
        return "".join(f"<li>{self._link(one)}{self._detours(one)}</li>" for one in there)

    def _detours(self, start: Page) -> str:
        detours = self._stations("detour", start.name)
        return f"<ul>{detours}</ul>" if detours else ""

    def _link(self, target: Page) -> str:
        """Return the link to a page. On the documentation site pages are HTML files."""
        address = link(self.page, target, ".html" if players_wanted() else ".ipynb")
        current = ' aria-current="page"' if target == self.page else ""
        title, question = html.escape(target.title), html.escape(target.question)
        return f'<a href="{address}" title="{question}"{current}><b>{target.number}</b> {title}</a>'
