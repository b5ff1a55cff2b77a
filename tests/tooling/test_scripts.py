"""The small scripts in .ci: stripping, badges, the environment's stamp, the gate's report."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import badges
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


@pytest.fixture
def new_address(tmp_path, monkeypatch):
    """A project whose address in pyproject.toml is not yet the one in its texts."""
    address = "https://github.com/ada/engine"
    (tmp_path / "pyproject.toml").write_text(f'[project.urls]\nRepository = "{address}"\n')
    (tmp_path / "CITATION.cff").write_text("repository-code: https://github.com/OWNER/pmp_kit\n")
    (tmp_path / "README.md").write_text(
        "<!-- badges -->\n<!-- /badges -->\nsee github.com/OWNER/pmp_kit and github.com/other/thing\n"
    )
    monkeypatch.setattr(badges, "ROOT", tmp_path)
    monkeypatch.setattr(badges, "CITATION", tmp_path / "CITATION.cff")
    monkeypatch.setattr(badges, "notebooks", lambda: sorted(tmp_path.glob("*.ipynb")))
    cell = {"cell_type": "markdown", "metadata": {}, "source": ["<!-- badges -->\n", "<!-- /badges -->\n", "# One\n"]}
    install = code_cell() | {"source": "%pip install -q --no-deps git+https://github.com/OWNER/pmp_kit"}
    (tmp_path / "01_one.ipynb").write_text(json.dumps(notebook(cell, install)))
    return tmp_path


def test_badges_stamp_everything_once(new_address):
    badges.main()
    readme = (new_address / "README.md").read_text()
    assert "https://mybinder.org/v2/gh/ada/engine/main?urlpath=lab/tree/notebooks/00_start_here.ipynb" in readme
    assert "github.com/other/thing" in readme
    written = (new_address / "01_one.ipynb").read_text()
    assert "colab.research.google.com/github/ada/engine/blob/main/notebooks/01_one.ipynb" in written
    assert "git+https://github.com/ada/engine" in written
    assert not re.search("OWNER", readme + written + (new_address / "CITATION.cff").read_text())
    assert badges.changes() == {}


def test_badges_want_a_github_address(new_address):
    (new_address / "pyproject.toml").write_text('[project.urls]\nRepository = "https://example.org"\n')
    with pytest.raises(SystemExit, match=r"expected https://github\.com/OWNER/NAME, got https://example\.org"):
        badges.slug()


def test_environment_is_made_anew_when_the_folder_moved(tmp_path):
    stamp = {"folder": "elsewhere", "python": f"{sys.version_info.major}.{sys.version_info.minor}"}
    (tmp_path / venvs.STAMP).write_text(json.dumps(stamp))
    wanted = venvs.fingerprint("constraints.txt")
    assert venvs.why_anew(tmp_path, Path(sys.executable), wanted) == "the project's folder has moved"
    assert "Python" in venvs.why_anew(tmp_path, Path(sys.executable), wanted | {"python": "3.99"})
    assert venvs.why_anew(tmp_path, tmp_path / "python", wanted) == "its Python does not start any more"
    assert venvs.why_anew(tmp_path / "none", Path(sys.executable), wanted) == ""


def test_missing_venv_module_is_named(tmp_path, monkeypatch):
    broken = tmp_path / "python3"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(sys, "_base_executable", str(broken))
    monkeypatch.setattr(venvs.shutil, "which", lambda name: None)
    with pytest.raises(venvs.Missing, match=r"sudo apt install python3\.\d+-venv"):
        venvs.create(tmp_path / "new")


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


def test_flags_that_xla_does_not_know_are_left_out(monkeypatch):
    python = Path(sys.executable)
    assert gate.EMITTERS in gate.compile_fast(python)["XLA_FLAGS"]
    monkeypatch.setattr(gate, "EMITTERS", "--xla_no_such_flag=1")
    assert gate.compile_fast(python)["XLA_FLAGS"] == gate.LEVEL.format(0)
    monkeypatch.setattr(gate, "LEVEL", "--xla_no_such_level")
    assert "XLA_FLAGS" not in gate.compile_fast(python)


def test_make_knows_every_job():
    import dev

    jobs = re.search(r"^JOBS := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1].split()
    assert sorted(jobs) == sorted(dev.JOBS)


def test_wheel_holds_the_data_and_the_front_end(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    listing = [sys.executable, "-m", "zipfile", "--list", str(next(tmp_path.glob("*.whl")))]
    inside = set(
        re.findall(r"^pmp_kit/\S+", subprocess.run(listing, capture_output=True, text=True).stdout, re.MULTILINE)
    )
    kinds = ("*.py", "explore/*.js", "explore/*.css", "data/*.npz")
    expected = {path.relative_to(ROOT).as_posix() for kind in kinds for path in (ROOT / "pmp_kit").rglob(kind)}
    assert expected <= inside
    assert not [name for name in inside if "__pycache__" in name]
