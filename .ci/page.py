"""Write the skeleton of a page of the course, which runs and passes the tests as it is.

    make page NAME=17_my_page

It writes the notebook, the folder of its explorer, its exercise and what the tests compare, and adds the page to the
lists. Then change the texts, the picture, the question and the exercise in the files that it names.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import badges
from strip_notebooks import dumps
from venvs import ROOT, say

TEMPLATES = Path(__file__).with_suffix("")
EXPLORE, EXERCISES = ROOT / "pmp_kit/course/explore", ROOT / "pmp_kit/course/exercises"
LAST = "12_build_your_own"  # the page that leads to a new one
QUESTION = """{upper} = Question(
    "Set spins to 8. How likely is it that all spins agree?",
    ("less likely than before", "more likely than before", "as likely as it was before"),
    "Of eight spins, more configurations have both kinds. At this coupling their number counts more than their scores.",
    locked="spins",
    before={{"coupling": 0.1, "spins": 4}},
    shows={{"spins": 8}},
)
\"\"\"The question of page {number}.\"\"\"

"""


def main(name: str = "") -> int:
    """Write the skeleton of a page: notebook, explorer, question, exercise and tests, by make page NAME=17_my_page."""
    if not re.fullmatch(r"\d\d_[a-z][a-z0-9_]*", name):
        raise SystemExit(f"NAME: expected two digits and a name such as 17_my_page, got {name!r}")
    number, word = name[:2], name[3:]
    taken = [
        path
        for path in (EXPLORE / word, EXERCISES / f"{word}.py", *ROOT.glob(f"notebooks/{number}_*"))
        if path.exists()
    ]
    if taken:
        raise SystemExit(f"NAME: {taken[0].relative_to(ROOT)} exists; choose another number and another name")
    words = {"NN": number, "NAME": name, "WORD": word, "TITLE": word.replace("_", " ").capitalize()}
    words |= {"CLASS": word.title().replace("_", ""), "QUESTION": "What does this page answer?"}

    def filled(template: str) -> str:
        text = (TEMPLATES / template).read_text(encoding="utf-8")
        return re.sub(rf"(?<![A-Z])({'|'.join(words)})(?![A-Z])", lambda match: words[match[1]], text)

    notebook = ROOT / f"notebooks/{name}.ipynb"
    made = {
        notebook: dumps(notebook_of(filled("notebook.txt"))),
        **{EXPLORE / word / file: filled(f"explorer/{file}.txt") for file in ("__init__.py", "compute.py", "draw.js")},
        EXERCISES / f"{word}.py": filled("exercise.py.txt"),
        ROOT / f"tests/helpers/pages/{word}.py": filled("tests.py.txt"),
    }
    for path, text in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    notebook.write_text(badges.stamped_notebook(notebook), encoding="utf-8", newline="\n")
    add_to_lists(words)
    lists = [EXPLORE / "__init__.py", EXERCISES / "__init__.py"]
    ruff = [sys.executable, "-m", "ruff", "check", "--quiet", "--fix", "--select", "I,RUF022", *map(str, lists)]
    subprocess.run(ruff, cwd=ROOT, check=True)
    say("it runs as it is; `make stills` adds its picture for GitHub. Now write the page in these files:")
    for path in (*made, EXPLORE / "predict/questions.py"):
        print(f"    {path.relative_to(ROOT)}")
    return 0


def notebook_of(text: str) -> dict:
    """Return the notebook of a template: cells that begin with `%% code` or `%% markdown` and their tags."""
    cells = []
    for k, part in enumerate(text.split("%% ")[1:]):
        head, _, source = part.partition("\n")
        kind, *tags = head.split()
        hidden, tags = "hidden" in tags, [tag for tag in tags if tag != "hidden"]
        metadata = ({"tags": tags} if tags else {}) | ({"jupyter": {"source_hidden": True}} if hidden else {})
        lines = source.rstrip("\n").splitlines(True)
        cell = {"cell_type": kind, "id": f"cell-{k:02}", "metadata": metadata, "source": lines}
        cells.append(cell | ({"execution_count": None, "outputs": []} if kind == "code" else {}))
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def add_to_lists(words: dict[str, str]) -> None:
    """Add the page to the lists of pages, explorers, questions and exercises, to README.md and to page 12."""
    name, word, upper = words["NAME"], words["WORD"], words["WORD"].upper()
    page = f'Page("{name}", "{words["TITLE"]}", "{words["QUESTION"]}", "detour", "{LAST}"),'
    insert(ROOT / "pmp_kit/course/pages.py", ")\n_PAPER = (", f"    {page}\n")
    insert(EXPLORE / "__init__.py", "\n__all__ = [\n", f"from .{word} import {words['CLASS']}\n")
    insert(EXPLORE / "__init__.py", "]\n", f'    "{words["CLASS"]}",\n')
    insert(EXERCISES / "__init__.py", "\n__all__ = [\n", f"from .{word} import check_{word}\n")
    insert(EXERCISES / "__init__.py", "]\n", f'    "check_{word}",\n')
    questions = EXPLORE / "predict/questions.py"
    insert(questions, "QUESTIONS: dict", QUESTION.format(upper=upper, number=words["NN"]))
    insert(questions, '}\n"""Chapter -> its question."""', f'    "{word}": {upper},\n')
    row = f"| [{words['NN']} {words['TITLE']}](notebooks/{name}.ipynb) | {words['QUESTION']} |\n"
    insert(ROOT / "README.md", "\nThe folder `notebooks/paper`", row)
    before = ROOT / f"notebooks/{LAST}.ipynb"
    notebook = json.loads(before.read_text(encoding="utf-8"))
    last = [cell for cell in notebook["cells"] if "".join(cell["source"]).startswith("## Next")][-1]
    last["source"][-1:] = [
        last["source"][-1].rstrip("\n") + "\n",
        "\n",
        f"[{words['NN']} · {words['TITLE']}]({name}.ipynb)",
    ]
    before.write_text(dumps(notebook), encoding="utf-8", newline="\n")


def insert(path: Path, before: str, text: str) -> None:
    """Insert a text before the last place of another one in a file."""
    content = path.read_text(encoding="utf-8")
    start, found, end = content.rpartition(before)
    if not found:
        raise SystemExit(f"{path.relative_to(ROOT)}: expected {before!r} in it; add the page by hand")
    path.write_text(start + text + found + end, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
