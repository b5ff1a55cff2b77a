"""What the cells of every page must hold: guard, recorded numbers, installation on Colab, its place on the map."""

import json
import re

import notebook_runner as runner
import pytest

import badges
from pmp_kit.course import pages

PAGES = [*runner.COURSE, *runner.PAPER]
TAGS = ["setup", "parameters", "guard"]
"""Tags of the cells for machines, which are folded."""

each_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
each_of_the_course = pytest.mark.parametrize("path", runner.COURSE, ids=lambda path: path.stem)


def code(path):
    """Return the tags and the source of each code cell, and the cells themselves."""
    cells = [c for c in json.loads(path.read_text(encoding="utf-8"))["cells"] if c["cell_type"] == "code"]
    return [(set(cell["metadata"].get("tags", [])), "".join(cell["source"]), cell) for cell in cells]


@each_page
def test_the_cells_for_machines_come_in_order_and_are_folded(path):
    tagged = [(tag, source, cell) for tags, source, cell in code(path) for tag in TAGS if tag in tags]
    assert [tag for tag, *_ in tagged] == TAGS
    assert all(cell["metadata"]["jupyter"]["source_hidden"] for *_, cell in tagged)
    setup, parameters, guard = (source for _, source, _ in tagged)
    assert "guard.install()" in setup
    assert path in runner.COURSE or parameters.startswith('profile = "quick"')
    assert guard.splitlines()[-1].startswith("guard.check()"), "it also raises wrong numbers"
    assert tagged[-1][2] == code(path)[-1][2]


@each_page
def test_numbers_are_recorded(path):
    """On a page of the course in the last cell alone, where no reader has to read them."""
    *others, last = [bool(re.search(r"\brecord\(", source)) for _, source, _ in code(path)]
    assert not any(others) if path in runner.COURSE else any(others)
    assert last or path in runner.PAPER


@each_page
def test_colab_is_served_without_touching_its_jax(path):
    setup = code(path)[0][1]
    if "make badges" in setup:  # the address of the repository is not known yet
        assert "%pip" not in setup
        setup = badges.colab_lines("owner/name")
    commands = [command.split() for command in re.findall(r"%pip install (.*)", setup)]
    assert len(commands) == 2, "run `make badges`, which writes the installation on Colab"
    for options in commands:
        assert "--no-deps" in options, "without --no-deps, pip would replace Colab's JAX; see .ci/badges.py"
        assert not any(re.match(r"jax(lib)?\b", option) for option in options), "keep Colab's JAX; see .ci/badges.py"


@each_page
def test_a_page_of_the_course_keeps_one_picture_and_others_none(path):
    kept = [tags for tags, _, cell in code(path) if cell["outputs"]]
    assert len(kept) <= (path in runner.COURSE), "run `make strip`"
    assert all("keep-output" in tags for tags in kept)


@each_of_the_course
def test_each_exercise_has_a_folded_hint_and_a_folded_solution(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    found = {
        tag: ["".join(c["source"]) for c in cells if tag in c["metadata"].get("tags", [])]
        for tag in ("exercise", "hint", "solution")
    }
    assert len(found["exercise"]) == len(found["hint"]) == len(found["solution"]) > 0
    for text in found["hint"] + found["solution"]:
        assert text.startswith("<details><summary>")
        assert text.rstrip().endswith("</details>")


@each_of_the_course
def test_a_page_shows_its_own_place_on_the_map(path):
    assert pages.PAGES[path.stem].shelf != "paper"
    shown = re.findall(r'\bexplore\.CourseMap\("([^"]+)"\)', "\n".join(source for _, source, _ in code(path)))
    assert shown == [path.stem]
