"""One sample and the race: their numbers against the kit's own, and the claims of page 13."""

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore.race import compute as race
from pmp_kit.course.explore.sampler import compute as sampler
from pmp_kit.measures import mmd as metrics


@pytest.mark.parametrize("model", sampler.MODELS)
def test_one_sample_obeys_the_update_of_the_paper(model):
    """A damped sweep is old / 2 + (max(0, P + w) - max(0, P)) / 2, and beliefs add everything up."""
    state = sampler.state(model, 0.7, 1.0, 0.5, 3)
    weight = (4 * 0.7 * sampler.couplings(model))[sampler.couplings(model) != 0]
    first, second = state.ends[::2].T
    forward, backward = state.messages[:, ::2], state.messages[:, 1::2]
    assert (state.ends[1::2] == state.ends[::2, ::-1]).all()
    for t in range(4):
        total = state.noise - (np.bincount(first, weight, 25) + np.bincount(second, weight, 25)) / 2
        np.add.at(total, second, forward[t])
        np.add.at(total, first, backward[t])
        np.testing.assert_allclose(total, state.beliefs[t], atol=1e-4)
        assert (state.states[t] == (total >= 0)).all()
        cavity = total[first] - backward[t]
        new = np.maximum(0, cavity + weight) - np.maximum(0, cavity)
        np.testing.assert_allclose(forward[t + 1], (forward[t] + new) / 2, atol=1e-4)


def test_one_sample_is_beside_the_exact_answer():
    for seed in range(5):
        chain = sampler.state("line", 1.0, 1.0, 0.0, seed)
        assert chain.gaps[-1] < 1e-3
        assert (chain.states[-1] == chain.exact).all()
    glass = [sampler.state("spin glass", 0.8, 1.0, 0.5, seed) for seed in range(30)]
    last, best = (np.mean([find(g.gaps) < 1e-3 for g in glass]) for find in (lambda gaps: gaps[-1], np.min))
    assert last < 0.7 < 0.85 < best
    state = glass[2]
    assert state.gaps.min() < 1e-3 < state.gaps[-1]  # the words and the picture say so
    table = explore.OneSample(model="spin glass", seed=2)
    assert "first reach the best score at sweep" in table.says(state)
    assert "nats below it" in table.says(state)
    np.testing.assert_allclose(state.noise, state.beliefs[0], atol=1e-5)  # neutral messages push to no state


def test_the_mmd_of_the_race_is_that_of_the_kit():
    draw = np.random.default_rng(0)
    samples, exact = draw.integers(0, 2, (3, 20, 16)), draw.integers(0, 2, (30, 16))
    expected = [metrics.mmd(one, exact, scale=race.SCALE) for one in samples]
    np.testing.assert_allclose(race.mmd(samples.astype(bool), exact), expected, atol=1e-5)


@pytest.mark.slow
def test_a_run_is_what_the_kit_samples():
    name, method = "spin glass", "Gibbs"
    states = race.tracks()[name].states[race.METHODS.index(method), -1, 0]
    sampler = race.sampler(name, method)
    arguments = {"num_samples": 20, "num_sweeps": race.SWEEPS[-1]}
    drawn = pk.sample(jax.random.key(0), race.model(name).graph(), sampler, **arguments)["x"]
    assert (drawn.reshape(20, -1) == states[:20]).all()


@pytest.mark.slow
def test_gibbs_creeps_and_pmp_snaps():
    track = race.tracks()["long line"]
    same, gibbs, own = track.mmd[0], track.mmd[1], track.mmd[4]
    assert (own[-1] < 3).all()  # PMP with couplings of its own: exact samples cannot be told apart
    assert (gibbs[-1] > 8).all()
    assert (same[-1] > 5).all()  # with the model's couplings PMP stops elsewhere
