"""The check of the page's JavaScript fails for a wrong type, a wrong format and missing tools."""

import socket
import time

import pytest

import javascript

RIGHT = "// @ts-check\n/** @param {number} width */\nexport const twice = (width) => 2 * width;\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with one correct script."""
    (tmp_path / "pmp_kit").mkdir()
    (tmp_path / "pmp_kit" / "one.js").write_text(RIGHT)
    (tmp_path / "pmp_kit" / "look.css").write_text("a {\n  color: red;\n}\n")
    monkeypatch.setattr(javascript, "ROOT", tmp_path)
    return tmp_path / "pmp_kit"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("one.js", RIGHT + 'twice("wide");\n', "one.js(4,7): error TS2345"),
        ("one.js", RIGHT.replace("2 * width", "2*width"), "one.js"),
        ("look.css", "a { color: red }\n", "look.css"),
    ],
)
def test_a_fault_is_found_and_a_format_is_mended(file, text, said, project, capfd):
    assert javascript.main() == 0
    (project / file).write_text(text)
    capfd.readouterr()
    assert javascript.main() == 1
    told = capfd.readouterr()
    assert said in told.out + told.err
    assert javascript.main("format") == ("TS" in said)


def test_without_the_registry_it_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(javascript, "FOLDER", tmp_path / "tools")
    monkeypatch.setattr(javascript, "STAMP", tmp_path / "tools" / "installed.json")
    monkeypatch.setattr(javascript, "ANSWER_SECONDS", 3)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it accepts connections and never answers
        monkeypatch.setenv("npm_config_registry", f"http://127.0.0.1:{silent.getsockname()[1]}")
        start = time.monotonic()
        with pytest.raises(javascript.Missing, match=r"npm could not install prettier@\d+\.\d+\.\d+ and typescript@"):
            javascript.install()
    assert time.monotonic() - start < 15


def test_other_versions_are_installed_anew(tmp_path, monkeypatch):
    calls = []
    monkeypatch.setattr(javascript, "FOLDER", tmp_path / "tools")
    monkeypatch.setattr(javascript, "STAMP", tmp_path / "tools" / "installed.json")
    monkeypatch.setattr(javascript, "answers", lambda package: True)
    monkeypatch.setattr(javascript, "npm", lambda words: calls.append(words) or 0)
    javascript.install()
    javascript.install()
    assert len(calls) == 1
    monkeypatch.setattr(javascript, "VERSIONS", {"prettier": "0.0.0"})
    javascript.install()
    assert calls[1][-1] == "prettier@0.0.0"
