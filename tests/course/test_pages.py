"""The map of the course leads from every page to every other one."""

import re

import pytest

from pmp_kit.course import pages
from pmp_kit.course.explore import CourseMap

LINK = re.compile(r'<a href="([^"]+)" title="([^"]+)"( aria-current="page")?><b>([^<]+)</b> ([^<]+)</a>')


def links(name):
    return LINK.findall(CourseMap(name)._repr_html_())


def test_an_unknown_page_is_told_so():
    with pytest.raises(
        ValueError, match=r"expected one of 00_start_here, .*, got '02_messages.ipynb'; take the file name"
    ):
        CourseMap("02_messages.ipynb")


@pytest.mark.parametrize("name", ["00_start_here", "paper/5_3_zeros"])
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
