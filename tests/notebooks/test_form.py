"""Every notebook is short, has its sections and cell tags in the required order, and has clean outputs."""

import ast
import json
import re

import notebook_runner as runner
import pytest

import badges

SECTIONS = [
    "Play",
    "Predict",
    "The equation, beside the code that is it",
    "Look closer",
    "Exercise",
    "Quiz",
    "What we changed against the paper, and why",
    "Next",
]
TAGS = ["setup", "parameters", "play", "predict", "equation", "look-closer", "exercise", "hint", "solution", "guard"]
CELLS, LINES, LINES_A_CELL, EQUATION_LINES = 45, 120, 15, 10

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
    return [cell for cell in notebook["cells"] if tag in cell["metadata"].get("tags", [])]


def lines(cell):
    """Return the lines of code without blank lines, comments and the lines for Colab, which `make badges` writes."""
    return [
        line
        for line in badges.COLAB.sub("", source(cell)).splitlines()
        if line.strip() and not line.strip().startswith("#")
    ]


def test_it_is_short(path):
    notebook = read(path)
    assert len(notebook["cells"]) <= CELLS
    assert sum(len(lines(cell)) for cell in code(notebook)) <= LINES
    assert max(len(lines(cell)) for cell in code(notebook)) <= LINES_A_CELL


def test_the_sections_come_in_order(path):
    headings = re.findall(r"^## (.*)$", text(read(path)), re.MULTILINE)
    places = [next((i for i, h in enumerate(headings) if h.startswith(name)), -1) for name in SECTIONS]
    assert -1 not in places, f"missing: {[s for s, place in zip(SECTIONS, places, strict=True) if place < 0]}"
    assert places == sorted(places)


def test_the_head_says_what_to_expect(path):
    head = source(read(path)["cells"][0])
    assert head.startswith("<!-- badges -->\n")
    number = path.stem[:2]
    assert re.search(rf"^# {number} · ", head, re.MULTILINE)
    for part in ("**Claim.**", "Section", "- ", "?", "**Time:**", "**GPU:**"):
        assert part in head


def test_the_cells_are_tagged_in_order(path):
    notebook = read(path)
    tags = [tag for cell in notebook["cells"] for tag in cell["metadata"].get("tags", []) if tag in TAGS]
    assert list(dict.fromkeys(tags)) == TAGS
    assert len(tagged(notebook, "hint")) == len(tagged(notebook, "solution")) == len(tagged(notebook, "exercise"))
    assert "guard.install()" in source(tagged(notebook, "setup")[0])
    assert source(notebook["cells"][-1]).startswith("guard.check()")


def test_colab_is_served_without_touching_its_jax(path):
    setup = source(tagged(read(path), "setup")[0])
    if "make badges" in setup:  # the address of the repository is not known yet
        assert "%pip" not in setup
        return
    commands = [command.split() for command in re.findall(r"%pip install (.*)", setup)]
    assert len(commands) == 2
    for options in commands:
        assert "--no-deps" in options
        assert not any(re.match(r"jax(lib)?\b", option) for option in options)


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
    quiz = re.search(r"## Quiz\n(.*?)(?:\n## |\Z)", text(notebook), re.DOTALL)
    assert quiz[1].count("<details>") == quiz[1].count("</details>") >= 3


def test_only_one_picture_is_committed(path):
    notebook = read(path)
    assert not {"widgets", "papermill"} & set(notebook["metadata"])
    shown = [cell for cell in code(notebook) if cell["outputs"]]
    assert len(shown) == len(tagged(notebook, "keep-output")) == 1
    assert shown[0]["outputs"] == [
        {"data": {kind: shown[0]["outputs"][0]["data"][kind] for kind in ("image/png", "text/plain")}}
        | {"metadata": {}, "output_type": "display_data"}
    ]
    assert all(cell["execution_count"] is None for cell in code(notebook))


def test_links_to_other_files_lead_somewhere(path):
    for link in re.findall(r"\]\((?!https?://)([^)#]+)\)", text(read(path))):
        assert (path.parent / link).exists(), link
