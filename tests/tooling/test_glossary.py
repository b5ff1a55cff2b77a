"""The glossary has one sentence for each term, and links to it in notebooks show this sentence."""

import json
import re

import notebook_runner as runner
import pytest

import strip_notebooks

GLOSSARY = runner.ROOT / "docs" / "glossary.md"
TEXT = GLOSSARY.read_text(encoding="utf-8")
LINK = re.compile(r'\[([^\]]+)\]\((?:\.\./)+docs/glossary\.md(?:#([\w-]+))?(?: "([^"]*)")?\)')
SENTENCES = {
    term.lower(): " ".join(sentence.split())
    for term, sentence in re.findall(r"^## (.*)\n((?:.+\n)+)", TEXT, re.MULTILINE)
}


def faults(text):
    """Return what is wrong with the links of a text to the glossary. The anchor names the term, or the link's text."""
    wrong = []
    for words, anchor, title in LINK.findall(text):
        if not anchor and words == "glossary":  # the whole page
            continue
        term = (anchor.replace("-", " ") if anchor else words).lower()
        known = {name.replace("-", " "): sentence for name, sentence in SENTENCES.items()}
        sentence = known.get(term.replace("-", " "))
        if sentence is None:
            wrong.append(f"{words}: the glossary has no {term}")
        elif title != sentence:
            wrong.append(f"{words}: expected the title {sentence!r}, got {title!r}")
    return wrong


def test_every_term_has_one_sentence_that_fits_into_a_link():
    terms = [term.lower() for term in re.findall("^## (.*)$", TEXT, re.MULTILINE)]
    assert terms == list(SENTENCES), "write one sentence in the line below the heading of each term"
    assert terms == sorted(terms), "sort the terms by the alphabet"
    for term, sentence in SENTENCES.items():
        assert re.fullmatch(r'[^".()]+\.', sentence), f"{term}: one sentence without quotes and parentheses"


def test_every_picture_is_there():
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", TEXT)
    assert {GLOSSARY.parent / name for name in shown} == set((GLOSSARY.parent / "_static" / "glossary").iterdir())


@pytest.mark.parametrize("path", strip_notebooks.notebooks(), ids=lambda path: path.stem)
def test_links_of_notebooks_show_the_sentence(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert faults("\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")) == []


FIXED = "Messages that a sweep leaves unchanged."


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (f'A [fixed point](../docs/glossary.md "{FIXED}") is reached.', 0),
        (f'[Fixed points](../../docs/glossary.md#fixed-point "{FIXED}") and [more](../docs/faq.md).', 0),
        (f'[Fixed points](../docs/glossary.md "{FIXED}")', 1),
        ('[sweep](../docs/glossary.md "Another sentence.")', 1),
        ("[sweep](../docs/glossary.md) and [resting point](../docs/glossary.md)", 2),
    ],
)
def test_faults_are_found(text, number):
    assert len(faults(text)) == number
