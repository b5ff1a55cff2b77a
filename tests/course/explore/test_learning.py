"""Training camera: its steps are those of `pk.training`, its moments those of its samples; no thread stays behind."""

import os
import subprocess
import sys
import threading
import time

import jax
import numpy as np
import pytest
from explorers import EXPLORERS, ring_images, wait_for

import pmp_kit as pk
from pmp_kit.course.explore import failure_list
from pmp_kit.course.explore.learning import lesson as lessons


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


def test_persistent_gibbs_shows_its_chains(camera):
    camera.controls["sampler"].value, camera.controls["chains"].value = "Gibbs", "persistent"
    camera.job.run(1)
    chains = np.asarray(camera.lesson.latest.training.chains)[:, 0]
    np.testing.assert_array_equal(camera.compute(camera.params).samples.reshape(chains.shape), chains)


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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["digits", "learning"])
def test_a_script_that_ends_while_the_compiler_is_warmed_up_prints_no_error(name):
    code = f"from explorers import EXPLORERS; EXPLORERS[{name!r}].make_small()"
    environment = {name: text for name, text in os.environ.items() if not name.startswith("JAX_")}  # nothing compiled
    environment["PYTHONPATH"] = os.pathsep.join(folder for folder in sys.path if folder)
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
