"""The figure of page 04: what is recorded of a spin glass, and that the best so far never gets worse."""

import itertools

import numpy as np
import pytest

from pmp_kit.course.explore.sampler import anytime
from pmp_kit.course.mine import reference

SAMPLES, SWEEPS = 20, 40


@pytest.fixture(scope="module")
def found():
    return anytime.runs(SAMPLES, SWEEPS, seed=1)


def test_the_states_are_those_of_algorithm_1(found):
    for sweep in (0, 1, SWEEPS):
        assert (found.states[sweep] == reference.pmp(found.unaries, found.weight, sweep, 0.5)).all()


def test_no_configuration_has_a_higher_score_than_the_best_one(found):
    every = np.array(list(itertools.product((0, 1), repeat=anytime.SIDE**2)))
    scores = every @ found.unaries[0] + 0.5 * ((every @ found.weight) * every).sum(1)
    states = found.states[:, 0]
    reached = states @ found.unaries[0] + 0.5 * ((states @ found.weight) * states).sum(1)
    assert np.abs(found.gaps[:, 0] - (scores.max() - reached)).max() < 1e-3


def test_the_best_so_far_never_gets_worse_and_is_at_least_the_last(found):
    assert (np.diff(found.kept) >= 0).all()
    assert (found.kept >= found.last).all()
    assert (found.kept > found.last).any()
