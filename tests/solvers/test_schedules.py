"""Schedules of max-product: sides of a group in turn, a random part of the messages, all at once."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from pair_models import dense, tree
from small_models import balanced_rbm

import pmp_kit as pk

KEY = jax.random.key(0)


@pytest.mark.slow
def test_alternating_needs_fewer_sweeps_on_an_rbm():
    """Both sides of an RBM in turn: the score of flooding after half the sweeps."""
    models = [balanced_rbm(seed, 40, 30) for seed in range(5)]

    def mean_score(schedule, num_sweeps):
        solver = pk.MaxProduct(keep_best=False, tolerance=0.0, schedule=schedule)
        sampler = pk.PerturbAndMAP(solver)
        return np.mean(
            [
                pk.trace(
                    KEY,
                    m,
                    sampler,
                    num_sweeps=num_sweeps,
                    every=num_sweeps,
                    num_samples=20,
                    observe=pk.observe.perturbed_score,
                ).values[-1]
                for m in models
            ]
        )

    for sweeps in (5, 10):
        assert mean_score(pk.Alternating(), sweeps) > mean_score(pk.Flooding(), 2 * sweeps)


@pytest.mark.slow
def test_alternating_halves_the_sweeps_on_a_lattice():
    """Messages to the white squares, then to the black ones: on a lattice with even sides, one sweep is two."""
    graph = pk.ising_lattice(8, coupling=0.3)

    def after(schedule, sweeps):
        solver = pk.MaxProduct(damping=0.0, keep_best=False, tolerance=0.0, schedule=schedule)
        options = {"num_sweeps": sweeps, "every": sweeps, "num_samples": 5, "observe": pk.observe.messages}
        (messages,) = pk.trace(KEY, graph, pk.PerturbAndMAP(solver), **options).values
        return [ends[-1] for ends in messages]

    (to_white, to_black), (older, _) = after(pk.Flooding(), 12), after(pk.Flooding(), 11)
    white, black = after(pk.Alternating(), 6)
    np.testing.assert_allclose(black, to_black, atol=1e-5)
    np.testing.assert_allclose(white, older, atol=1e-5)
    assert np.abs(white - to_white).max() > 1e-3


@pytest.mark.parametrize("graph", [pk.ising_lattice(3, 0.3), balanced_rbm(0, 4, 3).graph()], ids=["edges", "bipartite"])
def test_the_sides_of_a_group_together_are_its_update(graph):
    (factor,) = graph.factors
    beliefs = jax.random.normal(KEY, (1, graph.variables.count, 2))
    old = jax.tree.map(lambda m: jax.random.normal(KEY, m.shape), factor.neutral_messages((2,)))
    sides = [factor.update_side(beliefs, old, side) for side in range(factor.sides)]
    for side, (new, whole) in enumerate(zip(sides, factor.update(beliefs, old), strict=True)):
        np.testing.assert_array_equal(new[side], whole)
        assert new[1 - side] is old[1 - side]


def test_alternating_refuses_a_group_that_has_no_sides():
    for graph in (dense(0), pk.FactorGraph(pk.Variables(x=pk.Binary(4)), [pk.Parity(np.arange(4))])):
        with pytest.raises(ValueError, match="schedule: expected factors to alternate between, got one group of"):
            pk.solve(graph, pk.MaxProduct(schedule=pk.Alternating()))
        sampler = pk.PersistentPMP(solver=pk.MaxProduct(schedule=pk.Alternating()))
        with pytest.raises(ValueError, match="schedule: expected factors to alternate between"):
            pk.sample(KEY, graph, sampler, num_samples=1, num_sweeps=1)


CHAIN = np.stack([np.arange(11), np.arange(1, 12)], 1)

PAIRS = {
    "Edges": lambda pairs: pk.Edges(pairs, 6.0),
    "Potts": lambda pairs: pk.Potts(pairs, 3.0, states=2),
    "EdgeTables": lambda pairs: pk.EdgeTables(pairs, [[3.0, 0.0], [0.5, 3.0]]),
}


@pytest.mark.parametrize("kind", PAIRS)
def test_a_group_of_pairs_gets_its_sides_from_its_colours(kind):
    """On a chain a message crosses two pairs in a sweep of Alternating: 6 sweeps do what 12 of flooding do, not 10."""
    odds = np.full(12, -6.0 if kind == "Edges" else 0.0)  # the weights of Edges favour ones: neutral against that
    odds[[0, -1]] /= 2.0
    odds[0] += 2.0
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(12)), [PAIRS[kind](CHAIN)], {"x": odds})

    def beliefs(schedule, sweeps):
        sampler = pk.PerturbAndMAP(pk.MaxProduct(0.0, "neutral", False, 0.0, schedule=schedule), pk.Gumbel(0.0))
        seen = pk.trace(KEY, graph, sampler, num_sweeps=sweeps, every=sweeps, observe=pk.observe.beliefs)
        return seen.values["x"][-1]

    np.testing.assert_allclose(beliefs(pk.Alternating(), 6), beliefs(pk.Flooding(), 12), atol=1e-5)
    assert np.abs(beliefs(pk.Flooding(), 10) - beliefs(pk.Flooding(), 12)).max() > 1e-3


@pytest.mark.parametrize("schedule", [pk.Alternating(), pk.RandomMask(KEY, 0.3)], ids=["alternating", "random mask"])
def test_schedules_share_the_fixed_points_of_flooding(schedule):
    graph = tree(2, 3).graph
    solved = pk.solve(graph, pk.MaxProduct(tolerance=1e-5, schedule=schedule), num_sweeps=500)
    assert solved.converged
    assert solved.score == pytest.approx(pk.solve(graph, pk.TreePass()).score, rel=1e-5)


@pytest.mark.slow
def test_a_random_mask_renews_its_share_of_the_messages():
    schedule, graph = pk.RandomMask(KEY, 0.25), dense(0, size=40).graph()
    unaries = graph.planes()[..., None] * jnp.ones(3)
    messages = pk.NeutralStart().messages(graph, (3,))
    before = None
    solver, flooding = (pk.MaxProduct(0.0, schedule=order) for order in (schedule, pk.Flooding()))
    for number in range(3):
        state = solver.init(graph, unaries)._replace(sweeps=jnp.full(3, number))
        new, flooded = (one.sweep(graph, unaries, state).messages for one in (solver, flooding))
        moved = np.asarray(jnp.abs(new[0][0][0] - messages[0][0][0]) > 0)
        could = np.asarray(jnp.abs(flooded[0][0][0] - messages[0][0][0]) > 0)
        assert 0.15 < moved.sum() / could.sum() < 0.35
        np.testing.assert_array_equal(moved[..., 0] & could[..., 1], moved[..., 1] & could[..., 0])
        assert before is None or (before != moved).any()
        before = moved


@pytest.mark.slow
def test_random_orders_keep_ties_between_exchangeable_states_and_random_starts_break_them():
    """As docs/faq.md says of the colours of a map."""
    variables = pk.Variables(colour=pk.Categorical(5, states=3))
    borders = np.stack(np.triu_indices(5, 1), 1)[:7]
    graph = pk.FactorGraph(variables, [pk.Potts(borders, -1.0, states=3)])
    order, start = pk.MaxProduct(schedule=pk.RandomMask(KEY)), pk.MaxProduct(start=pk.RandomStart(KEY))
    tied, broken = (pk.solve(graph, solver, num_sweeps=50) for solver in (order, start))
    assert (tied.states["colour"] == 0).all()
    assert broken.score > tied.score
