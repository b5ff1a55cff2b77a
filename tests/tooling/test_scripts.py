"""The scripts in .ci strip notebooks, write badges, make environments and run the gate correctly."""

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import badges
import docs_site
import gate
import strip_notebooks
import venvs

ROOT = Path(__file__).parents[2]
VIEW = "application/vnd.jupyter.widget-view+json"


def code_cell(*tags, outputs=()):
    metadata = {"tags": list(tags), "papermill": {"duration": 1.0}, "execution": {"iopub.status.busy": "now"}}
    return {"cell_type": "code", "metadata": metadata, "execution_count": 7, "source": ["1"], "outputs": list(outputs)}


def notebook(*cells):
    metadata = {"widgets": {VIEW: {}}, "papermill": {}, "kernelspec": {"name": "python3"}}
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


PICTURE = {
    "output_type": "execute_result",
    "execution_count": 7,
    "metadata": {},
    "data": {"image/png": "iVBO", "text/plain": ["a digit"], VIEW: {"model_id": "1"}},
}
STREAM = {"output_type": "stream", "name": "stdout", "text": ["hello"]}


def test_strip_keeps_one_picture_and_its_text():
    stripped = strip_notebooks.strip(
        notebook(code_cell(outputs=[PICTURE]), code_cell("keep-output", outputs=[STREAM, PICTURE]))
    )
    plain, kept = stripped["cells"]
    assert plain["outputs"] == []
    assert [set(output["data"]) for output in kept["outputs"]] == [{"image/png", "text/plain"}]
    assert stripped["metadata"] == {"kernelspec": {"name": "python3"}}
    assert [cell["metadata"] for cell in stripped["cells"]] == [{"tags": []}, {"tags": ["keep-output"]}]
    assert [cell["execution_count"] for cell in stripped["cells"]] == [None, None]


def test_strip_keeps_nothing_that_is_no_picture():
    assert strip_notebooks.strip(notebook(code_cell("keep-output", outputs=[STREAM])))["cells"][0]["outputs"] == []


def test_strip_refuses_two_kept_outputs():
    with pytest.raises(ValueError, match=r"cells \[0, 1\] are tagged keep-output: expected one"):
        strip_notebooks.strip(notebook(code_cell("keep-output"), code_cell("keep-output")))


def test_strip_is_idempotent(tmp_path):
    path = tmp_path / "é.ipynb"
    path.write_text(json.dumps(notebook(code_cell(outputs=[STREAM]))))
    strip_notebooks.main(str(path))
    once = path.read_bytes()
    strip_notebooks.main(str(path))
    assert path.read_bytes() == once


HEAD = "<!-- badges -->\n<!-- /badges -->\n"
COLAB = 'if "google.colab" in sys.modules:  # old\n    %pip install git+https://github.com/old/old\n'
PAGES = "notebooks/01_one.ipynb", "notebooks/paper/5_1_one.ipynb"
SETUP = f"import sys\n\n{COLAB}\nimport jax\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project without an address in a repository without remotes, and a function that runs git in it."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "kit"\n\n[project.urls]\n\n[tool.x]\n')
    (tmp_path / "CITATION.cff").write_text("title: kit\nlicense: MIT\nauthors: []\n")
    (tmp_path / "README.md").write_text(f"{HEAD}see github.com/other/thing\n")
    cell = {"cell_type": "markdown", "metadata": {}, "source": [f"{HEAD}# One\n"]}
    for name in PAGES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps(notebook(cell, code_cell() | {"source": SETUP})))
    monkeypatch.setattr(badges, "ROOT", tmp_path)
    monkeypatch.setattr(strip_notebooks, "ROOT", tmp_path)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    return tmp_path


def add_remote(folder, address, name="origin"):
    subprocess.run(["git", "remote", "add", name, address], cwd=folder, check=True)


def texts(folder) -> dict[str, str]:
    files = [*folder.iterdir(), *(folder / "notebooks").rglob("*")]
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files if path.is_file()}


