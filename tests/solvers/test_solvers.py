"""Solvers as a user meets them: schedules, starts, portfolios, polish, and every solver inside perturb-and-MAP."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from pair_models import attractive, dense, frustrated, glass, mixed, some_evidence, tree

import pmp_kit as pk
from pmp_kit import loops

KEY = jax.random.key(0)
SOLVERS = {
    "random mask": pk.MaxProduct(schedule=pk.RandomMask(KEY)),
    "alternating": pk.MaxProduct(schedule=pk.Alternating()),
    "random start": pk.MaxProduct(start=pk.RandomStart(KEY)),
    "coordinate ascent": pk.CoordinateAscent(),
    "portfolio": pk.Portfolio(pk.MaxProduct(start="zero"), pk.MaxProduct(start=pk.NeutralStart(2.0))),
    "polished": pk.Polished(pk.MaxProduct()),
    "MPLP": pk.MPLP(),
    "MPLP, shuffled": pk.MPLP(key=KEY),
    "parallel MPLP": pk.ParallelMPLP(),
    "linear program": pk.LinearProgram(),
    "sum-product": pk.SumProduct(),
}


def small_rbm(seed=0, visible=8, hidden=6, scale=1.0):
    rng = np.random.default_rng(seed)
    weight = rng.normal(size=(visible, hidden), scale=scale)
    return pk.RBM(weight, -weight.sum(1) / 2, -weight.sum(0) / 2)


@pytest.mark.parametrize("name", SOLVERS)
def test_samples_do_not_depend_on_the_chunk(name):
    """Random schedules, starts and orders are the same for all copies."""
    sampler = pk.PerturbAndMAP(SOLVERS[name])
    model = pk.ising_lattice(4, 0.4) if name == "alternating" else dense(0, size=6)
    samples = [pk.sample(KEY, model, sampler, num_samples=12, num_sweeps=30, chunk=chunk)["x"] for chunk in (12, 1, 5)]
    np.testing.assert_array_equal(samples[0], samples[1])
    np.testing.assert_array_equal(samples[0], samples[2])
    assert len(np.unique(samples[0], axis=0)) > 1


@pytest.mark.parametrize("name", SOLVERS)
def test_answers_keep_the_evidence_and_report_their_own_score(name):
    graph = mixed(0).graph
    evidence = some_evidence(graph.variables, 10)
    solved = pk.solve(graph, SOLVERS[name], num_sweeps=40, evidence=evidence)
    scores = np.asarray(pk.exact.log_weights(graph))
    np.testing.assert_allclose(
        solved.score, scores[pk.exact.index_of(graph.variables, solved.states)], rtol=1e-4, atol=1e-4
    )
    for block, x in evidence.items():
        np.testing.assert_array_equal(solved.states[block][x != pk.FREE], x[x != pk.FREE])
    assert solved.bound is None or (solved.bound >= solved.score - 1e-4).all()


@pytest.mark.parametrize(
    ("model", "solver"),
    [
        (tree(0, 2).graph, pk.TreePass()),
        (tree(0, 3).graph, pk.TreePass()),
        (tree(0, 2).graph, pk.LinearProgram()),
        (attractive(0), pk.MaxFlow()),
        (attractive(0), pk.LinearProgram()),
    ],
    ids=["tree", "tree of three states", "linear program, tree", "max-flow", "linear program, attractive"],
)
def test_exact_solvers_draw_exact_perturb_and_map_samples(model, solver):
    """The same noise, so the very samples of perturb-and-MAP by enumeration, with evidence that differs."""
    variables = model.graph().variables
    evidence = some_evidence(variables, 40)
    draws = [
        pk.sample(KEY, model, pk.PerturbAndMAP(s), num_samples=40, num_sweeps=1, evidence=evidence)["x"]
        for s in (pk.Exhaustive(), solver)
    ]
    np.testing.assert_array_equal(*draws)


@pytest.mark.parametrize("solver", [pk.MPLP(), pk.LinearProgram(), pk.MaxFlow()], ids=["MPLP", "LP", "max-flow"])
def test_models_learn_with_any_solver_inside(solver):
    """Perturb-and-LP and its like inside `fit`: the mean of one variable is learned."""
    import optax

    data = {"x": np.array([[1, 0, 1], [1, 0, 0], [1, 1, 0], [1, 0, 1]])}
    result = pk.fit(
        KEY, pk.Ising(np.ones((3, 3)), np.zeros(3)), data, pk.PerturbAndMAP(solver),
        optimizer=optax.adam(0.05), steps=4, batch_size=4, num_sweeps=20,
    )  # fmt: skip
    bias = np.asarray(result.model.bias)
    assert np.isfinite(bias).all()
    assert bias[0] > 0 > bias[1]


def test_alternating_needs_fewer_sweeps_on_an_rbm():
    """Both sides of an RBM in turn: the score of flooding after half the sweeps."""
    models = [small_rbm(seed, 40, 30) for seed in range(5)]

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


@pytest.mark.parametrize("graph", [pk.ising_lattice(3, 0.3), small_rbm(0, 4, 3).graph()], ids=["edges", "bipartite"])
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


def test_a_random_mask_renews_its_share_of_the_messages():
    schedule, graph = pk.RandomMask(KEY, 0.25), dense(0, size=40).graph()
    unaries = graph.planes()[..., None] * jnp.ones(3)
    messages = pk.NeutralStart().messages(graph, (3,))
    before = None
    for number in range(3):
        new = schedule.sweep(graph, unaries, messages, 0.0, jnp.zeros(3), jnp.int32(number))
        flooded = pk.Flooding().sweep(graph, unaries, messages, 0.0, jnp.zeros(3), jnp.int32(number))
        moved = np.asarray(jnp.abs(new[0][0][0] - messages[0][0][0]) > 0)
        could = np.asarray(jnp.abs(flooded[0][0][0] - messages[0][0][0]) > 0)
        assert 0.15 < moved.sum() / could.sum() < 0.35
        np.testing.assert_array_equal(moved[..., 0] & could[..., 1], moved[..., 1] & could[..., 0])
        assert before is None or (before != moved).any()
        before = moved


def test_a_portfolio_is_as_good_as_its_best():
    solvers = [pk.MaxProduct(start=s) for s in ("zero", "neutral", pk.NeutralStart(2.0), pk.RandomStart(KEY, 3.0))]
    solvers.insert(0, pk.MPLP())
    model = glass(0)
    evidence = {"x": np.where(np.random.default_rng(0).random((30, 12)) < 0.1, 1, pk.FREE)}
    alone = [pk.solve(model, s, num_sweeps=50, evidence=evidence) for s in solvers]
    together = pk.solve(model, pk.Portfolio(*solvers), num_sweeps=50, evidence=evidence)
    scores = np.stack([answer.score for answer in alone])
    np.testing.assert_allclose(together.score, scores.max(0), rtol=1e-6)
    np.testing.assert_allclose(together.bound, alone[0].bound, rtol=1e-6)
    assert (scores.argmax(0) > 0).any()


CERTIFYING = {
    "tree pass": pk.Portfolio(pk.MaxProduct(tolerance=0.0), pk.TreePass()),
    "linear program": pk.Portfolio(pk.MaxProduct(tolerance=0.0), pk.LinearProgram()),
    "MPLP": pk.Portfolio(pk.MaxProduct(tolerance=0.0), pk.MPLP(tolerance=0.0)),
    "polished": pk.Portfolio(pk.Polished(pk.MaxProduct(tolerance=0.0)), pk.Portfolio(pk.MPLP(tolerance=0.0))),
}


@pytest.mark.parametrize("name", CERTIFYING)
def test_a_portfolio_whose_bound_equals_its_score_stops_and_is_converged(name):
    """None of its solvers would ever stop by itself; on a tree the relaxation is tight."""
    graph = tree(1, 3).graph
    solved = pk.solve(graph, CERTIFYING[name], num_sweeps=2000)
    assert solved.converged
    assert solved.sweeps < 2000
    size = np.abs(graph.unaries).sum() + np.abs(graph.factors[0].table).sum()
    assert solved.score <= solved.bound <= solved.score + 8 * np.finfo(np.float32).eps * size
    assert solved.states["x"].tolist() == pk.exact.map_state(graph)["x"].tolist()


def test_a_portfolio_with_a_loose_bound_is_not_certified():
    solved = pk.solve(frustrated(), CERTIFYING["linear program"], num_sweeps=50)
    assert solved.bound > solved.score + 1.0
    assert solved.sweeps == 50
    assert not solved.converged


@pytest.mark.parametrize("name", ["linear program", "MPLP"])
def test_a_certified_sample_rests_while_others_go_on(name):
    """So that samples, and the sweeps that they used, do not depend on the chunk."""
    model, sampler = dense(3, size=6), pk.PerturbAndMAP(CERTIFYING[name])
    drawn = [pk.sample(KEY, model, sampler, num_samples=12, num_sweeps=60, chunk=chunk) for chunk in (12, 1, 5)]
    for other in drawn[1:]:
        np.testing.assert_array_equal(drawn[0]["x"], other["x"])
        np.testing.assert_array_equal(drawn[0].sweeps, other.sweeps)
    assert drawn[0].sweeps.min() < 60


@pytest.mark.parametrize(
    "model", [dense(1, size=12, scale=4.0), small_rbm(), mixed(1, 3.0).graph], ids=["dense", "rbm", "mixed"]
)
def test_polish_never_lowers_the_score_and_leaves_no_better_flip(model):
    variables = model.graph().variables
    evidence = some_evidence(variables, 20)
    rough = pk.MaxProduct(keep_best=False, tolerance=0.0)
    before, after = (pk.solve(model, s, num_sweeps=2, evidence=evidence) for s in (rough, pk.Polished(rough)))
    assert (after.score >= before.score - 1e-4).all()
    assert (after.score > before.score + 1e-2).any()
    scores = np.asarray(pk.exact.log_weights(model))
    flat, known = variables.flatten(after.states), variables.flatten(evidence)
    for i, size in enumerate(variables.cardinalities):
        for state in range(size):
            flipped = np.where((np.arange(variables.count) == i) & (known == pk.FREE), state, flat)
            other = scores[pk.exact.index_of(variables, variables.unflatten(flipped))]
            assert (other <= after.score + 1e-3).all()


def test_coordinate_ascent_is_fast_and_poor():
    """It stops within a few sweeps, at states that max-product improves on (Appendix B.4)."""
    model = glass(0, 14)
    drawn = pk.sample(KEY, model, pk.PerturbAndMAP(pk.CoordinateAscent()), num_samples=50, num_sweeps=100)
    assert (drawn.sweeps < 15).all()
    ascent, product = (
        pk.trace(
            KEY, model, pk.PerturbAndMAP(solver), num_sweeps=100, every=100, num_samples=50,
            observe=pk.observe.perturbed_score,
        ).values[-1].mean()
        for solver in (pk.CoordinateAscent(), pk.MaxProduct())
    )  # fmt: skip
    assert product > ascent + 1.0


def test_marginals_come_by_block_and_state():
    graph = mixed(0).graph
    evidence = some_evidence(graph.variables, 4)
    for solver in (pk.SumProduct(), pk.LinearProgram()):
        one, many = pk.solve(graph, solver), pk.solve(graph, solver, evidence=evidence)
        assert {k: v.shape for k, v in one.marginals.items()} == {"x": (3, 3), "y": (3, 2)}
        assert {k: v.shape for k, v in many.marginals.items()} == {"x": (4, 3, 3), "y": (4, 3, 2)}
        np.testing.assert_allclose(many.marginals["x"][0], one.marginals["x"], atol=1e-5)
        for marginal in many.marginals.values():
            np.testing.assert_allclose(marginal.sum(-1), 1.0, atol=1e-5)


def test_blocks_of_two_dimensions_keep_their_marginals_in_place():
    unaries = np.arange(6.0).reshape(2, 3)
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(2, 3)), unaries={"x": unaries})
    marginals = pk.solve(graph, pk.SumProduct()).marginals["x"]
    np.testing.assert_allclose(marginals[..., 1], 1 / (1 + np.exp(-unaries)), rtol=1e-5)


def test_no_number_of_a_solver_compiles_again():
    before = None
    for number in range(1, 4):
        key = jax.random.key(number)
        for solver in (
            pk.MaxProduct(schedule=pk.RandomMask(key, number / 10), start=pk.RandomStart(key, number)),
            pk.SumProduct(temperature=number, damping=number / 10, tolerance=number * 1e-3),
            pk.MPLP(tolerance=number * 1e-3, keep_best=number % 2 == 0, key=key),
            pk.LinearProgram(),
        ):
            pk.solve(dense(number), solver, num_sweeps=5 * number)
        size = loops.solve._cache_size()
        before = before or size
        assert size == before


def test_large_callbacks_do_not_hang():
    """Many copies of a lattice cross to the host and back."""
    graph = pk.ising_lattice(24, coupling=0.3)
    x = pk.sample(KEY, graph, pk.PerturbAndMAP(pk.MaxFlow()), num_samples=40, num_sweeps=1)["x"]
    best = pk.trace(KEY, graph, pk.PMP(), num_sweeps=200, every=200, num_samples=40, observe=pk.observe.perturbed_score)
    flow = pk.trace(
        KEY, graph, pk.PerturbAndMAP(pk.MaxFlow()), num_sweeps=0, num_samples=40, observe=pk.observe.perturbed_score
    )
    assert x.shape == (40, 24, 24)
    assert (flow.values[-1] >= best.values[-1] - 1e-2).all()
