"""The examples of CONTRIBUTING.md work, and so does the page that `make page` begins."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from exercise import exercise

import pmp_kit as pk

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def names(head: str) -> dict:
    """Run the first block of Python below a heading, and return the names that it defines."""
    code = re.search(r"```python\n(.*?)```", GUIDE.partition(head)[2], re.DOTALL)[1]
    found = {"__name__": "__main__"}
    exec(code, found)
    return found


def test_the_factor_passes_the_check():
    kind, table = names("\n## Add a factor\n")["Both"], np.array([[0.0, 0.0], [0.0, 1.0]])
    pk.testing.check_factor(kind([[0, 2]], [1.3]), pk.Variables(x=pk.Binary(3)))
    tables = [((0, 1), 0.5 * table), ((2, 1), -2.0 * table)]
    pk.testing.check_factor(kind([[0, 1], [2, 1]], [0.5, -2.0]), pk.Variables(x=pk.Binary(4)), tables)


@pytest.mark.slow
def test_the_sampler_passes_the_check():
    pairs = np.array([[0, 1], [1, 2], [2, 0]])
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [pk.Edges(pairs, [0.5, -1.0, 0.7])], {"x": [0.3, -0.2, 0.1]})
    pk.testing.check_sampler(names("\n## Add a sampler\n")["Metropolis"](), model)


@pytest.mark.slow
def test_the_schedule_passes_the_check():
    """Two groups: after 60 sweeps the states are those of flooding, on a tree."""
    schedule = names("\n## Add a schedule\n")["ThereAndBack"]()
    groups = [pk.Edges([[0, 1], [1, 2]], [0.5, -1.0]), pk.Edges([[2, 3]], [0.7])]
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(4)), groups, {"x": [0.3, -0.2, 0.1, -0.4]})
    pk.testing.check_solver(pk.MaxProduct(schedule=schedule), model)
    assert pk.solve(model, pk.MaxProduct(schedule=schedule)).score == pk.solve(model, pk.Exhaustive()).score


def test_the_experiment_is_recorded_and_kept(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PMP_KIT_LEDGER", str(tmp_path))
    first, second = (names("\n## Add an experiment\n")["found"] for _ in range(2))
    assert first == second
    assert 0.5 < first["exact"] < 0.7
    assert capsys.readouterr().out.count("agrees") == 2
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [event["kept"] for event in log] == [False, True]


def test_the_explorer_works_and_its_numbers_are_right(tmp_path):
    explorer = names("\n## Write an explorer\n")["FourSpins"]()
    assert exercise(explorer) == 5 + 1  # of its control, and the reset
    explorer.controls["coupling"].value = 0.0
    np.testing.assert_allclose(explorer.state.shares, np.array([1, 4, 6, 4, 1]) / 16, rtol=1e-5)
    assert "25 recorded states" in explorer.export(tmp_path / "four.html")


@pytest.mark.slow
def test_a_new_page_passes_the_tests(tmp_path):
    """Its skeleton in a copy of the project: notebook, explorer, tips, question and exercise."""
    for name in ("pmp_kit", "tests", "benchmarks", "notebooks", ".ci", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("README.md", "CONTRIBUTING.md", "pyproject.toml", "CITATION.cff", "Makefile"):
        shutil.copy(ROOT / name, tmp_path)

    def run(*words):
        own = os.environ | {"PYTHONPATH": str(tmp_path)}  # kernels import the copy, too
        done = subprocess.run([sys.executable, *words], cwd=tmp_path, env=own, capture_output=True, text=True)
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
