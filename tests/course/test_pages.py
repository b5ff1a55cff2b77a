"""The table of pages is in order, and the map of the course leads from every page to every other one."""

import json
import re
from pathlib import Path

import pytest

from pmp_kit.course import pages
from pmp_kit.course.explore import CourseMap
from pmp_kit.course.explore.picture.page import PLAYERS

ROOT = Path(__file__).parents[2]
LINK = re.compile(r'<a href="([^"]+)" title="([^"]+)"( aria-current="page")?><b>([^<]+)</b> ([^<]+)</a>')


def links(name):
    return LINK.findall(CourseMap(name)._repr_html_())


def test_the_pages_are_in_order():
    on_path = [page.number for page in pages.PAGES.values() if page.shelf != "paper"]
    assert on_path == [f"{k:02}" for k in range(len(on_path))]
    of_paper = [page.number for page in pages.PAGES.values() if page.shelf == "paper"]
    assert of_paper == sorted(set(of_paper))  # sections of the paper, then its appendix
    for name, page in pages.PAGES.items():
        assert name == page.name
        assert page.shelf in ("path", "detour", "paper")
        assert page.question.endswith("?")
        assert (page.shelf == "detour") == bool(page.branches)
        assert not page.branches or pages.page(page.branches).shelf == "path"


@pytest.mark.parametrize("page", [page for page in pages.PAGES.values() if page.shelf != "paper"], ids=lambda p: p.name)
def test_the_table_the_readme_and_the_page_ask_the_same_question(page):
    cells = json.loads((ROOT / "notebooks" / f"{page.name}.ipynb").read_text("utf-8"))["cells"]
    text = " ".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert f"# {page.number} · {page.title} **Question.** {page.question} " in " ".join(text.split()) + " "
    row = f"[{page.number} {page.title}](notebooks/{page.name}.ipynb) | {page.question} |"
    assert row in (ROOT / "README.md").read_text("utf-8")


def test_a_teacher_is_told_the_minutes_of_the_pages():
    guide = (ROOT / "docs/teaching.md").read_text("utf-8")
    lessons = re.findall(r"\*\*Minutes\.\*\* (.+)\.", guide)
    said = [pair for lesson in lessons for pair in re.findall(r"(\d+) for page (\d\d)", lesson)]
    path = [page.number for page in pages.PAGES.values() if page.shelf == "path"]
    assert said
    numbers = [number for _, number in said]
    assert numbers == path[: len(said)], "docs/teaching.md: name the pages in order, such as `35 for page 02`"
    table = re.findall(r"^\| (\d\d) \| (\d+) \|", guide, re.MULTILINE)
    assert [number for number, _ in table] == [page.number for page in pages.PAGES.values() if page.shelf != "paper"]
    for minutes, number in [*said, *[(minutes, number) for number, minutes in table]]:
        page = next((ROOT / "notebooks").glob(f"{number}_*.ipynb")).read_text("utf-8")
        assert f"**Time:** {minutes} minutes" in page, number


def test_an_unknown_page_is_told_so():
    with pytest.raises(
        ValueError, match=r"expected one of 00_start_here, .*, got '02_messages.ipynb'; take the file name"
    ):
        CourseMap("02_messages.ipynb")


@pytest.mark.parametrize("name", pages.PAGES)
def test_every_page_is_one_link_away(name, tmp_path):
    for page in pages.PAGES:
        (tmp_path / page).parent.mkdir(exist_ok=True)
        (tmp_path / f"{page}.ipynb").touch()
    found = links(name)
    reached = [(tmp_path / name).parent / address for address, *_ in found]
    assert all(one.exists() for one in reached)
    names = [one.resolve().relative_to(tmp_path).with_suffix("").as_posix() for one in reached]
    assert sorted(names) == sorted(pages.PAGES)
    for reached, (_, question, current, number, title) in zip(names, found, strict=True):
        page = pages.page(reached)
        assert (question, number, title) == (page.question, page.number, page.title)
        assert bool(current) == (reached == name)


def test_a_detour_follows_the_page_that_it_branches_from():
    names = [address.removesuffix(".ipynb") for address, *_ in links("00_start_here")]
    for page in pages.PAGES.values():
        assert not page.branches or names[names.index(page.name) - 1] == page.branches
    assert [name for name in names if not pages.page(name).branches] == [
        page.name for page in pages.PAGES.values() if not page.branches
    ]


def test_the_documentation_site_links_to_its_own_pages(monkeypatch):
    monkeypatch.setenv(PLAYERS, "1")
    addresses = [address for address, *_ in links("paper/5_3_zeros")]
    assert addresses[2] == "../02_messages.html"
    assert addresses[-1] == "../paper/appendix_b.html"


def test_the_map_without_html():
    assert repr(CourseMap("03_noise")).startswith("Map of the course. This page: 03 Noise. Why does noise")
