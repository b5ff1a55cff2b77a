"""Every page of the paper's shelf has its sections and cell tags, and is stripped."""

import json
import re

import notebook_runner as runner
import pytest

import badges

SECTIONS = ["What the paper claims", "What runs here", "Results", "What we changed", "Errata", "See also"]
TAGS = ["setup", "parameters", "guard"]
LINES_A_CELL = 15

pytestmark = pytest.mark.parametrize("path", runner.PAPER, ids=lambda path: path.stem)


def cells(path):
    """Return (type, tags, source) of each cell, and the cells themselves."""
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [(cell["cell_type"], cell["metadata"].get("tags", []), "".join(cell["source"])) for cell in found], found


def text(path):
    return "\n\n".join(source for kind, _, source in cells(path)[0] if kind == "markdown")


def lines(path):
    """Return the number of lines in each visible code cell, without blank lines and comments."""
    shown = [source for kind, tags, source in cells(path)[0] if kind == "code" and not set(tags) & set(TAGS)]
    return [
        sum(bool(line.strip()) and not line.strip().startswith("#") for line in source.splitlines()) for source in shown
    ]


def test_the_head_says_what_to_expect(path):
    head = cells(path)[0][0][2]
    assert head.startswith("<!-- badges -->\n")
    number = path.stem[:3].replace("_", ".") if path.stem[0].isdigit() else path.stem[-1].upper()
    assert re.search(rf"^# {re.escape(number)} · ", head, re.MULTILINE)
    for part in ("**Section.**", "**Time:**", "**GPU:**", "https://arxiv.org/abs/2111.02458"):
        assert part in head


def test_the_sections_come_in_order(path):
    assert re.findall(r"^## (.*)$", text(path), re.MULTILINE) == SECTIONS


def test_it_states_its_minutes_and_its_cells_are_short(path):
    assert re.search(r"\*\*Time:\*\* \d+ minutes", text(path))
    assert max(lines(path)) <= LINES_A_CELL


def test_the_cells_for_machines_are_tagged_and_folded(path):
    named, found = cells(path)
    tagged = [(tag, cell) for (_, tags, _), cell in zip(named, found, strict=True) for tag in tags if tag in TAGS]
    assert [tag for tag, _ in tagged] == TAGS
    assert all(cell["metadata"]["jupyter"]["source_hidden"] for _, cell in tagged)
    setup, parameters, guard = ("".join(cell["source"]) for _, cell in tagged)
    assert "guard.install()" in setup
    assert badges.COLAB.search(setup)
    assert parameters.startswith('profile = "quick"')
    assert guard.startswith("guard.check()")
    assert found[-1] is tagged[-1][1]


def test_its_numbers_are_recorded(path):
    assert any(
        "record(" in source for kind, tags, source in cells(path)[0] if kind == "code" and not set(tags) & set(TAGS)
    )


def test_nothing_that_ran_is_committed(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert not {"widgets", "papermill"} & set(notebook["metadata"])
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
