"""One-sample scrubber with a sampler that a reader wrote."""

import numpy as np

from pmp_kit.course import explore
from pmp_kit.course.explore.sampler import compute


def greedy(unaries, weight, num_sweeps, damping):
    """Coordinate ascent, as a reader might write it."""
    states = (unaries > 0).astype(int)
    for _ in range(num_sweeps):
        for i in range(states.shape[1]):
            states[:, i] = unaries[:, i] + states @ weight[:, i] > 0
    return states


def test_the_states_of_a_reader_are_shown_beside_those_of_the_kit():
    scrubber = explore.OneSample(sampler=greedy, model="lattice")
    scrubber.student.join()
    state = scrubber.state
    assert state.own.shape == state.states.shape
    (part, *_) = compute.parts(state, 0.5)
    assert (state.own[:1] == (part.unaries > 0)).all()
    assert (state.own_scores <= state.top + 1e-4).all()
    assert (np.diff(state.own_scores) > -1e-6).all()
    explore.assert_no_failures()
