"""Sixty-second PMP: completions are samples of the kit, and strokes of the painter change the picture."""

import jax
import numpy as np
from explorers import EXPLORERS, small_rbm

import pmp_kit as pk
from pmp_kit.course.explore.digits import compute

TRUTH = np.zeros((8, 8), np.int32)


def test_completions_keep_the_evidence_and_are_the_samples_of_the_kit():
    evidence = np.random.default_rng(1).choice([pk.FREE, 0, 1], (8, 8)).astype(np.int32)
    state = compute.state(small_rbm(), TRUTH, evidence, 20, 0.4, True, 5)
    completions, known = state.completions, evidence >= 0
    assert completions.shape == (25, 8, 8)
    assert (completions[:, known] == evidence[known]).all()
    sampler = pk.PMP(damping=0.4, keep_best=False, tolerance=1e-2)
    arguments = {"num_samples": 25, "num_sweeps": 20, "evidence": {"v": evidence}}
    expected = pk.sample(jax.random.key(5), small_rbm(), sampler, **arguments)
    assert (completions == expected["v"]).all()
    assert (state.sweeps == expected.sweeps).all()


def test_without_perturbation_all_completions_agree():
    state = compute.state(small_rbm(), TRUTH, np.full((8, 8), pk.FREE), 20, 0.5, False, 0)
    assert (state.completions == state.completions[0]).all()
    assert state.distinct == 1


def test_another_digit_brings_its_own_evidence():
    explorer = EXPLORERS["digits"].make_small()
    explorer.painter.values = np.full((8, 8), pk.FREE)
    assert (explorer.state.evidence == pk.FREE).all()
    explorer.controls["digit"].value = 7
    assert (explorer.state.evidence == compute.upper_half(explorer.state.truth)).all()
    assert (explorer.painter.values == explorer.state.evidence).all()
    assert "32 of 64 pixels free" in explorer.describe(explorer.state)


def test_a_stroke_of_the_painter_is_seen():
    explorer = EXPLORERS["digits"].make_small()
    before = explorer.picture.png()
    explorer.painter.values = np.ones((8, 8))
    assert explorer.picture.png() != before
    assert (explorer.state.completions == 1).all()
