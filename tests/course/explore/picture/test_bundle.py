"""The scripts of a picture: one text, without anything to fetch, and small."""

import re

import pytest
from explorers import EXPLORERS

from pmp_kit.course.explore.picture import bundle

FILES = sorted(bundle.HERE.glob("*.js")) + [row.kind.script() for row in EXPLORERS.values()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_files_fetch_nothing_and_are_checked(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("// @ts-check\n")
    assert not re.search(r"https?:|import\(|fetch\(|@import url|url\(", text)


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_bundle_is_one_module(name):
    script = bundle.script(EXPLORERS[name].kind.script())
    assert not re.search(r"^import\b", script, re.MULTILINE)
    assert re.findall(r"^export \w+", script, re.MULTILINE) == ["export default"]
    assert "/**" not in script
    assert not re.search(r"^ *//", script, re.MULTILINE)
    assert script.count("class Pen ") == 1
    assert len(script) < 80_000, "bytes that each explorer sends to a page once"
