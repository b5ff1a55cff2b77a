"""The scripts in .ci strip notebooks, write addresses, make environments and run the gate as readers need it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import badges
import dev
import docs_site
import gate
import strip_notebooks
import venvs

ROOT = Path(__file__).parents[2]
VIEW = "application/vnd.jupyter.widget-view+json"
PICTURE = {
    "output_type": "execute_result",
    "execution_count": 7,
    "metadata": {},
    "data": {"image/png": "iVBO", "text/plain": ["a digit"], VIEW: {"model_id": "1"}},
}
STREAM = {"output_type": "stream", "name": "stdout", "text": ["hello"]}
HEAD = "<!-- badges -->\n<!-- /badges -->\n"
PAGE = "notebooks/01_one.ipynb"
SETUP = (
    "import sys\n\n"
    'if "google.colab" in sys.modules:  # old\n    %pip install git+https://github.com/old/old\n'
    "\nimport jax\n"
)


def code_cell(source, *tags, outputs=()):
    metadata = {"tags": list(tags), "papermill": {"duration": 1.0}}
    return {"cell_type": "code", "metadata": metadata, "execution_count": 7, "source": source, "outputs": list(outputs)}


def notebook(*cells):
    metadata = {"widgets": {VIEW: {}}, "papermill": {}, "kernelspec": {"name": "python3"}}
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def test_strip_keeps_one_picture_and_its_text():
    cells = code_cell("1", outputs=[PICTURE]), code_cell("1", "keep-output", outputs=[STREAM, PICTURE])
    stripped = strip_notebooks.strip(notebook(*cells))
    plain, kept = stripped["cells"]
    assert plain["outputs"] == []
    assert [set(output["data"]) for output in kept["outputs"]] == [{"image/png", "text/plain"}]
    assert stripped["metadata"] == {"kernelspec": {"name": "python3"}}
    assert [cell["metadata"] for cell in stripped["cells"]] == [{"tags": []}, {"tags": ["keep-output"]}]
    assert [cell["execution_count"] for cell in stripped["cells"]] == [None, None]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project without an address; `badges.main` has run once."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "kit"\n\n[project.urls]\n\n[tool.x]\n')
    (tmp_path / "CITATION.cff").write_text("title: kit\nlicense: MIT\nauthors: []\n")
    (tmp_path / "README.md").write_text(f"{HEAD}see github.com/other/thing\n")
    cell = {"cell_type": "markdown", "metadata": {}, "source": [f"{HEAD}# One\n"]}
    (tmp_path / PAGE).parent.mkdir(parents=True)
    (tmp_path / PAGE).write_text(json.dumps(notebook(cell, code_cell(SETUP))))
    monkeypatch.setattr(badges, "ROOT", tmp_path)
    monkeypatch.setattr(strip_notebooks, "ROOT", tmp_path)
    badges.main()
    return tmp_path


def setup_of(folder) -> str:
    """The source of the cell that installs the kit on Colab."""
    return "".join(json.loads((folder / PAGE).read_text())["cells"][1]["source"])


def test_without_an_address_a_sentence_stands_for_the_badges(project):
    assert "`make badges` puts links to Binder and Colab here" in (project / "README.md").read_text()
    said = setup_of(project).replace("import jax\n", "")
    said = said.replace("import sys\n", "import sys\nsys.modules['google.colab'] = sys\n")
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "pmp_kit is missing. Run `make badges`" in done.stdout
    assert badges.changes() == {}


def test_the_address_of_pyproject_is_written_everywhere(project):
    text, urls = (project / "pyproject.toml").read_text(), "[project.urls]\n"
    (project / "pyproject.toml").write_text(text.replace(urls, f'{urls}Repository = "https://example.org"\n'))
    with pytest.raises(SystemExit, match=r"expected https://github\.com/OWNER/NAME, got https://example\.org"):
        badges.main()
    (project / "pyproject.toml").write_text(text.replace(urls, f'{urls}Repository = "https://github.com/ada/engine"\n'))
    badges.main()
    readme = (project / "README.md").read_text()
    assert "https://mybinder.org/v2/gh/ada/engine/main?urlpath=lab/tree/notebooks/00_start_here.ipynb" in readme
    assert "see github.com/other/thing" in readme
    assert f"google.com/github/ada/engine/blob/main/{PAGE}" in (project / PAGE).read_text()
    assert "    %pip install -q --no-deps git+https://github.com/ada/engine\n" in setup_of(project)
    assert f"    %pip install -q --no-deps {badges.colab_packages()}\n" in setup_of(project)
    assert "repository-code: https://github.com/ada/engine\n" in (project / "CITATION.cff").read_text()
    assert badges.changes() == {}


def test_missing_venv_module_is_named(tmp_path, monkeypatch):
    broken = tmp_path / "python3"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(venvs.shutil, "which", lambda name: None)
    with pytest.raises(venvs.Missing, match=r"sudo apt install python3\.\d+-venv"):
        venvs.create(tmp_path / "new", str(broken))


def test_gate_runs_all_and_names_the_failing_stage(capfd):
    def stage(name, code):
        return gate.Stage(name, [sys.executable, "-c", f"import sys; sys.exit({code})"])

    assert gate.run([stage("first", 3), stage("second", 0)]) == 1
    printed = capfd.readouterr().out
    assert re.search(r"first +FAILED, exit 3", printed)
    assert re.search(r"second +passed", printed)
    assert printed.rstrip().splitlines()[-1].startswith("==> FAILED: first (")
    assert gate.run([stage("second", 0), gate.Stage("third", [], skip="no wheels")]) == 0
    assert "==> all others passed, skipped: third" in capfd.readouterr().out


def test_make_knows_every_job_and_lists_them():
    make = ["make", "--dry-run", "PYTHON=some-python", "OPTIONS=--quick"]
    printed = subprocess.run([*make, *dev.JOBS], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^exec (.*?) *$", printed, re.MULTILINE) == [
        f'"some-python" .ci/dev.py {job} --quick' for job in dev.JOBS
    ]
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert all(f"  {name} " in listed for name in dev.JOBS)
    assert subprocess.run(["make", "nonsense"], cwd=ROOT, capture_output=True).returncode


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
