"""Wrong-model dial: its five probabilities against enumeration and fresh samples, the two best places, Adam's way."""

import itertools

import jax
import numpy as np
import pytest
from reading import agrees, read

import pmp_kit as pk
from pmp_kit.course.explore import WrongModelDial, failure_list
from pmp_kit.course.explore.wrong_model import compute

STATES = np.array(list(itertools.product((0, 1), repeat=4)))
UP = STATES.sum(1)


def pair_correlation(theta):
    """E[s_1 s_2] of the model, by enumeration."""
    first, second = 2 * STATES[:, 0] - 1, 2 * STATES[:, 1] - 1
    return np.asarray(pk.exact.probabilities(pk.CompleteIsing(theta))) @ (first * second)


def dial_state(start="zero", data_theta=0.5, theta=0.331, sweeps=100, step=200):
    return compute.state(data_theta, theta, start, sweeps, step, seed=0)


@pytest.mark.parametrize("theta", [0.0, 0.2, 0.5])
def test_five_probabilities_stand_for_sixteen(theta):
    p, q = (pk.exact.probabilities(pk.CompleteIsing(coupling)) for coupling in (0.5, theta))
    five = compute.gibbs(theta)
    np.testing.assert_allclose(five, np.bincount(UP, np.asarray(q)), atol=1e-6)
    np.testing.assert_allclose(compute.kl(compute.gibbs(0.5), five), pk.exact.kl(p, q), atol=1e-5)
    np.testing.assert_allclose(five @ compute.PAIRS, 6 * pair_correlation(theta), atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("start", "sweeps", "theta"), [("zero", 100, 0.331), ("neutral", 2, 0.5), ("zero", 5, 0.21)])
def test_the_table_is_what_pmp_samples(start, sweeps, theta):
    sampler = pk.PMP(**pk.paper_settings(start=start))
    model, draws = pk.CompleteIsing(theta), 20_000
    x = pk.sample(jax.random.key(9), model, sampler, num_samples=draws, num_sweeps=sweeps)["x"]
    shares = np.bincount(x.sum(1), minlength=5) / draws
    state = dial_state(start, theta=theta, sweeps=sweeps)
    error = np.sqrt(shares * (1 - shares) * (1 / draws + 1 / compute.DRAWS))
    assert (np.abs(state.pmp - shares) < 4.5 * error).all()


@pytest.mark.slow
def test_the_two_best_places_differ_and_a_neutral_start_comes_closer():
    zero, neutral = dial_state("zero"), dial_state("neutral")
    assert compute.DIAL[zero.gibbs_curve.argmin()] == pytest.approx(0.5)
    assert 0.3 < zero.best < 0.36
    assert abs(zero.kl_gibbs - 0.119) < 1e-3
    assert neutral.pmp_curve.min() < 0.25 * zero.pmp_curve.min()
    assert zero.pmp[0] - zero.pmp[4] > 0.05
    assert abs(neutral.pmp[0] - neutral.pmp[4]) < 0.03


def test_the_steps_are_those_of_adam():
    """With one distribution of PMP for every theta, its samples do not depend on the path.

    Adam divides the mean of the gradients by the root of their mean square, with weights 0.9^age and 0.999^age.
    """
    shares, draw = compute.gibbs(0.45), np.random.default_rng(3)
    samples = np.array([draw.multinomial(100, shares) for _ in range(60)]) / 100
    gaps, path = (compute.gibbs(0.5) - samples) @ compute.PAIRS, [0.0]
    for step in range(1, 61):
        age, seen = np.arange(step)[::-1], gaps[:step]
        ratio = np.average(seen, weights=0.9**age) / np.sqrt(np.average(seen**2, weights=0.999**age))
        path.append(np.clip(path[-1] + 0.01 * ratio, 0.0, 0.7))
    found = compute.adam(0.5, np.tile(shares, (len(compute.COUPLINGS), 1)), seed=3)
    assert len(found) == compute.STEPS + 1
    np.testing.assert_allclose(found[:61], path, atol=1e-7)
    assert 0 < min(path[1:]) < max(path) < 0.7


def exact(unaries, weight, num_sweeps, damping):
    """The highest-scoring states by enumeration, as a reader might write it."""
    states = np.array(list(itertools.product((0, 1), repeat=4)))
    scores = unaries @ states.T + np.einsum("si,ij,sj->s", states, weight, states) / 2
    return states[scores.argmax(1)]


@pytest.mark.slow
def test_a_sampler_of_the_reader_takes_the_place_of_pmp():
    dial = WrongModelDial(sampler=exact, sweeps=20)
    dial.student.join()
    state = dial.state
    assert state.kit_curve is not None
    np.testing.assert_allclose(state.kit_curve, WrongModelDial(sweeps=20).state.pmp_curve)
    results = [exact(*part) for part in compute.parts(20, 0)]
    assert {len(states) for states in results} == {compute.DRAWS}
    np.testing.assert_allclose(compute.own_shares(results)[0], compute.WAYS / 16, atol=0.06)  # theta = 0
    assert not np.array_equal(state.pmp_curve, state.kit_curve)
    assert state.path[0] == 0.0
    dial.controls["step"].value = 200
    said = dial.says(dial.state)
    assert f"to given sampler {dial.state.kl_pmp:.3f} nats · given sampler closest at" in said
    assert "PMP" not in said
    rows = read(dial).said["curves/0/60"][1]
    assert agrees(rows["KL of the data from given sampler"], (dial.state.pmp_curve[60], "nats"))
    assert not failure_list.failures()