def is_stamped(folder, slug) -> bool:
    """Whether every file shows only this address, and a second run changes nothing."""
    now = texts(folder)
    source = "".join(json.loads(now[PAGES[0]])["cells"][1]["source"])
    assert f"https://mybinder.org/v2/gh/{slug}/main?urlpath=lab/tree/notebooks/00_start_here.ipynb" in now["README.md"]
    assert "see github.com/other/thing" in now["README.md"]
    assert all(f"google.com/github/{slug}/blob/main/{name}" in now[name] for name in PAGES)
    assert f"    %pip install -q --no-deps git+https://github.com/{slug}\n" in source
    assert f"    %pip install -q --no-deps {badges.colab_packages()}\n" in source
    assert source.endswith("\n\nimport jax\n")
    assert f"license: MIT\nrepository-code: https://github.com/{slug}\nauthors" in now["CITATION.cff"]
    assert "old" not in "".join(now.values())
    assert "make badges" not in "".join(now.values())
    assert badges.changes() == {}
    badges.main()
    return texts(folder) == now


def shows_a_sentence(folder) -> bool:
    """Whether README.md contains the sentence about the missing address, pages nothing, and no file a broken link."""
    badges.main()
    now = texts(folder)
    source = "".join(json.loads(now[PAGES[0]])["cells"][1]["source"])
    assert "`make badges` puts links to Binder and Colab here" in now["README.md"]
    assert all("<!-- badges -->\\n" in now[name] and "puts links" not in now[name] for name in PAGES)
    assert not re.search("mybinder|colab.research|github.com/old|repository-code", "".join(now.values()))
    said = source.replace("import jax\n", "").replace("import sys\n", "import sys\nsys.modules['google.colab'] = sys\n")
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "pmp_kit is missing. Run `make badges`" in done.stdout
    badges.main()
    return texts(folder) == now and badges.changes() == {}


def test_without_an_address_a_sentence_stands_for_the_badges(project, capsys):
    assert shows_a_sentence(project)
    assert "no address yet: add a git remote https://github.com/OWNER/NAME" in capsys.readouterr().out


@pytest.mark.parametrize("end", ["", ".git", "/"])
def test_the_address_comes_from_a_remote_and_stays(project, end):
    assert shows_a_sentence(project)
    add_remote(project, "https://github.com/someone/fork", "aaa")
    add_remote(project, f"https://github.com/ada/engine{end}")
    badges.main()
    assert '[project.urls]\nRepository = "https://github.com/ada/engine"\n' in (project / "pyproject.toml").read_text()
    assert is_stamped(project, "ada/engine")
    subprocess.run(["git", "remote", "set-url", "origin", "https://github.com/b/b"], cwd=project, check=True)
    badges.main()
    assert is_stamped(project, "ada/engine")


def test_the_address_in_pyproject_comes_first(project, capsys):
    text = (project / "pyproject.toml").read_text()
    address = badges.URLS + 'Repository = "https://github.com/ada/engine"\n'
    (project / "pyproject.toml").write_text(text.replace(badges.URLS, address))
    add_remote(project, "git@github.com:b/b.git")
    badges.main()
    assert is_stamped(project, "ada/engine")
    assert "ignored" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "address",
    [
        "git@github.com:ada/engine.git",
        "ssh://git@github.com/ada/engine",
        "https://gitlab.com/ada/engine",
        "https://example.org/github.com/ada/engine",
        "http://github.com/ada/engine",
        "https://ada:secret@github.com/ada/engine",
        "https://github.com/ada",
        "../engine",
    ],
)
def test_other_remotes_are_ignored_and_named(project, address, capsys):
    add_remote(project, address)
    assert shows_a_sentence(project)
    said = capsys.readouterr().out
    assert "ignored the git remote.origin: expected https://github.com/OWNER/NAME, got " in said
    assert address.rpartition("@")[2] in said
    assert "secret" not in said


def test_badges_want_a_github_address(project):
    (project / "pyproject.toml").write_text('[project.urls]\nRepository = "https://example.org"\n[project]\n')
    with pytest.raises(SystemExit, match=r"expected https://github\.com/OWNER/NAME, got https://example\.org"):
        badges.slug()


