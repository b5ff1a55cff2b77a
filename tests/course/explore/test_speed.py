"""Run-time explorer: a run is measured in the background, can be stopped, and stands beside its prediction."""

import threading

import numpy as np
import pytest

from pmp_kit.course import explore
from pmp_kit.course.experiments.speed import costs
from pmp_kit.course.experiments.speed.costs import Setting
from pmp_kit.course.explore import failure_list
from pmp_kit.course.explore.picture import frame
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
def test_the_prediction_is_that_of_the_table_on_this_machine():
    lab = explore.RunTime(model="dense", sampler="Gibbs", size=784, samples=4)
    assert lab.state.predicted == costs.predict(Setting("dense", "Gibbs", 784, 4), compute.SWEEPS)
    row = lab.state.curves[compute.SAMPLERS.index("Gibbs")]
    assert row[compute.SIZES.index(784)] == lab.state.predicted
    lab.controls["size"].value = 1600
    assert lab.state.predicted == row[-1]


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


def test_a_thread_that_is_late_does_not_stop_the_next_run(lab):
    """The reader stops a run and starts the next one before the thread of the first sees that it was stopped."""
    lab._job._running.set()
    lab._work()
    assert lab._job.running
    lab._job.pause()


def test_the_words_of_another_setting_say_nothing_of_the_run(lab, monkeypatch):
    go_on = threading.Event()
    monkeypatch.setattr(runner.timing, "timed", lambda run, sweeps: go_on.wait(10) and 1e-3)
    lab.button.click()
    assert said(lab).endswith("compiling")
    lab.controls["samples"].value = 2
    assert "the first run also compiles" in said(lab)
    lab.controls["samples"].value = 1
    assert said(lab).startswith("100 variables, 1 sample: predicted")
    assert said(lab).endswith("compiling")
    go_on.set()
    lab._job.join()


def said(lab) -> str:
    """The sentence below the picture."""
    return frame.unpack(lab.picture.frame)["says"]


def test_of_several_runs_of_a_setting_the_last_one_counts():
    setting = Setting("dense", "PMP", 100, 4)
    first = compute.Ran(*setting, predicted=1.0, measured=2.0, sweeps=100, compiling=1.0)
    runs = first, first._replace(measured=3.0), first._replace(samples=8, measured=5.0)
    assert compute.State(setting, np.zeros((4, 9)), 1.0, 1.0, runs).last == runs[1]


def test_returning_to_a_view_stops_and_brings_its_runs_back(lab):
    lab.button.click()
    lab._job.join()
    view = dict(lab.params)
    lab.update(runs=None)
    lab.button.click()
    lab.restore(view)
    lab._job.join()
    assert tuple(map(tuple, lab.state.runs)) == lab.params["runs"] == view["runs"]
    assert len(lab.state.runs) == 1
    assert lab.button.description == "run"


def test_the_code_of_a_view_brings_its_runs_back(lab):
    lab.button.click()
    lab._job.join()
    names = {}
    code = lab.copy_as_code().split("\n\n")
    exec(code[0], names)
    again = eval(code[1], names)
    assert again.params == lab.params
    assert again.picture.frame == lab.picture.frame


def test_a_failure_is_shown_and_the_button_runs_again(lab, monkeypatch):
    def broken(run, sweeps):
        raise RuntimeError("planted")

    monkeypatch.setattr(runner.timing, "timed", broken)
    lab.button.click()
    lab._job.join()
    assert "planted" in lab.picture.error
    assert lab.button.description == "run"
    failure_list.clear_failures()


def test_a_short_run_is_made_in_full(monkeypatch):
    calls = faked(monkeypatch, 0.001)
    one = measured(Setting("random graph", "PMP", 100, 1))
    assert calls == [1, 1] + [100] * runner.ROUNDS
    assert one.seconds == pytest.approx(0.1)
    assert one.compiling == pytest.approx(2.0)


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


def test_a_sweep_that_takes_too_long_is_made_as_seldom_as_possible(monkeypatch):
    calls = faked(monkeypatch, 20.0)
    assert measured(Setting("random graph", "PMP", 100, 1)).seconds == pytest.approx(2000.0)
    assert calls == [1, 1, 1]


def test_only_the_last_runs_are_kept(lab):
    ran = compute.Ran(*lab.state.setting, 1.0, 1.0, 100, 1.0)
    lab.update(runs=(ran._replace(samples=64),) + (ran,) * (compute.KEPT - 1))
    lab.button.click()
    lab._job.join()
    assert len(lab.state.runs) == compute.KEPT
    assert lab.state.runs[0].samples == 1


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.00123, "1.2 ms"), (0.0994, "99 ms"), (0.123, "123 ms"), (1.26, "1.3 s"), (123.4, "123 s")]
)
def test_times_are_written_in_the_unit_that_suits_them(seconds, words):
    assert compute.words(seconds) == words
