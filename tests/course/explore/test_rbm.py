"""RBM studio: stored samples where nothing is painted, live ones that keep what is."""

import jax
import pytest

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.experiments.rbm import learn as restricted
from pmp_kit.course.experiments.rbm import samples as restricted_samples
from pmp_kit.course.explore.picture.painted import written
from pmp_kit.course.explore.rbm.compute import MOST_SWEEPS, SIDE
from pmp_kit.course.explore.shared import strokes


@pytest.fixture(scope="module")
def studio():
    return explore.RBMStudio()


def test_without_paint_it_shows_stored_samples(studio):
    stored = restricted_samples.load()
    state = studio.compute(studio.params | {"weights": "PCD-1", "seed": 1, "sweeps": 20})
    row = restricted.METHODS.index("PCD-1"), stored["sweeps"].tolist().index(20)
    assert (state.images == stored["images"][row][25:50]).all()
    assert (state.shares == stored["shares"][row]).all()
    assert (state.digits == restricted_samples.digits(state.images)).all()
    assert not state.painted


@pytest.mark.parametrize("method", ["PMP", "PCD-100"])
def test_completions_are_samples_of_the_kit_that_keep_the_paint(studio, method):
    evidence = strokes.pen("a ring above", SIDE)
    settings = {"weights": method, "painted": written(evidence), "seed": 2, "sweeps": 2000}
    state = studio.compute(studio.params | settings)
    assert state.used == MOST_SWEEPS[method]
    painted = evidence != pk.FREE
    assert (state.images[:, painted] == evidence[painted]).all()
    model = pk.pretrained(restricted.WEIGHTS[method])
    settings = {"num_samples": 25, "num_sweeps": state.used, "evidence": {"v": evidence}}
    expected = pk.sample(jax.random.key(2), model, restricted.sampler(method), **settings)["v"]
    assert (state.images == expected).all()
    assert "more would be too slow to draw live" in studio.says(state)
