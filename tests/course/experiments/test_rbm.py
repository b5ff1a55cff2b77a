"""RBMs of Section 5.5: data that do not overlap, chains that go on, stored weights and samples."""

import json

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import data
from pmp_kit.course.experiments.rbm import coordinate_ascent, learn, samples, weights

pytestmark = pytest.mark.slow  # the notebook's quick profile runs these functions in the gate

SIDE = 14


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
