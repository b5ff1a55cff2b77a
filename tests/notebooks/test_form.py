"""Every page of the course has its sections and cell tags in the required order, and has clean outputs."""

import ast
import json
import re

import notebook_runner as runner
import pytest

import badges

SECTIONS = ["Play", "Predict", "The equation and its code", "Look closer", "Exercise", "Recap", "Next"]
OPTIONAL = ["Quiz", "What we changed against the paper"]
"""Sections that may stand between the exercise and the recap."""
TAGS = ["setup", "parameters", "play", "predict", "equation", "look-closer", "exercise", "hint", "solution", "guard"]
CELLS, LINES_A_CELL, EQUATION_LINES, CHANGES, RECAP = 45, 15, 10, 3, 3

pytestmark = pytest.mark.parametrize("path", runner.COURSE, ids=lambda path: path.stem)


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def source(cell):
    return "".join(cell["source"])


def code(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def text(notebook):
    return "\n".join(source(cell) for cell in notebook["cells"] if cell["cell_type"] == "markdown")


def tagged(notebook, tag):
    return [cell for cell in notebook["cells"] if tagged_as(cell, tag)]


def tagged_as(cell, *tags):
    return bool(set(tags) & set(cell["metadata"].get("tags", [])))


def lines(cell):
    """Return the lines of code without blank lines, comments and the lines for Colab, which `make badges` writes."""
    return [
        line
        for line in badges.COLAB.sub("", source(cell)).splitlines()
        if line.strip() and not line.strip().startswith("#")
    ]


def headings(path):
    return re.findall(r"^## (.*)$", text(read(path)), re.MULTILINE)


def section(path, name):
    """Return the text of a section, or an empty one."""
    found = re.search(rf"^## {name}.*?\n(.*?)(?=^## |\Z)", text(read(path)), re.DOTALL | re.MULTILINE)
    return found[1].strip() if found else ""


def test_cells_are_few_and_short(path):
    notebook = read(path)
    assert len(notebook["cells"]) <= CELLS
    assert max(len(lines(cell)) for cell in code(notebook) if not tagged_as(cell, "setup", "guard")) <= LINES_A_CELL


def test_the_sections_come_in_order(path):
    there = headings(path)
    places = [next((i for i, heading in enumerate(there) if heading.startswith(name)), -1) for name in SECTIONS]
    assert -1 not in places, f"missing: {[s for s, place in zip(SECTIONS, places, strict=True) if place < 0]}"
    assert places == sorted(places)
    exercise, recap = there.index(next(h for h in there if h.startswith("Exercise"))), there.index("Recap")
    between = [heading for heading in there[exercise + 1 : recap] if not heading.startswith("Exercise")]
    assert all(heading in OPTIONAL for heading in between), between


def test_the_head_asks_one_question_and_says_what_to_expect(path):
    head = source(read(path)["cells"][0])
    assert head.startswith("<!-- badges -->\n")
    assert re.search(rf"^# {path.stem[:2]} · ", head, re.MULTILINE)
    (question,) = re.findall(r"^\*\*Question\.\*\* (.*?)(?=\n\n|\Z)", head, re.DOTALL | re.MULTILINE)
    assert question.count("?") == 1
    for part in ("**You need:**", "**Time:**", "**GPU:**"):
        assert part in head


def test_the_recap_is_three_sentences_and_the_map(path):
    notebook = read(path)
    recap = re.sub(r"\$[^$]*\$|`[^`]*`|\([^)]*\)", "", section(path, "Recap"))
    assert len(re.findall(r"[.!?](?=\s|$)", recap)) == RECAP
    maps = [cell for cell in code(notebook) if source(cell).startswith("explore.CourseMap(")]
    assert [source(cell) for cell in maps] == [f'explore.CourseMap("{path.stem}")']


def test_what_we_changed_is_short_and_leads_to_the_paper_s_shelf(path):
    changed = re.sub(r"<details>.*?</details>", "", section(path, "What we changed against the paper"), flags=re.DOTALL)
    assert len(changed.split()) <= 20 * CHANGES
    assert not changed.strip() or "paper/" in changed or path.stem == "01_energies"  # its conventions are in a fold


def test_the_cells_are_tagged_in_order(path):
    notebook = read(path)
    tags = [tag for cell in notebook["cells"] for tag in cell["metadata"].get("tags", []) if tag in TAGS]
    assert list(dict.fromkeys(tags)) == TAGS
    assert len(tagged(notebook, "hint")) == len(tagged(notebook, "solution")) == len(tagged(notebook, "exercise"))
    assert "guard.install()" in source(tagged(notebook, "setup")[0])
    assert source(notebook["cells"][-1]).splitlines()[-1].startswith("guard.check()"), "it also raises wrong numbers"


def test_the_cells_for_machines_are_folded(path):
    for cell in code(read(path)):
        if tagged_as(cell, "setup", "parameters", "guard"):
            assert cell["metadata"].get("jupyter", {}).get("source_hidden"), source(cell)[:60]


def test_results_are_recorded_in_the_last_cell_alone(path):
    *others, _ = code(read(path))
    assert not [source(cell) for cell in others if re.search(r"\brecord\(", source(cell))]


def test_colab_is_served_without_touching_its_jax(path):
    setup = source(tagged(read(path), "setup")[0])
    if "make badges" in setup:  # the address of the repository is not known yet
        assert "%pip" not in setup
        setup = badges.colab_lines("owner/name")
    commands = [command.split() for command in re.findall(r"%pip install (.*)", setup)]
    assert len(commands) == 2, "run `make badges`, which writes the installation on Colab"
    for options in commands:
        assert "--no-deps" in options, "without --no-deps, pip would replace Colab's JAX; see .ci/badges.py"
        assert not any(re.match(r"jax(lib)?\b", option) for option in options), "keep Colab's JAX; see .ci/badges.py"


def test_the_equation_is_at_most_ten_lines_of_code(path):
    for cell in tagged(read(path), "equation"):
        tree = ast.parse(source(cell))
        documented = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and ast.get_docstring(node)]
        assert len(lines(cell)) - len(documented) <= EQUATION_LINES


def test_the_prediction_is_a_question_of_the_library(path):
    for cell in tagged(read(path), "predict"):
        assert re.fullmatch(r'guess = explore\.Predict\("\w+"(, \w+)?\)\nguess', source(cell)), "it may hold the answer"


def test_hints_solutions_and_answers_are_folded(path):
    notebook = read(path)
    for cell in tagged(notebook, "hint") + tagged(notebook, "solution"):
        assert source(cell).startswith("<details><summary>")
        assert source(cell).rstrip().endswith("</details>")
    quiz = section(path, "Quiz")
    assert quiz.count("<details>") == quiz.count("</details>") == quiz.count("<summary>")
    assert not quiz or 2 <= len(re.findall(r"<summary><b>\d\.</b>", quiz)) <= 3


def test_only_one_picture_is_committed(path):
    notebook = read(path)
    assert not {"widgets", "papermill"} & set(notebook["metadata"])
    shown = [cell for cell in code(notebook) if cell["outputs"]]
    assert len(tagged(notebook, "keep-output")) == 1, "tag the one cell whose picture is kept with keep-output"
    assert shown == tagged(notebook, "keep-output"), "run this cell, save the page, and run `make strip`"
    assert shown[0]["outputs"] == [
        {"data": {kind: shown[0]["outputs"][0]["data"][kind] for kind in ("image/png", "text/plain")}}
        | {"metadata": {}, "output_type": "display_data"}
    ]
    assert all(cell["execution_count"] is None for cell in code(notebook))
