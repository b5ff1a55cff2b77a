"""The trained weights: small, plain, good enough to show, and made again by one command."""

import json

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import train_digits
from pmp_kit.measures import mmd as metrics


@pytest.fixture(scope="module")
def model():
    return pk.pretrained("digits_rbm")


def test_the_file_is_small_and_tells_how_it_was_made():
    assert train_digits.OUTPUT.stat().st_size < 30_000
    with np.load(train_digits.OUTPUT, allow_pickle=False) as arrays:
        assert arrays["weight"].dtype == np.float16
        about = json.loads(str(arrays["about"]))
    assert about["settings"] == train_digits.SETTINGS


def test_the_model_is_an_rbm_of_8_by_8_digits(model):
    assert isinstance(model, pk.RBM)
    assert model.visible == (8, 8)
    assert model.hidden_bias.shape == (train_digits.SETTINGS["hidden"],)


def test_another_name_is_refused():
    with pytest.raises(ValueError, match=r"name: expected one of digits_rbm, .*, got 'mnist'"):
        pk.pretrained("mnist")


def test_samples_are_nearer_to_unseen_digits_than_independent_pixels(model):
    images, kept_out = train_digits.split()
    sampler = train_digits.sampler(train_digits.SETTINGS)
    samples = pk.sample(jax.random.key(3), model, sampler, num_samples=500, num_sweeps=50)
    pixels = metrics.independent_pixels(jax.random.key(4), images, 500)
    assert metrics.mmd(samples, kept_out, scale=10.0) < 0.35 * metrics.mmd(pixels, kept_out, scale=10.0)
    assert len(np.unique(samples["v"], axis=0)) > 490


def test_completions_agree_with_the_hidden_half(model):
    """Lower halves of unseen digits: PMP must be right on many more pixels than draws that do not look above."""
    images, kept_out = (part["v"] for part in train_digits.split())
    truth = kept_out[::4]
    evidence = np.where(np.arange(8)[:, None] < 4, truth, pk.FREE)
    sampler = train_digits.sampler(train_digits.SETTINGS)
    done = pk.sample(
        jax.random.key(5), model, sampler, num_samples=len(truth), num_sweeps=50, evidence={"v": evidence}
    )["v"]
    np.testing.assert_array_equal(done[:, :4], truth[:, :4])
    share = images.mean(0)[4:]
    blind = (truth[:, 4:] * share + (1 - truth[:, 4:]) * (1 - share)).mean()
    assert (done[:, 4:] == truth[:, 4:]).mean() > blind + 0.03


@pytest.mark.slow
def test_the_command_makes_the_same_file_again(tmp_path, capsys):
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file in files:
        train_digits.main(["--steps", "2", "--output", str(file)])
    assert files[0].read_bytes() == files[1].read_bytes()
    assert "independent pixels" in capsys.readouterr().out
