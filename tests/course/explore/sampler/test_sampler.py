"""One-sample scrubber with a sampler that a reader wrote."""

from reading import agrees, read

from pmp_kit.course import explore


def greedy(unaries, weight, num_sweeps, damping):
    """Coordinate ascent, as a reader might write it."""
    states = (unaries > 0).astype(int)
    for _ in range(num_sweeps):
        for i in range(states.shape[1]):
            states[:, i] = unaries[:, i] + states @ weight[:, i] > 0
    return states


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