def test_environment_is_made_anew_when_the_folder_moved(tmp_path):
    version = venvs.version_of(sys.executable)
    (tmp_path / venvs.STAMP).write_text(json.dumps({"folder": "elsewhere", "python": version}))
    wanted = venvs.fingerprint("constraints.txt", version)
    assert venvs.why_anew(tmp_path, Path(sys.executable), wanted) == "the project's folder has moved"
    assert "Python" in venvs.why_anew(tmp_path, Path(sys.executable), wanted | {"python": "3.99"})
    assert venvs.why_anew(tmp_path, tmp_path / "python", wanted) == "its Python does not start any more"
    assert venvs.why_anew(tmp_path / "none", Path(sys.executable), wanted) == ""


@pytest.mark.parametrize(("constraints", "made"), [("constraints.txt", []), (None, ["made", "installed"])])
def test_environment_of_the_newest_versions_is_made_anew_each_time(constraints, made, tmp_path, monkeypatch):
    steps = []
    monkeypatch.setattr(venvs, "ROOT", tmp_path)
    monkeypatch.setattr(venvs, "works", lambda python, code="": True)
    monkeypatch.setattr(venvs, "create", lambda folder, base: steps.append("made"))
    monkeypatch.setattr(venvs, "install", lambda *arguments: steps.append("installed"))
    (tmp_path / "old").mkdir()
    for file in ("pyproject.toml", "constraints.txt"):
        (tmp_path / file).touch()
    now = venvs.fingerprint(constraints, venvs.version_of(sys.executable))
    (tmp_path / "old" / venvs.STAMP).write_text(json.dumps(now))
    venvs.ensure("old", constraints)
    assert steps == made


def test_missing_venv_module_is_named(tmp_path, monkeypatch):
    broken = tmp_path / "python3"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(venvs.shutil, "which", lambda name: None)
    with pytest.raises(venvs.Missing, match=r"sudo apt install python3\.\d+-venv"):
        venvs.create(tmp_path / "new", str(broken))


def test_pythons_of_other_versions_are_found(tmp_path, monkeypatch):
    own = venvs.version_of(sys.executable)
    assert venvs.version_of(venvs.find_python(own)) == own
    assert venvs.find_python("3.99") is None
    assert venvs.version_of(str(tmp_path / "none")) == ""
    kept = tmp_path / "versions/3.99.1/bin/python"
    kept.parent.mkdir(parents=True)
    kept.write_text("#!/bin/sh\necho 3.99\n")
    kept.chmod(0o755)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert venvs.find_python("3.99") == str(kept)


def test_gate_runs_all_and_names_the_failing_stage(capfd):
    def stage(name, code):
        return gate.Stage(name, [sys.executable, "-c", f"import os, sys; sys.exit({code})"])

    assert gate.run([stage("first", 3), stage("second", 0)]) == 1
    printed = capfd.readouterr().out
    assert re.search(r"first +FAILED, exit 3", printed)
    assert re.search(r"second +passed", printed)
    assert printed.rstrip().splitlines()[-1].startswith("==> FAILED: first (")
    assert gate.run([stage("second", 0), gate.Stage("third", [], skip="no wheels")]) == 0
    assert re.search(r"third +skipped .* no wheels", capfd.readouterr().out)


def test_a_check_without_its_tools_is_left_out_but_not_in_ci(monkeypatch, capfd):
    lacks = gate.Stage("types", [sys.executable, "-c", f"import sys; sys.exit({venvs.UNAVAILABLE})"])
    assert gate.run([lacks._replace(optional=True)]) == 0
    printed = capfd.readouterr().out
    assert re.search(r"types: skipped after .* its tools could not be installed", printed)
    assert "==> all others passed, skipped: types" in printed
    assert gate.run([lacks]) == 1
    monkeypatch.setattr(gate, "compile_fast", lambda python, level=0: {})
    monkeypatch.setenv("CI", "true")
    assert not any(stage.optional for stage in gate.gate(Path(sys.executable)))
    monkeypatch.delenv("CI")
    assert any(stage.optional for stage in gate.gate(Path(sys.executable)))
    assert not any(stage.optional for stage in gate.lint(Path(sys.executable)))


