"""The trained weights: small, plain, good enough to show, and made again by one command."""

import json

import jax
import numpy as np
import pytest
from sklearn.datasets import load_digits

import pmp_kit as pk
from pmp_kit.course import train_digits
from pmp_kit.course.explore.digits import compute
from pmp_kit.measures import mmd as metrics

FIRST_VIEW = 93  # among the digits that were held out: a zero


@pytest.fixture(scope="module")
def model():
    return pk.pretrained("digits_rbm")


@pytest.fixture(scope="module")
def classifier():
    """Logistic regression on the digits that the model has seen."""
    from sklearn.linear_model import LogisticRegression

    grey = load_digits()
    seen = np.arange(len(grey.target)) % 5 != 0
    images = train_digits.split()[0]["v"]
    return LogisticRegression(C=0.1, max_iter=400).fit(images.reshape(len(images), -1), grey.target[seen])


def completions(model, digit, seed, half="upper"):
    """The 25 completions of the first page for a half of a digit, as rows of pixels."""
    evidence = compute.half_of(digit, half)
    return compute.state(model, digit, evidence, 40, 0.4, True, seed, half).completions.reshape(25, -1)


def test_the_file_is_small_and_tells_how_it_was_made():
    assert train_digits.OUTPUT.stat().st_size < 150_000
    with np.load(train_digits.OUTPUT, allow_pickle=False) as arrays:
        assert arrays["weight"].dtype == np.int8
        about = json.loads(str(arrays["about"]))
    assert about["settings"] == train_digits.SETTINGS


@pytest.mark.slow
def test_the_first_view_has_two_readings(model, classifier):
    """The lower half of a zero is the lower half of a six as well."""
    unseen = train_digits.split()[1]["v"]
    for seed in range(3):
        found = np.bincount(classifier.predict(completions(model, unseen[FIRST_VIEW], seed, "lower")), minlength=10)
        assert found[0] + found[6] >= 23
        assert min(found[0], found[6]) >= 5


def test_another_name_is_refused():
    with pytest.raises(ValueError, match=r"name: expected one of digits_rbm, .*, got 'mnist'"):
        pk.pretrained("mnist")


@pytest.mark.slow
def test_samples_are_nearer_to_unseen_digits_than_independent_pixels(model):
    images, held_out = train_digits.split()
    sampler = train_digits.sampler(train_digits.SETTINGS)
    samples = pk.sample(jax.random.key(3), model, sampler, num_samples=500, num_sweeps=40)
    pixels = metrics.independent_pixels(jax.random.key(4), images, 500)
    assert metrics.mmd(samples, held_out, scale=10.0) < 0.35 * metrics.mmd(pixels, held_out, scale=10.0)
    assert len(np.unique(samples["v"], axis=0)) > 490


@pytest.mark.slow
def test_the_command_makes_the_same_file_again(tmp_path, capsys):
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file in files:
        train_digits.main(["--steps", "2", "--output", str(file)])
    assert files[0].read_bytes() == files[1].read_bytes()
    assert "independent pixels" in capsys.readouterr().out
