"""Training camera: its steps are those of `pk.training`, its moments those of its samples; no thread stays behind."""

import os
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import jax
import numpy as np
import pytest
from explorers import EXPLORERS, ring_images, wait_for
from reading import read

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore import failure_list, learning
from pmp_kit.course.explore.job import Job
from pmp_kit.course.explore.learning import lesson as lessons
from pmp_kit.course.explore.learning import results


@pytest.fixture(scope="module")
def camera():
    return EXPLORERS["learning"].make_small()


@pytest.fixture(autouse=True)
def back_to_the_start(camera):
    camera.controls["sampler"].value, camera.controls["chains"].value = "PMP", "reset"
    camera.press("restart")
    yield
    camera.job.pause()
    camera.job.join()


@pytest.mark.parametrize("variant", [("PMP", "reset"), ("Gibbs", "persistent")])
def test_steps_are_those_of_training(camera, variant):
    camera.controls["sampler"].value, camera.controls["chains"].value = variant
    camera.job.run(4)
    lesson, state = camera.lesson, camera.compute(camera.params)
    now = lesson.fresh(0)
    sampler = lessons.sampler_of(variant[0])
    chains = lesson._samples(sampler, now.training.model, 0, 0, 0).chains if variant[1] == "persistent" else None
    expected = pk.fit(
        jax.random.key(0),
        now.training.model,
        moments=pk.data_moments(now.training.model, {"x": ring_images()}),
        sampler=sampler,
        optimizer=lesson._optimizer,
        steps=4,
        num_chains=lessons.CHAINS_A_STEP,
        num_sweeps=camera.controls["sweeps"].value,
        persistent=chains is not None,
        resume=now.training._replace(chains=chains),
    )
    assert state.step == 4
    np.testing.assert_array_equal(state.weight, expected.model.weight)
    np.testing.assert_allclose(state.gaps, expected.history["gap"])


def test_moments_are_those_of_the_samples(camera):
    camera.job.run(3)
    state = camera.compute(camera.params)
    flat = state.samples.reshape(len(state.samples), -1)
    first, second = np.triu_indices(flat.shape[1], 1)
    np.testing.assert_allclose(state.pairs, (flat[:, first] * flat[:, second]).mean(0), atol=1e-6)


def test_the_floor_is_the_gap_of_perfect_samples(camera):
    lesson, draws, gaps = camera.lesson, np.random.default_rng(0), []
    images = ring_images().reshape(len(ring_images()), -1)
    n = images.shape[1]
    for _ in range(200):
        x = images[draws.integers(0, len(images), lessons.CHAINS_A_STEP)]
        pairs = (x.T @ x / len(x) - images.T @ images / len(images)) / 2
        np.fill_diagonal(pairs, 0.0)
        gaps.append((pairs**2).sum() + ((x.mean(0) - images.mean(0)) ** 2).sum())
    assert abs(lesson.floor / np.sqrt(np.mean(gaps) / (n**2 + n)) - 1) < 0.1


def test_the_line_of_the_results_is_the_error_of_as_many_perfect_samples():
    lesson, draws = lessons.Lesson(ring_images()), np.random.default_rng(0)
    images, squares = ring_images().reshape(-1, 25), []
    first, second = np.triu_indices(25, 1)
    for _ in range(300):
        x = images[draws.integers(0, len(images), results.CALLS * lessons.CHAINS_A_STEP)]
        squares.append(((x.T @ x / len(x) - images.T @ images / len(images))[first, second] ** 2).mean())
    assert results.floor(lesson) == pytest.approx(np.sqrt(np.mean(squares)), rel=0.05)


def test_every_call_of_the_results_draws_samples_of_its_own(monkeypatch):
    drawn, data = {}, np.linspace(0, 1, 7)

    def samples(now, params):
        assert now.chains is None, "samples begin at random pixels"
        drawn.setdefault(params["sweeps"], []).append(np.random.default_rng([now.seed, params["sweeps"]]).random(7))
        return drawn[params["sweeps"]][-1]

    monkeypatch.setattr(results, "learned", lambda *_, **__: lessons.Now(None, (), ("Gibbs", "persistent"), seed=2))
    lesson = SimpleNamespace(data_pairs=data, pairs=lambda images: images, samples=samples)
    found = results.error(lesson, results.Run("Gibbs", "persistent", 3), seed=2)
    assert tuple(drawn) == results.DRAWN
    assert all(len(np.unique(calls, axis=0)) == results.CALLS for calls in drawn.values())
    np.testing.assert_allclose(found, [np.sqrt(((sum(x) / len(x) - data) ** 2).mean()) for x in drawn.values()])


