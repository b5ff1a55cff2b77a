"""RBMs of Section 5.5: data that do not overlap, chains that go on, stored weights and samples, honest tables."""

import json
import pathlib
import re

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import data
from pmp_kit.course.experiments.rbm import coordinate_ascent, learn, samples, sizes, weights
from pmp_kit.measures import mmd as metrics

pytestmark = pytest.mark.slow  # the notebook's quick profile runs these functions in the gate

SIDE = 14
NOTEBOOK = pathlib.Path(__file__).parents[3] / "notebooks" / "09_restricted_boltzmann_machines.ipynb"


def small_rbm():
    model = pk.rbm(jax.random.key(0), visible=(4, 4), hidden=6, scale=1.0)
    return pk.RBM(model.weight, model.visible_bias - 0.5, model.hidden_bias, (4, 4))


def test_every_fifth_image_of_each_digit_is_held_out():
    train, labels, held_out, truth = learn.split("digits")
    whole = pk.datasets.digits()["v"]
    assert len(train) + len(held_out) == len(whole)
    assert (np.sort(np.concatenate([train, held_out]).sum((1, 2))) == np.sort(whole.sum((1, 2)))).all()
    for digit in range(10):
        images = pk.datasets.digits(only=digit)["v"]
        assert (held_out[truth == digit] == images[::5]).all()
        assert (labels == digit).sum() == len(images) - len(images[::5])


def test_an_rbm_starts_as_independent_pixels():
    images = learn.split("digits")[0]
    model = learn.start(jax.random.key(0), images, 3)
    means = 1 / (1 + np.exp(-np.asarray(model.visible_bias)))
    np.testing.assert_allclose(means, np.clip(images.mean(0).ravel(), 0.005, 0.995), atol=1e-5)
    assert np.abs(model.weight).max() < 0.1


def test_chains_go_on_and_pmp_starts_anew():
    model, key = small_rbm(), jax.random.key(1)
    gibbs = learn.sampler("PCD-1")
    first, second = learn.draw(key, model, gibbs, [3, 5], 10)
    begun = pk.sample(key, model, gibbs, num_samples=10, num_sweeps=3)
    more = {"num_samples": 10, "num_sweeps": 2, "previous": begun.chains}
    assert (first == begun["v"]).all()
    assert (second == pk.sample(jax.random.fold_in(key, 3), model, gibbs, **more)["v"]).all()
    _, last = learn.draw(key, model, learn.sampler("PMP"), [3, 5], 10)
    assert (last == pk.sample(key, model, learn.sampler("PMP"), num_samples=10, num_sweeps=5)["v"]).all()


def test_real_digits_are_judged_real_and_pixels_are_not():
    floor = learn.floor(0, "digits", 300)
    real, pixels = (sizes.row(floor, name) for name in ("real", "pixels"))
    assert np.abs(np.divide(real["u"], real["null"])).max() < 4
    assert np.divide(pixels["u"], pixels["null"])[1] > 10
    held_out = learn.split("digits")[2]
    pixels = metrics.independent_pixels(jax.random.key(0), learn.split("digits")[0], 300)
    expected = metrics.mmd(pixels, learn.mixed(held_out)[:300], statistic="v")
    assert learn.judge(pixels, "digits")["log v"] == pytest.approx(np.log(expected))


def test_the_classifier_knows_digits():
    _, right = learn.classifier("digits")
    assert right > 0.93
    images = pk.datasets.digits(only=3)["v"]
    shares = learn.shares(images, "digits")
    assert shares.sum() == pytest.approx(1.0)
    assert shares[3] > 0.93


def test_a_row_of_the_table_is_the_row_asked_for():
    result = {"sweeps": np.array([5, 20]), "u": np.array([[1.0, 2, 3], [4, 5, 6]]), "null": np.ones((2, 3))}
    result |= {"log v": np.array([-1.0, -2]), "authors": np.array([-3.0, -4])}
    row = sizes.at(result, 20)
    assert (row["log v"], row["authors"]) == (-2, -4)
    printed = sizes.table({"PMP": [row], "other": [row, sizes.at(result, 5)]}).splitlines()
    assert printed[1].split() == ["PMP", "4.0", "5.0", "6.0", "-2.00", "-4.00"]
    assert printed[2].split() == ["other", "2.5", "3.5", "4.5", "-1.50", "-3.50"]


def test_weights_survive_a_byte_each(tmp_path):
    model = small_rbm()
    data.write_rbm(tmp_path / "weights.npz", model, {"made by": "a test"})
    with np.load(tmp_path / "weights.npz") as file:
        back = file["weight"] * file["weight_scale"]
        assert file["weight"].dtype == np.int8
        assert json.loads(str(file["about"])) == {"made by": "a test"}
    column = np.abs(model.weight).max(0)
    assert (np.abs(back - model.weight) <= column / 254 + 1e-6).all()