def test_newest_has_python_3_13_and_a_browser(monkeypatch):
    asked = []
    monkeypatch.setattr(venvs, "find_python", lambda version: f"python{version}")
    monkeypatch.setattr(venvs, "ensure", lambda *words, **options: asked.append(options) or Path(sys.executable))
    monkeypatch.setattr(gate, "compile_fast", lambda python, level=0: {})
    stages = gate.newest()
    assert asked == [{"base": "python3.13"}]
    assert any("tests/browser" in stage.command for stage in stages)


@pytest.mark.parametrize("found", ["python3.13", None])
def test_the_frozen_lane_takes_the_python_of_colab(found, monkeypatch):
    asked = []
    monkeypatch.setattr(venvs, "find_python", lambda version: asked.append(version) or found)
    monkeypatch.setattr(venvs, "ensure", lambda *names, **options: asked.append(options) or Path("python"))
    monkeypatch.setattr(gate, "compile_fast", lambda python, level=0: {})
    names = [stage.name.partition(",")[0] for stage in gate.frozen()]
    if found is None and sys.version_info >= gate.TOO_NEW_FOR_COLAB:
        assert asked == ["3.13"]
        assert "no Python 3.13 found" in gate.frozen()[0].skip
    else:
        assert asked == ["3.13", {"extra": "", "base": found}]
        assert names == ["library", "notebooks", "browser"]


@pytest.mark.slow
def test_flags_that_xla_does_not_know_are_left_out(monkeypatch):
    flags = partial(gate.compile_fast.__wrapped__, Path(sys.executable))  # without its cache
    assert gate.EMITTERS in flags()["XLA_FLAGS"]
    monkeypatch.setattr(gate, "EMITTERS", "--xla_no_such_flag=1")
    assert flags()["XLA_FLAGS"] == gate.LEVEL.format(0)
    monkeypatch.setattr(gate, "LEVEL", "--xla_no_such_level")
    assert "XLA_FLAGS" not in flags()


def test_make_knows_every_job():
    import dev

    make = ["make", "--dry-run", "PYTHON=some-python", "OPTIONS=--quick"]
    printed = subprocess.run([*make, *dev.JOBS], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^exec (.*?) *$", printed, re.MULTILINE) == [
        f'"some-python" .ci/dev.py {job} --quick' for job in dev.JOBS
    ]


def test_make_alone_lists_the_jobs():
    import dev

    printed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name, job in dev.JOBS.items():
        assert f"  {name} " in printed
        assert job.__doc__.splitlines()[0] in printed
    assert subprocess.run(["make", "nonsense"], cwd=ROOT, capture_output=True).returncode


def test_make_reproduce_takes_an_experiment():
    command = ["make", "--no-print-directory", "--dry-run", "reproduce", "EXP=5.3", "PROFILE=paper"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines()[-1].endswith(".ci/dev.py reproduce --experiment 5.3 --profile paper")


def test_wheel_holds_the_data_and_the_front_end(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    listing = [sys.executable, "-m", "zipfile", "--list", str(next(tmp_path.glob("*.whl")))]
    inside = set(
        re.findall(r"^pmp_kit/\S+", subprocess.run(listing, capture_output=True, text=True).stdout, re.MULTILINE)
    )
    kinds = ("*.py", "*.js", "*.css", "*.npz")
    found = {kind: set((ROOT / "pmp_kit").rglob(kind)) for kind in kinds}
    assert all(found.values())
    expected = {path.relative_to(ROOT).as_posix() for paths in found.values() for path in paths}
    assert expected <= inside
    assert not [name for name in inside if "__pycache__" in name]


@pytest.mark.parametrize(
    ("html", "loads"),
    [
        ('<a href="https://example.org">a link</a><img src="_static/play.png"><script src="../x.js"></script>', False),
        ('<script defer="defer" src="https://cdn.example.org/mathjax.js"></script>', True),
        ("<link rel='stylesheet' href='//fonts.example.org/a.css'>", True),
        ("<style>body { background: url(https://example.org/a.png) }</style>", True),
    ],
)
def test_the_site_loads_nothing_from_elsewhere(html, loads, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.html").write_text(html, encoding="utf-8")
    assert docs_site.pages_that_load(tmp_path) == (["page.html"] if loads else [])
