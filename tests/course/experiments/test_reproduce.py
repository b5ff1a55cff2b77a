"""`make reproduce`: it goes on where it was stopped, and the scorecard holds what ran and nothing else."""

import json
import re

import notebook_runner as runner
import pytest

from pmp_kit.course.experiments import EXPERIMENTS, reproduce, scorecard
from pmp_kit.course.experiments.speed import timing
from pmp_kit.course.experiments.watch import Watch

SHELF = "notebooks/paper"
FACTS = {"processor": "A Processor", "cores": 2, "jax": "1.2", "python": "3.1", "backend": "cpu", "device": "cpu"}
RESULTS = [
    {"name": "KL", "value": 0.0081, "error": 0.0004, "source": "paper", "reference": 0.008, "tolerance": 0.001,
     "agrees": True, "method": "PMP", "size": "2 seeds", "seconds": 2.5},
    {"name": "p(x|y)", "value": 0.3, "source": "exact", "reference": 0.2, "tolerance": 0.01, "agrees": False,
     "seconds": 1},
    {"name": "log MMD", "value": -4.0, "source": "paper", "reference": -4.33, "tolerance": None, "seconds": 1},
    {"name": "residual", "value": 0.1, "source": "at most", "reference": 0.2, "tolerance": None, "agrees": True,
     "seconds": 1},
    {"name": "sweeps", "value": 12, "seconds": 1},
]  # fmt: skip


def record(experiment="5.1", profile="paper", seconds=63.0, kept=0.0):
    about = {"experiment": experiment, "title": "The wrong model", "profile": profile, "date": "2026-01-02"}
    return about | {"machine": FACTS, "seconds": seconds, "kept": kept, "results": RESULTS}


def test_a_section_says_everything_about_a_run():
    lines = scorecard.section(record(kept=5.0)).splitlines()
    assert lines[0] == "## 5.1 · The wrong model"
    assert lines[2] == (
        "Profile paper, 2026-01-02, A Processor, 2 cores, jax 1.2, Python 3.1; 63 s in all, 5 s of it kept from "
        "before an interruption."
    )
    busy = scorecard.section(record() | {"load": 12.2}).splitlines()[2]
    assert busy.endswith("63 s in all, while other jobs were running (load 12).")
    assert "load" not in scorecard.section(record() | {"load": 2.9})
    assert lines[6:] == [
        "| KL | PMP | 0.008 ± 0.001 | 0.0081 ± 0.0004 | agrees | 2 seeds | 2.5 |",
        "| p(x\\|y) |  | exact 0.2 ± 0.01 | 0.3 | does NOT agree |  | 1.0 |",
        "| log MMD |  | -4.33 | -4 |  |  | 1.0 |",
        "| residual |  | at most 0.2 | 0.1 | agrees |  | 1.0 |",
        "| sweeps |  |  | 12 |  |  | 1.0 |",
    ]


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
        "from pmp_kit.course.experiments import pieces\nfrom pmp_kit.course.experiments.record import record\n"
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


def test_a_notebook_that_is_not_there_is_named(project, capsys):
    assert reproduce.main(["--experiment", "5.6"], reproduce.Places(project)) == 1
    assert "==> failed: 5.6: FileNotFoundError: there is no 5_6_deconvolution.ipynb" in capsys.readouterr().out


def test_the_watch_tells_what_is_left(tmp_path, capsys):
    log = tmp_path / "log.jsonl"
    unknown = Watch("5.1", log, tmp_path / "no.ipynb", None)
    assert unknown.line().endswith("0 s so far, no estimate before a first run")
    watch = Watch("5.1", log, tmp_path / "no.ipynb", 100.0)
    event = {"name": "a", "seconds": 30.0, "left": 2, "estimate": 60.0, "time": 0.0, "old": False}
    log.write_text("".join(json.dumps(event | {"kept": kept}) + "\n" for kept in (True, False)))
    with watch, unknown:
        pass
    assert "    a: 30.0 s, from the ledger; 2 more, about 60 s\n" in capsys.readouterr().out
    assert watch.line().endswith("about 70 s left, judging by the last run")
    assert unknown.line().endswith("about 60 s left in this group of pieces")


def test_the_model_of_the_processor_is_read_from_the_system(tmp_path):
    listing = tmp_path / "cpuinfo"
    listing.write_text("processor : 0\nmodel name : Some Chip\n")
    assert timing.processor(str(listing)) == "Some Chip"
    assert timing.processor(str(tmp_path / "none"))


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


def test_every_file_of_an_experiment_is_named_by_its_folder():
    folders = [reproduce.ROOT / "pmp_kit/course/experiments" / row.folder for row in EXPERIMENTS.values()]
    assert folders
    for folder in folders:
        named = set(re.findall(r"`(\w+)", (folder / "__init__.py").read_text(encoding="utf-8")))
        assert {path.stem for path in folder.glob("*.py")} - {"__init__"} <= named, folder.name


@pytest.mark.slow
def test_another_seed_has_files_of_its_own(project, capsys, monkeypatch):
    for name in ("PMP_KIT_LEDGER", "PMP_KIT_PROGRESS", "JUPYTER_PLATFORM_DIRS"):
        monkeypatch.setenv(name, "")
    places = reproduce.Places(project)
    path = places.notebook("5.1")
    page = json.loads(path.read_text())
    cells = [cell for cell in page["cells"] if cell["cell_type"] == "code"]
    cells[0]["source"] = "profile, seed = 'quick', 40"
    cells[1]["source"] = (
        "from pmp_kit.course.experiments import piece\nfrom pmp_kit.course.experiments.record import record"
    )
    cells[2]["source"] = "record('seed', piece('one', lambda seed: {'value': seed}, seed=seed)['value'])"
    path.write_text(json.dumps(page))
    for words, value in ([], 40), (["--seed", "41"], 41), ([], 40):
        assert reproduce.main(["--experiment", "5.1", *words], places) == 0
        said = capsys.readouterr().out
        file = places.file("5.1", "quick", "json", value if words else None)
        assert f"the numbers are in {file.relative_to(project)}" in said
        assert json.loads(file.read_text())["results"][0]["value"] == value
    assert "one: 0.0 s, from the ledger\n" in said
    with pytest.raises(SystemExit):
        reproduce.main(["--seed", "41", "--write"], places)
    assert "--write: expected no --seed" in capsys.readouterr().err
