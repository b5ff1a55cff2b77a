"""Message scope: its messages obey the update of the paper, its answers are those of enumeration."""

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import explore
from pmp_kit.course.explore.messages import compute
from pmp_kit.course.explore.messages.topologies import TOPOLOGIES


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("start", ["neutral", "zero"])
def test_messages_obey_the_update_of_the_paper(topology, start):
    """One undamped sweep is m(i->j) = max(0, P + W) - max(0, P), where P is the cavity."""
    state = compute.state(topology, -0.7, 1.3, 0.0, start, 4)
    weight = 4 * -0.7 * TOPOLOGIES[topology].adjacency
    messages = state.messages
    np.testing.assert_allclose(state.weight, weight, atol=1e-6)
    np.testing.assert_allclose(messages[0], weight / 2 if start == "neutral" else 0, atol=1e-6)
    np.testing.assert_allclose(state.bias, -weight.sum(0) / 2, atol=1e-6)
    sums = state.bias + state.noise + messages.sum(1)
    np.testing.assert_allclose(state.beliefs, sums, atol=1e-4)
    for t in range(3):
        cavity = state.beliefs[t][:, None] - messages[t].T
        expected = np.maximum(0, cavity + weight) - np.maximum(0, cavity)
        assert np.abs(messages[t + 1] - expected).max() < 1e-4
        assert abs(state.residuals[t] - np.abs(expected - messages[t]).max()) < 1e-4


@pytest.mark.parametrize("topology", ["line", "tree"])
def test_without_loops_the_beliefs_are_exact(topology):
    """On chains and trees the beliefs are the exact max-marginals once the messages stand still."""
    state = compute.state(topology, 0.9, 1.0, 0.0, "zero", 2)
    used = len(TOPOLOGIES[topology].places)
    assert state.sweeps is not None
    assert state.sweeps <= used
    coupling = 0.9 * TOPOLOGIES[topology].adjacency
    graph = compute.ising(coupling)
    perturbed = pk.FactorGraph(graph.variables, graph.factors, {"x": state.noise - 2 * coupling.sum(0)})
    scores, every = np.asarray(pk.exact.log_weights(perturbed)), compute._all_states()
    one, zero = (np.where(every == value, scores[:, None], -np.inf).max(0) for value in (1, 0))
    assert np.abs(state.beliefs[-1] - (one - zero)).max() < 1e-3
    assert (state.truth == every[scores.argmax()]).all()
    assert state.gaps[-1] < 1e-4


def test_the_gap_is_that_of_enumeration():
    state = compute.state("triangle", -1.0, 1.0, 0.5, "neutral", 7)
    graph = compute.ising(-TOPOLOGIES["triangle"].adjacency)
    history = pk.trace(
        jax.random.key(7), graph, pk.PMP(), num_sweeps=1, observe=compute.observe
    )  # only for the perturbed unaries
    unaries = {"x": history.values[-1][0, 0]}
    perturbed = pk.FactorGraph(graph.variables, graph.factors, unaries)
    scores = np.asarray(pk.exact.log_weights(perturbed))
    decoded = pk.exact.index_of(graph.variables, {"x": state.states})
    np.testing.assert_allclose(state.gaps, scores.max() - scores[decoded], atol=1e-4)
    assert state.gaps[-1] > 1.0  # a loop where max-product converges to a wrong answer
    assert "below the best score" in explore.MessageScope(seed=7).says(state)


def test_the_frustrated_triangle_flickers_and_damping_settles_it():
    flickers = compute.state("triangle", -1.0, 0.0, 0.0, "zero", 0)
    assert flickers.period == 2
    assert flickers.sweeps is None
    settles = compute.state("triangle", -1.0, 0.0, 0.5, "zero", 0)
    assert settles.period is None
    assert settles.sweeps is not None
    scope = explore.MessageScope()
    assert "cycles with period 2" in scope.says(flickers)
    assert "settled after 1 sweeps" in scope.says(settles)


def test_an_oscillation_that_dies_away_is_no_cycle():
    """The residual falls steadily from 4 to 0.005 nats, and the messages converge if they go on."""
    explorer = explore.MessageScope("triangle", coupling=-1, damping=0.05, perturbation=0, start="zero")
    assert explorer.state.residuals[-1] < 0.01
    assert explorer.state.period is None
    assert "still moving" in explorer.says(explorer.state)
