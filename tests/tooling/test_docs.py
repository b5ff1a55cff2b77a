"""The links of pages and notebooks lead to existing targets, and the reference contains every public name."""

import inspect
import itertools
import json
import re
from pathlib import Path
from urllib.parse import unquote

import equinox as eqx
import pytest

import pmp_kit as pk
from pmp_kit.course.pages import PAGES

ROOT = Path(__file__).parents[2]
NOTEBOOKS = [*(ROOT / "notebooks").glob("*.ipynb"), *(ROOT / "notebooks" / "paper").glob("*.ipynb")]
TEXTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *NOTEBOOKS])
LINK = re.compile(r'\]\(([^()\s]+)(?: "[^"]*")?\)')
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


def text_of(page: Path) -> str:
    """The Markdown of a page or a notebook, without its code."""
    text = page.read_text(encoding="utf-8")
    if page.suffix == ".ipynb":
        cells = json.loads(text)["cells"]  # nbformat takes seconds to import
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return CODE.sub("", text)


def anchors(page: Path) -> set[str]:
    """Return the valid anchors of the headings of this page, in the forms of GitHub and JupyterLab."""
    headings = [re.sub(r"[^\w\- ]", "", heading).strip() for heading in HEADING.findall(text_of(page))]
    return {form for heading in headings for form in (heading.lower().replace(" ", "-"), heading.replace(" ", "-"))}


@pytest.mark.parametrize("page", TEXTS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    """Only links inside the project are checked. A link to a folder fails, as it does in `make docs`."""
    for link in LINK.findall(text_of(page)):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = unquote(link).partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.is_file(), f"{link}: there is no file {target}"  # the site has no pages for folders
        assert target.is_relative_to(ROOT), f"{link} leaves the project"
        assert not anchor or anchor in anchors(target), f"{link}: no such heading"


def test_the_course_is_one_chain():
    """Each page is linked from the README. A page of the path leads to the next one and to its detours."""
    readme, folder = (ROOT / "README.md").read_text(encoding="utf-8"), ROOT / "notebooks"
    path = [page for page in PAGES.values() if page.shelf == "path"]
    for page in PAGES.values():
        link = f"{page.name}.ipynb"
        assert page.shelf == "paper" or f"notebooks/{link}" in readme, f"link to notebooks/{link} in README.md"
        if page.branches:
            assert link in text_of(folder / f"{page.branches}.ipynb"), f"link to {link} in {page.branches}.ipynb"
    for before, page in itertools.pairwise(path):
        link = f"{page.name}.ipynb"
        assert link in text_of(folder / f"{before.name}.ipynb"), f"link to {link} at the end of {before.name}.ipynb"


def test_every_page_is_there():
    names = {path.relative_to(ROOT / "notebooks").with_suffix("").as_posix() for path in NOTEBOOKS}
    assert names == set(PAGES), "give each notebook one row in pmp_kit/course/pages.py"


def test_the_reference_leaves_out_nothing():
    """Every public name of the kit is in exactly one of the modules that the pages of docs/api list."""
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "api").glob("*.md")]
    rooms = [
        room
        for page in pages
        for line in re.findall(r"^\.\. public:: (.*)$", page, re.MULTILINE)
        for room in line.split()
    ]
    for name in set(pk.__all__) - {"FREE"}:
        thing = getattr(pk, name)
        if inspect.ismodule(thing):
            assert any(f".. automodule:: {thing.__name__}\n" in page for page in pages), f"docs/api lacks {name}"
        else:
            lists = [room for room in rooms if f"{thing.__module__}.".startswith(f"pmp_kit.{room}.")]
            assert len(lists) == 1, (
                f"{name} of {thing.__module__}: expected one `.. public::` of its module, got {lists}"
            )


def test_the_guide_states_the_defaults_of_all_settings():
    text = (ROOT / "docs" / "choosing.md").read_text(encoding="utf-8")
    table = text.partition("\n| setting | default |")[2].partition("\n\n")[0]
    stated = dict(re.findall(r"^\| `(\w+)` \| `?(.+?)`? \|", table, re.MULTILINE))
    assert stated.pop("num_sweeps") == "no default"
    assert stated.keys() == inspect.signature(pk.PMP).parameters.keys() == {*pk.paper_settings(), "noise"}
    for name, default in stated.items():
        assert eqx.tree_equal(pk.PMP(**{name: eval(default, vars(pk))}), pk.PMP()), f"{name}: {default}"


def test_tab_completes_public_names_and_modules_alone():
    """It offered TYPE_CHECKING and import_module among the factors and functions."""
    shown = {name for name in dir(pk) if not name.startswith("__")}
    assert shown >= {*pk.__all__, "explore", "pretrained", "samplers"}
    assert all(inspect.ismodule(getattr(pk, name)) for name in shown - {*pk.__all__, "pretrained"})
