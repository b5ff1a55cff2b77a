"""The table of pages is in order, and the map of the course leads from every page to every other one."""

import json
import re
from pathlib import Path

import pytest

from pmp_kit.course import pages
from pmp_kit.course.explore import CourseMap
from pmp_kit.course.explore.filmed import PLAYERS

ROOT = Path(__file__).parents[2]
LINK = re.compile(
    r'<a class="pmp-map-stop pmp-map-(\w+)" href="([^"]+)" title="([^"]+)" aria-label="([^"]+)"( aria-current="page")?'
)


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
    reached = [(tmp_path / name).parent / address for _, address, *_ in found]
    assert [one.resolve().relative_to(tmp_path).with_suffix("").as_posix() for one in reached] == list(pages.PAGES)
    assert all(one.exists() for one in reached)
    assert [shelf for shelf, *_ in found] == [page.shelf for page in pages.PAGES.values()]
    assert [bool(current) for *_, current in found] == [page == name for page in pages.PAGES]
    assert all(page.question in title for page, (_, _, title, *_) in zip(pages.PAGES.values(), found, strict=True))


def test_the_documentation_site_links_to_its_own_pages(monkeypatch):
    monkeypatch.setenv(PLAYERS, "1")
    addresses = [address for _, address, *_ in links("paper/5_3_zeros")]
    assert addresses[2] == "../02_messages.html"
    assert addresses[-1] == "../paper/appendix_b.html"


def test_stations_do_not_share_a_place():
    places = re.findall(r'style="left:([\d.]+)%;top:(\d+)px"', CourseMap("00_start_here")._repr_html_())
    assert len(set(places)) == len(places) == len(pages.PAGES)
    assert all(0 < float(left) < 100 for left, _ in places)
    assert repr(CourseMap("03_noise")).startswith("Map of the course. This page: 03 Noise. Why does noise")