def test_the_mark_is_the_gap_of_the_samples_that_are_shown(camera):
    camera.job.run(2)
    camera.controls["sampler"].value = "Gibbs"
    x, data = (images.reshape(len(images), -1) for images in (camera.state.samples, ring_images()))
    pairs = (x.T @ x / len(x) - data.T @ data / len(data)) / 2
    np.fill_diagonal(pairs, 0.0)
    expected = np.sqrt(((pairs**2).sum() + ((x.mean(0) - data.mean(0)) ** 2).sum()) / (x.shape[1] ** 2 + x.shape[1]))
    assert camera.state.gap == pytest.approx(expected, rel=1e-4)
    assert f"moment gap {expected:.3f} of these samples (Gibbs)" in camera.says(camera.state)


@pytest.mark.slow
def test_learning_brings_the_gap_down_and_another_sampler_goes_on_from_there(camera):
    camera.job.run(40)
    learned = camera.compute(camera.params)
    assert learned.gaps[-5:].mean() < 0.5 * learned.gaps[0]
    camera.controls["sampler"].value, camera.controls["chains"].value = "Gibbs", "persistent"
    camera.job.run(2)
    after = camera.compute(camera.params)
    assert after.step == 42
    assert np.abs(after.weight - learned.weight).max() < 4 * lessons.RATE


def test_the_status_says_whether_chains_are_kept(camera):
    camera.controls["sampler"].value, camera.controls["chains"].value = "Gibbs", "persistent"
    assert "chains persistent from the next step on" in camera.says(camera.state)
    camera.press("step")
    assert "chains persistent as the last step left them" in camera.says(camera.state)


def test_persistent_gibbs_shows_its_chains(camera):
    camera.controls["sampler"].value, camera.controls["chains"].value = "Gibbs", "persistent"
    camera.job.run(1)
    chains = np.asarray(camera.lesson.latest.training.chains)[:, 0]
    np.testing.assert_array_equal(camera.compute(camera.params).samples.reshape(chains.shape), chains)


def test_it_starts_pauses_and_leaves_no_thread(camera):
    camera.press("start")
    assert any(thread.name == "training camera" for thread in threading.enumerate())
    wait_for(lambda: camera.params["step"] >= 3)
    camera.press("start")
    camera.job.join()
    step = camera.params["step"]
    assert not any(thread.name == "training camera" for thread in threading.enumerate())
    time.sleep(0.05)
    assert camera.params["step"] == step
    camera.press("step")
    assert camera.params["step"] == camera.state.step == step + 1
    camera.controls["seed"].value = 3
    assert camera.state.step == 0
    camera.controls["seed"].value = 0
    failure_list.assert_no_failures()


def test_after_the_last_step_the_buttons_take_no_more(camera, monkeypatch):
    monkeypatch.setattr(learning, "STEPS", 3)
    for _ in range(3):
        assert not camera._buttons["start"].disabled
        camera._buttons["step"].click()
    assert camera._buttons["start"].disabled
    assert camera._buttons["step"].disabled
    for word in ("step", "start"):  # clicks that were on their way, such as the second one of a double click
        camera.press(word)
        camera.job.join()
    assert camera.params["step"] == 3
    assert camera._buttons["start"].description == "start"
    camera._buttons["restart"].click()
    assert not camera._buttons["step"].disabled
    camera._buttons["start"].click()
    camera.job.join()
    assert camera.params["step"] == 3
    assert camera._buttons["start"].disabled


def test_a_failure_while_it_runs_stops_it_and_the_button_says_so(camera, monkeypatch):
    go_on = threading.Event()

    def broken(now, params):
        go_on.wait(10)
        raise RuntimeError("planted")

    monkeypatch.setattr(camera.lesson, "advance", broken)
    camera.press("start")
    assert camera._buttons["start"].description == "pause"
    go_on.set()
    camera.job.join()
    assert camera._buttons["start"].description == "start"
    assert "planted" in camera.picture.error
    failure_list.clear_failures()


def test_returning_to_a_view_pauses(camera):
    view = dict(camera.params)
    camera.press("start")
    camera.restore(view)
    camera.job.join()
    assert camera._buttons["start"].description == "start"
    assert camera.params == view


def test_a_job_that_fails_says_so_and_stops():
    failed = []

    def work():
        raise RuntimeError("planted")

    job = Job("failing", work, failed.append)
    job.start()
    job.join()
    assert not job.running
    assert [str(error) for error in failed] == ["planted"]
    with pytest.raises(RuntimeError, match="planted"):
        job.run()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["digits", "learning"])