def test_the_command_makes_the_same_weights_again(tmp_path, monkeypatch, capsys):
    images = np.random.default_rng(0).integers(0, 2, (40, 4, 4)).astype(np.int32)
    monkeypatch.setattr(learn, "split", lambda data: (images,))
    monkeypatch.setitem(weights.SETTINGS, "hidden", 5)
    monkeypatch.setattr(weights, "MEASURED", 5)
    arrays = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        weights.main(["PCD-1", "--folder", str(folder), "--steps", "4"])
        arrays.append(data.read(folder / "mnist_rbm_pcd_1.npz")[0])
    assert all((arrays[0][name] == arrays[1][name]).all() for name in arrays[0])
    capsys.readouterr()
    weights.main(["PCD-1", "--measure", "--folder", str(tmp_path)])
    assert re.fullmatch(r"PCD-1: \d+ steps in 120 CPU seconds\n", capsys.readouterr().out)
    assert not list(tmp_path.glob("*.npz"))


@pytest.mark.parametrize("method", learn.METHODS)
def test_stored_weights_say_what_made_them(method):
    model = pk.pretrained(learn.WEIGHTS[method])
    assert model.weight.shape[0] == SIDE**2
    assert model.visible == (SIDE, SIDE)
    path = data.FOLDER / f"{learn.WEIGHTS[method]}.npz"
    assert path.stat().st_size < 60_000
    with np.load(path) as file:
        about = json.loads(str(file["about"]))
    assert about["made by"].endswith(method)
    assert about["settings"] == weights.SETTINGS | weights.METHODS[method]
    assert about["settings"]["hidden"] == model.weight.shape[1]
    assert about["CPU seconds"] == pytest.approx(weights.BUDGET, rel=0.15)


@pytest.mark.parametrize("method", learn.METHODS)
def test_the_notebook_states_the_steps_and_seconds_of_each_method(method):
    settings, about = weights.METHODS[method], data.read(data.FOLDER / f"{learn.WEIGHTS[method]}.npz")[1]
    (row,) = (line for line in NOTEBOOK.read_text(encoding="utf-8").splitlines() if f'"| {method} |' in line)
    assert f"| {settings['steps']:,} | {about['CPU seconds']} |" in row


def confident(images):
    """Whether the small classifier gives a digit a probability above one half, for each image."""
    return samples._probabilities(samples.load(), images).max(1) > samples.CONFIDENT


def test_most_samples_of_pmp_are_read_with_confidence():
    """As the notebook draws them, in five pictures of 25: 84 %, with a standard error of 3 %."""
    model, draws = pk.pretrained(learn.WEIGHTS["PMP"]), learn.sampler("PMP", samples.STILL)
    images = [next(iter(learn.draw(jax.random.key(seed), model, draws, [100], 25))) for seed in range(5)]
    assert confident(np.concatenate(images)).mean() >= 0.78


def test_real_digits_are_read_with_confidence_more_often_than_independent_pixels():
    stored = samples.load()
    assert stored["confident real"] > 0.9
    assert stored["confident pixels"] < 0.5
    pixels = np.random.default_rng(0).random((400, SIDE, SIDE)) < stored["images"][0, -1].mean(0)
    assert confident(pixels).mean() < 0.6


def test_stored_samples_are_samples_of_the_stored_weights():
    stored = samples.load()
    methods, stops = len(learn.METHODS), len(stored["sweeps"])
    assert stored["images"].shape == (methods, stops, samples.KEPT, SIDE, SIDE)
    np.testing.assert_allclose(stored["shares"].sum(-1), 1.0, atol=1e-5)
    model, sweeps = pk.pretrained(learn.WEIGHTS["PCD-1"]), stored["sweeps"][:2].tolist()
    drawn = learn.draw(jax.random.key(0), model, learn.sampler("PCD-1"), sweeps, samples.NUMBER["PCD-1"])
    for stop, images in enumerate(drawn):
        same = stored["images"][learn.METHODS.index("PCD-1"), stop] == images[: samples.KEPT]
        assert same.mean() > 0.999  # rounding may turn a coin that stands on its edge
    assert stored["right"] > 0.85


@pytest.mark.slow
def test_samples_of_barely_trained_weights_have_the_ink_of_the_data():
    """Training starts at independent pixels, whichever way samples are drawn."""
    settings = {"hidden": 8, "rate": 0.03, "batch_size": 50, "num_chains": 30}
    learning = {learn.COORDINATE_ASCENT: settings | {"steps": 20, "num_sweeps": 2}}
    learning |= {"PMP": settings | {"steps": 20, "num_sweeps": 10}}
    crossed = coordinate_ascent.crossed(0, "digits", [20, 10, 5], 30, learning)
    assert crossed["u"].shape == (2, 3, 3)
    assert crossed["images"].shape == (2, 3, 10, 8, 8)
    assert np.abs(crossed["ink"] - crossed["ink of the data"]).max() < 0.1
