"""Run-time explorer: a run is measured in the background, can be stopped, and stands beside its prediction."""

import threading

import pytest

from pmp_kit.course import explore
from pmp_kit.course.experiments.speed.costs import Setting
from pmp_kit.course.explore import failure_list
from pmp_kit.course.explore.speed import compute, runner
from pmp_kit.course.explore.speed.runner import Runner

SMALL = {"model": "random graph", "size": 100, "samples": 1}


@pytest.fixture
def lab():
    one = explore.RunTime(**SMALL)
    yield one
    one._job.pause()
    one._job.join()


def faked(monkeypatch, per_sweep: float) -> list[int]:
    """Let calls take this many seconds a sweep, and 2 s more the first time; returns the sweeps of each call."""
    calls: list[int] = []

    def timed(run, sweeps):
        calls.append(sweeps)
        return per_sweep * sweeps + 2.0 * (len(calls) == 1)

    monkeypatch.setattr(runner.timing, "timed", timed)
    return calls


def measured(setting: Setting) -> Runner:
    one = Runner(setting)
    while not one.over:
        one.step()
    return one


@pytest.mark.slow
def test_a_run_is_measured_in_the_background_and_shown(lab):
    before = lab.picture.frame
    lab.button.click()
    assert lab.button.description == "stop"
    lab._job.join()
    (ran,) = lab.state.runs
    assert ran.setting == lab.state.setting
    assert ran.predicted == pytest.approx(lab.state.predicted, rel=0.01)
    assert ran.measured > 0
    assert lab.state.last == ran
    lab.update(runs=(ran._replace(measured=ran.predicted),))
    assert "busy" not in lab.says(lab.state)
    assert "measured" in lab.says(lab.state)
    assert lab.picture.frame != before
    assert (lab.button.description, lab._progress.value) == ("run", 0)
    lab.controls["samples"].value = 2
    assert lab.state.last is None
    failure_list.assert_no_failures()


@pytest.mark.parametrize(("call", "says"), [(1, "compiling"), (Runner.CALLS, "running 100 of 100 sweeps")])
@pytest.mark.slow
def test_a_run_can_be_stopped_in_every_call_and_leaves_no_thread(lab, monkeypatch, call, says):
    at, go_on, calls = threading.Event(), threading.Event(), []

    def slow(run, sweeps):
        calls.append(sweeps)
        if len(calls) == call:
            at.set()
            go_on.wait(10)
        return 1e-3

    monkeypatch.setattr(runner.timing, "timed", slow)
    lab.button.click()
    assert at.wait(10)
    assert says in lab.says(lab.state)
    lab.button.click()
    go_on.set()
    lab._job.join()
    assert lab.state.runs == ()
    assert lab.button.description == "run"
    assert not any(thread.name == "run time" for thread in threading.enumerate())


def test_a_long_run_is_made_in_part_scaled_up_and_never_longer_than_said(monkeypatch):
    calls = faked(monkeypatch, 0.5)
    one = measured(Setting("random graph", "PMP", 100, 1))
    assert one.sweeps == calls[-1] < compute.SWEEPS
    assert one.seconds == pytest.approx(50.0)
    assert 0.5 * sum(calls[1:]) <= runner.LONGEST
    state = compute.state("random graph", 100, "PMP", 1, "cpu")
    ran = compute.Ran(*state.setting, state.predicted, one.seconds, one.sweeps, one.compiling)
    lab = explore.RunTime(**SMALL, runs=[ran])
    assert f"scaled up from {one.sweeps} sweeps" in lab.says(lab.state)
    assert "busy" in lab.says(lab.state)
