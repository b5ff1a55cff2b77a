"""The map of the course: all pages as stations, the page that shows it lit."""

from __future__ import annotations

import html

from ..pages import PAGES, Page, link, page
from .filmed import players_wanted
from .page import sources

WIDTH, HEIGHT = 700, 262
PATH, DETOURS, PAPER = 62, 150, 206  # heights of the three rows, in CSS pixels
LEFT, STEP = 34.0, 53.0  # place of the first station of the path, and the distance of two
FIRST_PAPER, PAPER_STEP = 170.0, 81.0
WORDS = {DETOURS: ("detours", ", in any order"), PAPER: ("paper", ", figure by figure")}
"""Row -> its name, and what a wide page adds to it."""
SHORT = {"Restricted Boltzmann machines": "RBMs", "Linear programs": "Programs", "Build your own": "Your own"}
"""Titles that are too long for a map -> the label of the station."""


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
        """Return the map. Links are HTML and not SVG, because JupyterLab opens only HTML links in its own tabs."""
        here = f"<b>{self.page.number} {html.escape(self.page.title)}</b>"
        titles = "".join(
            f'<div class="pmp-map-words" style="top:{top}px">{name}<span class="pmp-map-more">{more}</span></div>'
            for top, (name, more) in WORDS.items()
        )
        return (
            f'<nav class="pmp-map" aria-label="Map of the course"><style>{sources.style("map.css")}</style>'
            f"<div>You are here: {here}. {html.escape(self.page.question)}</div>"
            f'<div class="pmp-map-rows">{_lines()}{titles}{"".join(map(self._station, PAGES.values()))}</div></nav>'
        )

    def _station(self, target: Page) -> str:
        """Return the link to a page. On the documentation site pages are HTML files."""
        ending = ".html" if players_wanted() else ".ipynb"
        left, top = _place(target)
        current = ' aria-current="page"' if target == self.page else ""
        words, label = html.escape(f"{target.number} {target.title}"), SHORT.get(target.title, target.title)
        return (
            f'<a class="pmp-map-stop pmp-map-{target.shelf}" href="{link(self.page, target, ending)}" '
            f'title="{words}: {html.escape(target.question)}" aria-label="{words}"{current} '
            f'style="left:{left / WIDTH:.2%};top:{top}px">{target.number}'
            f'<span class="pmp-map-label pmp-map-{_side(target)}">{html.escape(label)}</span></a>'
        )


def _place(target: Page) -> tuple[float, int]:
    """Return where a station is on a map of WIDTH x HEIGHT."""
    if target.shelf == "paper":
        row = [one for one in PAGES.values() if one.shelf == "paper"]
        return FIRST_PAPER + PAPER_STEP * row.index(target), PAPER
    along = LEFT + STEP * int((target.branches or target.name)[:2])
    return along, DETOURS if target.shelf == "detour" else PATH


def _side(target: Page) -> str:
    """Return where the label is: on the path above and below by turns, and detours branch off where it is above."""
    if target.shelf == "paper":
        return "below"
    if target.shelf == "detour":
        return "left" if _place(target)[0] > WIDTH - STEP else "right"
    return "below" if int(target.number) % 2 else "above"


def _lines() -> str:
    """Return the drawing of the lines between the stations. It says nothing that the links do not say."""
    last = max(_place(target)[0] for target in PAGES.values() if target.shelf == "path")
    lines = [f'<line class="pmp-map-path" x1="{LEFT}" y1="{PATH}" x2="{last}" y2="{PATH}"/>']
    for target in PAGES.values():
        if target.shelf == "detour":
            along, below = _place(target)
            lines.append(f'<line class="pmp-map-detour" x1="{along}" y1="{PATH}" x2="{along}" y2="{below}"/>')
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true"'
    return f"<svg {box}>{''.join(lines)}</svg>"