def test_a_script_that_ends_while_the_compiler_is_warmed_up_prints_no_error(name):
    code = f"from explorers import EXPLORERS; EXPLORERS[{name!r}].make_small()"
    environment = {name: text for name, text in os.environ.items() if not name.startswith("JAX_")}  # nothing compiled
    environment["PYTHONPATH"] = os.pathsep.join(folder for folder in sys.path if folder)
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_job_tells_no_failure_of_a_program_that_ends(monkeypatch):
    """The threads of the samplers end before the threads that wait for them."""
    begun, go_on, failed = threading.Event(), threading.Event(), []

    def work():
        begun.set()
        go_on.wait(10)
        raise RuntimeError("cannot schedule new futures after shutdown")

    job = Job("late", work, failed.append)
    job.start()
    begun.wait(10)
    monkeypatch.setattr(threading, "main_thread", lambda: threading.Thread())
    go_on.set()
    job.join()
    assert not failed


def test_chains_are_for_gibbs_sampling():
    camera = explore.TrainingCamera()
    assert camera.controls["chains"].disabled
    camera.controls["sampler"].value = "Gibbs"
    assert not camera.controls["chains"].disabled


def test_the_moment_gap_belongs_to_the_sampler_of_its_step(camera):
    """Another sampler in the menu draws new samples; the steps that were taken keep their gap, name and colour."""
    camera.job.run(2)
    gap = f"{camera.state.gaps[-1]:.3f} in the last step (PMP)"
    camera.controls["sampler"].value = "Gibbs"
    assert gap in camera.says(camera.state)
    camera.press("step")
    said = read(camera).said
    assert [said[f"gaps/0/{step}"][1]["learned with"][:5] for step in range(3)] == ["PMP, ", "PMP, ", "Gibbs"]
    assert "(Gibbs)" in camera.says(camera.state)


def test_a_page_without_a_kernel_takes_the_steps_again(camera):
    camera.controls["sampler"].value = "Gibbs"
    for _ in range(3):
        camera.press("step")
    state, before = camera.state, camera.params
    stops = camera.stops("step")
    assert stops == [0, 1, 2, 3]
    states = camera.compute_many([camera.changed(before, "step", stop) for stop in stops])
    assert [one.step for one in states] == stops
    assert (states[-1].weight == state.weight).all()
    assert (states[-1].samples == state.samples).all()
    assert camera.params is before


def test_a_page_without_a_kernel_before_the_first_step_shows_some(camera):
    assert (camera.stops("step")[0], camera.stops("step")[-1]) == (0, 50)
    on = camera.changed(camera.params, "step", 5)
    assert on["taken"] == (("PMP", "reset", camera.params["sweeps"], 5),)
    assert camera.params["step"] == 0


def test_steps_go_on_from_the_last_state_and_a_restart_drops_them(camera):
    taken = (("PMP", "reset", 5, 3),)
    camera.restore({"taken": taken})
    latest = camera.lesson.latest
    assert camera.lesson.after(camera.params["seed"], taken) is latest
    fresh = lessons.Lesson(ring_images())
    more = fresh.after(camera.params["seed"], (("PMP", "reset", 5, 2), ("Gibbs", "reset", 1, 1)))
    again = camera.lesson.after(camera.params["seed"], more.taken)
    assert (np.asarray(again.training.model.weight) == np.asarray(more.training.model.weight)).all()
    go_on, begun, advance = threading.Event(), threading.Event(), camera.lesson.advance

    def slow(now, params):
        begun.set()
        go_on.wait(10)
        return advance(now, params)

    camera.lesson.advance = slow
    camera.press("start")
    begun.wait(10)
    camera.press("start")
    camera.press("restart")
    go_on.set()
    camera.job.join()
    del camera.lesson.advance
    assert camera.params["taken"] == ()


def test_a_start_right_after_a_pause_does_not_wait_for_the_step():
    begun, go_on, steps = threading.Event(), threading.Event(), []

    def work():
        begun.set()
        go_on.wait(10)
        steps.append(1)

    job = Job("steps", work, pytest.fail)
    job.start()
    begun.wait(10)
    job.pause()
    starter = threading.Thread(target=job.start, daemon=True)
    starter.start()
    starter.join(10)
    assert not starter.is_alive()
    before = len(steps)
    go_on.set()
    while len(steps) < before + 3:
        time.sleep(0.001)
    job.pause()
    job.join()
    assert not [thread for thread in threading.enumerate() if thread.name == "steps"]
