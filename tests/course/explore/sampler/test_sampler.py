"""One-sample scrubber with a sampler that a reader wrote."""

import numpy as np
import pytest
from reading import agrees, read

from pmp_kit.course import explore
from pmp_kit.course.explore import failure_list
from pmp_kit.course.explore.sampler import compute
from pmp_kit.course.explore.shared.limits import EXACT_GAP


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
    failure_list.assert_no_failures()


def test_the_samples_of_the_library_are_drawn_beside_those_of_a_reader():
    """The tips of the kit's sample are those without a reader's sampler; those of the reader tell its states."""
    scrubber = explore.OneSample(sampler=greedy, model="spin glass", seed=2)
    scrubber.student.join()
    state, sweep = scrubber.state, 3
    said = read(scrubber, frame=sweep).said
    alone = read(explore.OneSample(model="spin glass", seed=2), frame=sweep).said
    assert {mark: tip for mark, tip in alone.items() if not mark.startswith("score")}.items() <= said.items()
    truth = state.truth(state.own, state.own_scores)[sweep]
    for i, (mine, best) in enumerate(zip(state.own[sweep], truth, strict=True)):
        shown = said[f"given variable {i}"][1][f"state after {sweep} sweeps"]
        assert shown == (f"{mine}" if mine == best else f"{mine}, best {best}")
    tip = said[f"score/0/{sweep}"][1]
    assert agrees(tip["score of greedy"], (state.own_scores[sweep], "nats"))
    assert agrees(tip["best so far"], (state.own_scores[: sweep + 1].max(), "nats"))
    assert agrees(tip["score of the kit"], (state.scores[sweep], "nats"))


def test_a_best_score_that_is_lost_on_the_way_is_not_said_to_stay():
    explorer = explore.OneSample(model="spin glass", seed=0)
    gaps, words = explorer.state.gaps, explorer.says(explorer.state)
    first = np.flatnonzero(gaps < EXACT_GAP)[0]
    assert gaps[-1] < EXACT_GAP < gaps[first:].max()
    assert f"at sweep {first}, and have it again at the end, after losing it" in words


def test_what_the_answer_of_the_prediction_says_of_other_seeds():
    """Eight of the seeds 0 to 11 reach the best score and fall again, two stay there, two never reach it."""
    best = [compute.state("spin glass", 0.8, 1.0, 0.5, seed).gaps < EXACT_GAP for seed in range(12)]
    assert sum(row.any() and not row[-1] for row in best) == 8
    assert sum(row[-1] for row in best) == sum(not row.any() for row in best) == 2


@pytest.mark.parametrize("calls", [0, 11])
def test_frames_without_a_result_show_no_states(calls):
    """A sampler that fails leaves no states of the library in the reader's graph."""

    def fails_later(unaries, weight, num_sweeps, damping):
        return unaries > 0 if num_sweeps < calls else None

    scrubber = explore.OneSample(sampler=fails_later, model="lattice")
    scrubber.student.join()
    scrubber.refresh()
    state = scrubber.state
    assert len(state.own) == calls
    for sweep in (0, 10, 11, 64):
        said = read(scrubber, frame=sweep).said
        assert (said["given variable 7"][1][f"state after {sweep} sweeps"] == "no result") == (sweep >= calls)
        assert (said[f"score/0/{sweep}"][1]["score of fails_later"] == "– nats") == (sweep >= calls)
    words = scrubber.says(state)
    assert f"{calls} of 65 calls, {'best' if calls else 'no result'}" in words
    assert "inf" not in words
