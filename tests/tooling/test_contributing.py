"""The explorer that CONTRIBUTING.md shows works, and so does the page that `make page` begins."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from exercise import exercise

from pmp_kit.course import explore

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def explorer() -> explore.Explorer:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Write an explorer")[2]
    names = {"__name__": "__main__"}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], names)
    return names["FourSpins"]()


def test_its_controls_work_and_its_numbers_are_right(explorer):
    assert exercise(explorer) == 5 + 1  # of its control, and the reset
    explorer.controls["coupling"].value = 0.0
    np.testing.assert_allclose(explorer.state.shares, np.array([1, 4, 6, 4, 1]) / 16, rtol=1e-5)
    assert "probability 0.12" in explorer._repr_mimebundle_()[0]["text/plain"]


def test_what_the_base_adds(explorer, tmp_path):
    explorer.controls["coupling"].value = 0.5
    assert explorer.copy_as_code() == "FourSpins(coupling=0.5)"
    assert "25 recorded states" in explorer.export(tmp_path / "four.html")
    assert "25 recorded states" in (tmp_path / "four.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_new_page_passes_the_tests(tmp_path):
    """Its skeleton in a copy of the project: notebook, explorer, tips, question and exercise."""
    for name in ("pmp_kit", "tests", "notebooks", ".ci", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("README.md", "CONTRIBUTING.md", "pyproject.toml", "CITATION.cff", "Makefile"):
        shutil.copy(ROOT / name, tmp_path)

    def run(*words):
        done = subprocess.run([sys.executable, *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    written = run(".ci/page.py", "17_my_page")
    assert all((tmp_path / line.strip()).exists() for line in written.splitlines()[1:])
    run("-m", "ruff", "check", "--quiet", ".")
    run("-m", "ruff", "format", "--check", "--quiet", ".")
    found = run(
        "-m", "pytest", "-q", "-m", "", "-k", "my_page or MyPage", "tests/course", "tests/notebooks", "tests/tooling"
    )
    assert int(re.search(r"(\d+) passed", found)[1]) > 20
