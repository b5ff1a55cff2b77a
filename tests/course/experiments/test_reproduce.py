"""`make reproduce`: it goes on where it was stopped, and the scorecard holds what ran and nothing else."""

import json

import notebook_runner as runner
import pytest

from pmp_kit.course.experiments import EXPERIMENTS, reproduce, scorecard
from pmp_kit.course.experiments.speed import timing

SHELF = "notebooks/paper"
FACTS = {"processor": "A Processor", "cores": 2, "jax": "1.2", "python": "3.1", "backend": "cpu", "device": "cpu"}
RESULTS = [{"name": "KL", "value": 0.008, "source": "paper", "reference": 0.008, "tolerance": 0.001, "seconds": 2}]


def record(experiment="5.1", profile="paper", seconds=63.0, kept=0.0):
    about = {"experiment": experiment, "title": "The wrong model", "profile": profile, "date": "2026-01-02"}
    return about | {"machine": FACTS, "seconds": seconds, "kept": kept, "results": RESULTS}


def test_sections_of_other_runs_are_kept_and_quick_ones_replace_no_full_ones():
    names = ["5.1", "5.2", "5.3"]
    first, _ = scorecard.merged("", [record("5.2"), record("5.3", "quick")], names)
    assert "## Not run\n\nSections 5.1.\n" in first
    assert scorecard.sections(first) == {
        "5.2": scorecard.section(record("5.2")),
        "5.3": scorecard.section(record("5.3", "quick")),
    }
    later = [record("5.1", seconds=70.0), record("5.2", "quick"), record("5.3", seconds=80.0)]
    second, left_out = scorecard.merged(first, later, names)
    assert "Not run" not in second
    assert left_out == ["5.2: the scorecard has it at the paper's sizes; this quick run is left out"]
    assert [scorecard.seconds(second, name, "paper") for name in names] == [70, 63, 80]
    assert scorecard.seconds(second, "5.1", "quick") is None
    assert list(scorecard.sections(second)) == names
    assert scorecard.merged(second, [], names)[0] == second


@pytest.fixture
def project(tmp_path):
    """A project with one notebook; its second piece fails until the file `allowed` is there."""
    cells = (
        "profile = 'quick'",
        "import pathlib\n"
        "from pmp_kit.course.experiments import pieces\nfrom pmp_kit.course.experiments import record\n"
        "def work(seed):\n"
        "    if seed == 41 and not pathlib.Path('allowed').exists(): raise RuntimeError('stopped')\n"
        "    return {'value': seed}\n"
        "found = pieces(work, {f'seed {seed}': {'seed': seed} for seed in (40, 41)})",
        "from pmp_kit.course.explore import guard\n"
        "record('seeds in ' + profile, sum(one['value'] for one in found.values()), exact=81, tolerance=0.1)\n"
        "record('wrong', 1, exact=2, tolerance=0.1)\n"
        "guard.check()",
    )
    notebook = runner.page(*cells)
    notebook["cells"][0]["metadata"]["tags"] = ["parameters"]
    notebook["cells"].insert(0, {"cell_type": "markdown", "metadata": {}, "source": "# 5.1 · A toy"})
    (tmp_path / SHELF).mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    (tmp_path / SHELF / f"{EXPERIMENTS['5.1'].notebook}.ipynb").write_text(json.dumps(notebook))
    return tmp_path


@pytest.mark.slow
def test_it_goes_on_where_it_was_stopped(project, capsys, monkeypatch):
    for name in ("PMP_KIT_LEDGER", "PMP_KIT_PROGRESS", "JUPYTER_PLATFORM_DIRS"):
        monkeypatch.setenv(name, "")  # so that they are as before afterwards
    places = reproduce.Places(project)
    words = ["--experiment", "5.1", "--profile", "paper", "--write"]
    assert reproduce.main(words, places) == 1
    said = capsys.readouterr().out
    assert "==> failed: 5.1: PapermillExecutionError" in said
    assert "RuntimeError: stopped" in said
    assert "seed 40: 0.0 s; 1 more" in said
    assert not places.card.exists()

    (project / SHELF / "allowed").touch()
    assert reproduce.main(words, places) == 1
    said = capsys.readouterr().out
    assert said.endswith("==> does not agree: 5.1: wrong\n"), "the numbers are kept"
    assert "finished pieces from earlier runs: 1; those with the same settings are reused" in said
    assert "seed 40: 0.0 s, from the ledger; 1 more" in said
    assert "| seeds in paper |  | exact 81 ± 0.1 | 81 | agrees |" in said
    stored = json.loads(places.file("5.1", "paper", "json").read_text())
    assert [result["value"] for result in stored["results"]] == [81, 1]
    assert stored["machine"]["processor"] == timing.processor()
    assert "## 5.1 · A toy\n\nProfile paper, " in places.card.read_text()
    others = [section for section in EXPERIMENTS if section != "5.1"]
    assert f"Sections {', '.join(others)}." in places.card.read_text()


def test_every_experiment_has_a_row_and_its_notebook_uses_its_folder():
    root = reproduce.ROOT / "pmp_kit/course/experiments"
    folders = {path.parent.name for path in root.glob("*/__init__.py")} - {"judging", "speed"}  # the paper has neither
    assert {row.folder for row in EXPERIMENTS.values()} == folders
    for section, row in EXPERIMENTS.items():
        page = reproduce.Places().notebook(section).read_text(encoding="utf-8")
        assert f"experiments.{row.folder} import" in page
        assert f"# {section} · " in page
    assert {path.stem for path in (reproduce.ROOT / SHELF).glob("*.ipynb")} == {
        row.notebook for row in EXPERIMENTS.values()
    }
