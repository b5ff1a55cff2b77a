"""Sixty-second PMP: completions are samples of the kit, and strokes of the painter change the picture."""

import jax
import numpy as np
import pytest
from explorers import small_digits, small_rbm
from reading import read

import pmp_kit as pk
from pmp_kit.course.explore import SixtySecondPMP
from pmp_kit.course.explore.digits import compute
from pmp_kit.course.explore.picture import code

TRUTH = np.zeros((8, 8), np.int32)


def settling(view):
    return pk.observe.states(view)["v"], pk.observe.residual(view)


@pytest.mark.parametrize("sweeps", [0, 3, 20])
def test_completions_keep_the_evidence_and_are_the_states_of_pmp_where_it_settled(sweeps):
    evidence = np.random.default_rng(1).choice([pk.FREE, 0, 1], (8, 8)).astype(np.int32)
    state = compute.state(small_rbm(), TRUTH, evidence, sweeps, 0.4, True, 5)
    completions, known = state.completions, evidence >= 0
    assert completions.shape == (25, 8, 8)
    assert (completions[:, known] == evidence[known]).all()
    sampler = pk.PMP(damping=0.4, keep_best=False, tolerance=0.0, schedule=pk.Alternating())
    options = {"num_samples": 25, "num_sweeps": sweeps, "evidence": {"v": evidence}, "observe": settling}
    states, residuals = pk.trace(jax.random.key(5), small_rbm(), sampler, **options).values
    settled = residuals[1:] < compute.TOLERANCE
    first = np.where(settled.any(0), settled.argmax(0) + 1, sweeps) if sweeps else np.zeros(25, int)
    assert (completions == states[first, np.arange(25)]).all()
    assert (state.sweeps == first).all()
    assert (state.settled == settled.any(0)).all()
    assert settled.any() == (sweeps > 5)  # both cases occur


@pytest.mark.parametrize(("half", "freed", "free"), [("upper", None, 32), ("right", (0, 7), 64)])
def test_painted_pixels_need_no_messages_and_change_no_score(half, freed, free):
    draw = np.random.default_rng(2)
    full, pixels = small_rbm(), draw.integers(0, 2, (8, 8)).astype(np.int32)
    evidence = compute.half_of(pixels, half)
    evidence[4, 3] = 1  # a stroke
    if freed is not None:
        evidence[freed] = pk.FREE
    small, inside = compute.conditioned(full, evidence, half)
    assert inside.sum() == free
    assert inside[evidence == pk.FREE].all()
    differences = []
    for _ in range(5):
        v = np.where(inside, draw.integers(0, 2, (8, 8)), evidence).astype(np.int32)
        h = draw.integers(0, 2, len(full.hidden_bias)).astype(np.int32)
        differences.append(float(pk.score(full, {"v": v, "h": h}) - pk.score(small, {"v": v[inside], "h": h})))
    np.testing.assert_allclose(differences, differences[0], atol=1e-4)


def test_completions_of_a_painted_half_are_samples_of_the_smaller_model():
    evidence = compute.half_of(np.random.default_rng(3).integers(0, 2, (8, 8)).astype(np.int32), "lower")
    state = compute.state(small_rbm(), TRUTH, evidence, 20, 0.4, True, 5, "lower")
    small, inside = compute.conditioned(small_rbm(), evidence, "lower")
    sampler = pk.PMP(damping=0.4, keep_best=False, tolerance=compute.TOLERANCE, schedule=pk.Alternating())
    expected = pk.sample(jax.random.key(5), small, sampler, num_samples=25, num_sweeps=20)
    assert (state.completions[:, inside] == expected["v"]).all()
    assert (state.completions[:, ~inside] == evidence[~inside]).all()


def test_without_perturbation_all_completions_agree():
    state = compute.state(small_rbm(), TRUTH, np.full((8, 8), pk.FREE), 20, 0.5, False, 0)
    assert (state.completions == state.completions[0]).all()
    assert state.distinct == 1


def pmp(unaries, weight, num_sweeps, damping):
    """Damped, parallel max-product as a reader writes it: one matrix of messages for each sample."""
    messages = np.zeros((len(unaries), *weight.shape))
    for _ in range(num_sweeps):
        beliefs = unaries + messages.sum(1)
        cavity = beliefs[:, :, None] - np.swapaxes(messages, 1, 2)  # of i, without what j said
        new = np.maximum(0, cavity + weight) - np.maximum(0, cavity)
        messages = damping * messages + (1 - damping) * new
    return unaries + messages.sum(1) > 0


def test_completions_of_a_reader_are_shown_beside_those_of_the_kit():
    explorer = SixtySecondPMP(**small_digits(), sampler=pmp)
    explorer.student.join()
    state = explorer.state
    known = state.evidence != pk.FREE
    assert state.own.shape == (25, 8, 8)
    assert (state.own[:, known] == state.evidence[known]).all()
    assert "pmp: 25 completions" in explorer.says(state)
    said = read(explorer).said
    assert said["completion of pmp 24/0/0"][1]["row 1, column 1"].startswith("on" if state.own[24, 0, 0] else "off")
    assert "completion 24/0/0" in said
    assert np.abs(state.own.mean(0) - state.completions.mean(0)).mean() < 0.15
    assert explorer.copy_as_code().startswith("# Store")
    written = code.code_of(SixtySecondPMP, explorer.arguments(), {**small_digits_names(explorer), "mine": pmp})
    assert "sampler=mine" in written


def small_digits_names(explorer) -> dict:
    return {name: explorer.arguments()[name] for name in ("model", "digits")}
