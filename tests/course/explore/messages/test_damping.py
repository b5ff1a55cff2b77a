"""The shares of page 02: damping ends oscillations, decides nothing on the triangle, fails on four spins."""

from types import SimpleNamespace

import numpy as np
import pytest

from pmp_kit.course.explore.messages import compute, damping
from pmp_kit.course.explore.shared.limits import EXACT_GAP, UNDECIDED

DRAWS = 100


@pytest.fixture(scope="module")
def runs():
    return {name: damping.runs(name, -1.0, DRAWS, dampings=(0.0, 0.5)) for name in ("grid", "triangle", "four spins")}


def test_damping_settles_the_grid_and_the_triangle_but_not_four_spins(runs):
    settled = {name: found.settled.mean(1) for name, found in runs.items()}
    assert settled["grid"][0] < 0.8
    assert settled["grid"][1] == settled["triangle"][1] == 1
    assert settled["triangle"][0] < 0.6
    assert (settled["four spins"] < 0.2).all()


def test_on_the_triangle_damping_decides_nothing(runs):
    undamped, damped = runs["triangle"].best
    assert (undamped == damped).all()
    assert runs["grid"].best[1].mean() > 0.9


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_runs_are_those_of_the_message_scope(share, monkeypatch):
    """Both get the same noise."""
    states = [compute.state("triangle", -1.0, 1.0, share, "zero", seed) for seed in range(6)]
    noise = SimpleNamespace(logistic=lambda size: np.array([state.noise[: size[1]] for state in states], float))
    monkeypatch.setattr(damping.np.random, "default_rng", lambda seed: noise)
    found = damping.runs("triangle", -1.0, len(states), dampings=(share,))
    settled = [state.residuals[-1] < compute.SETTLED for state in states]
    decided = [np.abs(state.beliefs[-1, :3]).min() > UNDECIDED for state in states]
    best = [state.gaps[-1] < EXACT_GAP for state in states]
    assert found.settled.tolist() == [settled]
    assert found.best.tolist() == [[all(each) for each in zip(settled, decided, best, strict=True)]]
