"""Every notebook runs without errors in its quick profile, meets its time and memory limits, and its results hold."""

import json

import notebook_runner as runner
import pytest

SECONDS, LONGER = 30, {}
"""Time limit of a notebook in seconds on two cores. At most two notebooks may have 60, and they are named here."""
FIRST_PICTURE = 15
MEGABYTES, FIRST_MEGABYTES = 1000, 700
"""Limits of peak memory: half of Binder's memory, and less for the first notebook."""
SLACK = 3
"""The time limits are for an idle machine. Other tests run at the same time, so this factor is allowed here."""


every_notebook = pytest.mark.parametrize("path", runner.NOTEBOOKS, ids=lambda path: path.stem)


@every_notebook
def test_the_notebook_runs_and_its_results_hold(path, tmp_path, record_property):
    done = runner.run(runner.with_exercise(json.loads(path.read_text(encoding="utf-8"))), tmp_path, profile="quick")
    assert done.error == ""
    assert done.stderr == []
    assert disagreeing(done) == []
    names = [result["name"] for result in done.results]
    assert len(names) == len(set(names)) > 0

    tried = done.measured["tried"]
    assert min(tried.values()) > 0
    assert len(tried) == len(done.outputs(runner.WIDGET)) <= 5

    measured = {
        "seconds": done.seconds,
        "first picture": done.first_picture,
        "megabytes": done.measured["megabytes"],
    }
    for name, value in measured.items():
        record_property(name, round(value, 1))
    assert done.seconds < SLACK * LONGER.get(path.stem, SECONDS)
    assert done.first_picture < SLACK * FIRST_PICTURE
    assert done.measured["megabytes"] < (FIRST_MEGABYTES if path == runner.NOTEBOOKS[0] else MEGABYTES)


@pytest.mark.all
@every_notebook
def test_the_paper_profile_runs_and_its_results_hold(path, tmp_path):
    done = runner.run(json.loads(path.read_text(encoding="utf-8")), tmp_path, timeout=600, profile="paper")
    assert done.error == ""
    assert disagreeing(done) == []


def disagreeing(done):
    return [result for result in done.results if not result.get("agrees", True)]
