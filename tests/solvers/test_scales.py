"""Scores from 1e-3 to 1e6 nats mixed in one model: exact solvers are exact, bounds are bounds, evidence is kept."""

import jax
import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scale_models import Case, check_answer
from symmetric import symmetric

import pmp_kit as pk
from pmp_kit.solvers.host import rounded_up
from pmp_kit.solvers.max_product import message_limit

SEEDS = st.integers(0, 2**32 - 1)
few = settings(max_examples=20, deadline=None, derandomize=True, database=None, phases=[Phase.generate])
LEVELS, FORBIDDEN = st.sampled_from(["binary", "ternary", "mixed"]), st.sampled_from([0.0, 0.1, 0.4])
WIRING = st.sampled_from(["tree", "loops"])
BOUNDING = {
    "linear program": pk.LinearProgram(),
    "MPLP": pk.MPLP(),
    "portfolio": pk.Portfolio(pk.MPLP(), pk.LinearProgram()),
}


@pytest.mark.slow
@few
@given(LEVELS, SEEDS, FORBIDDEN)
def test_trees(levels, seed, forbidden):
    check_answer(Case("tree", levels, seed, forbidden=forbidden), pk.TreePass(), exact=True)


@few
@given(SEEDS)
def test_cuts(seed):
    check_answer(Case("loops", "binary", seed, attractive=True), pk.MaxFlow(), exact=True)


@pytest.mark.slow
@few
@given(LEVELS, SEEDS, FORBIDDEN, WIRING)
def test_exhaustive_search(levels, seed, forbidden, wiring):
    check_answer(Case(wiring, levels, seed, forbidden=forbidden), pk.Exhaustive(), exact=True)


@pytest.mark.slow
@few
@given(LEVELS, SEEDS, FORBIDDEN, WIRING)
@pytest.mark.parametrize("name", BOUNDING)
def test_bounds(name, levels, seed, forbidden, wiring):
    check_answer(Case(wiring, levels, seed, forbidden=forbidden), BOUNDING[name], exact=False)


def test_a_small_weight_beside_a_large_one_counts():
    """Weights of 1e-6 and 1e4: the capacity of the small one was rounded to zero, and evidence came back changed."""
    model = pk.FactorGraph(
        pk.Variables(x=pk.Binary(4)), [pk.Edges([[0, 1], [2, 3]], [1e-6, 1e4])], {"x": np.array([5.0, 5.0, 1.0, -1.0])}
    )
    solved = pk.solve(model, pk.MaxFlow())
    assert solved.states["x"].tolist() == [1, 1, 1, 1]
    assert solved.score == solved.bound == pytest.approx(10010)
    for state in (0, 1):
        known = pk.solve(model, pk.MaxFlow(), evidence={"x": np.array([state, pk.FREE, pk.FREE, pk.FREE])})
        assert known.states["x"].tolist() == [state, 1, 1, 1]


def test_bounds_are_never_rounded_down():
    numbers = np.random.default_rng(0).normal(size=1000) * 10.0 ** np.arange(-500, 500)[:, None].clip(-30, 30)[:, 0]
    rounded = rounded_up(numbers, np.dtype(np.float32))
    assert rounded.dtype == np.float32
    assert (rounded >= numbers).all()
    assert (rounded <= np.nextafter(numbers.astype(np.float32), np.float32(np.inf))).all()
    assert rounded_up(np.array([np.inf, -np.inf]), np.dtype(np.float32)).tolist() == [np.inf, -np.inf]


def test_the_dual_value_of_many_large_scores_bounds_the_best():
    """Sums of thousands of terms near 1e6 in the default precision, on a lattice that a cut solves exactly."""
    rng = np.random.default_rng(0)
    pairs = pk.lattice_pairs(np.arange(1600).reshape(40, 40))
    weight, unaries = rng.uniform(0, 1e6, len(pairs)), rng.uniform(-2e6, 1e6, 1600)
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(1600)), [pk.Edges(pairs, weight)], {"x": unaries})
    best, relaxed = pk.solve(model, pk.MaxFlow()), pk.solve(model, pk.MPLP(), num_sweeps=20)
    eps = np.finfo(best.score.dtype).eps
    assert relaxed.bound >= best.score - 8 * eps * (weight.sum() + np.abs(unaries).sum())


@pytest.mark.parametrize("solver", [pk.MaxProduct(), pk.SumProduct()], ids=["max", "sum"])
@pytest.mark.parametrize("kind", ["Edges", "DensePairwise", "Bipartite"])
def test_an_observed_variable_is_heard_through_a_small_weight_beside_a_penalty(kind, solver):
    """x0 = 1 is observed, -1e9 forbids x1, and 0.5 decides x2; its message was lost to rounding."""
    weight = np.zeros((3, 3), np.float32)
    weight[0, 1], weight[0, 2] = -1e9, 0.5
    factor = {
        "Edges": lambda: pk.Edges([[0, 1], [0, 2]], weight[0, 1:]),
        "DensePairwise": lambda: pk.DensePairwise([0, 1, 2], symmetric(weight)),
        "Bipartite": lambda: pk.Bipartite([0], [1, 2], weight[:1, 1:]),
    }[kind]()
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [factor], {"x": np.array([0.0, 0.25, -0.25])})
    known = {"x": np.array([1, pk.FREE, pk.FREE])}
    solved = pk.solve(model, solver, evidence=known)
    assert solved.states["x"].tolist() == [1, 0, 1]
    if solved.marginals is not None:
        exact = pk.exact.marginals(model, evidence=known)["x"]
        np.testing.assert_allclose(solved.marginals["x"], exact, atol=1e-6)


@pytest.mark.parametrize("temperature", [1.0, 20.0])
@pytest.mark.parametrize("scale", [0.0, 0.01])
def test_marginals_of_constraints_are_exact_also_for_scores_far_below_the_temperature(scale, temperature):
    """Messages of sum-product contain T log(number of configurations), which a limit for max-product cut to 0."""
    variables = pk.Variables(p=pk.Binary(6), c=pk.Binary(1), g=pk.Binary(3))
    p, c, g = (variables[name] for name in "pcg")
    factors = [pk.Or(p, c), pk.ExactlyOne(np.concatenate([c, g])[None])]
    normal = np.random.default_rng(0).normal(size=(10, 2), scale=scale)
    model = pk.FactorGraph(variables, factors, normal)
    colder = pk.FactorGraph(variables, factors, normal / temperature)
    solved = pk.solve(model, pk.SumProduct(temperature))
    assert solved.sweeps < 100
    for name, exact in pk.exact.marginals(colder).items():
        np.testing.assert_allclose(solved.marginals[name], exact, atol=1e-4)


def test_tables_that_are_modular_up_to_rounding_are_attractive():
    """The weight of a(x) + b(y) is 0, and its rounding error may be negative."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        first, second = rng.normal(size=(2, 2)).astype(np.float32)
        table = first[:, None] + second
        model = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.EdgeTables([[0, 1]], table)])
        assert pk.solve(model, pk.MaxFlow()).score == pytest.approx(table.max(), abs=1e-5)
    with pytest.raises(ValueError, match="expected an attractive model"):
        pk.solve(pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.Edges([[0, 1]], [-1e-8])]), pk.MaxFlow())


def test_forced_variables_do_not_lift_the_limit_of_finite_messages():
    """Their first messages are infinite."""
    forced = pk.ExactlyK([[0, 1]], 0)
    model = pk.FactorGraph(pk.Variables(x=pk.Binary(5)), [forced, pk.ExactlyOne([[2, 3, 4]])])
    unaries = model.planes()[..., None]
    messages = pk.RandomStart(jax.random.key(0)).messages(model, (1,))
    assert np.isfinite(message_limit(model, unaries, messages)).all()


@pytest.mark.parametrize(
    "solver",
    [
        pk.MaxProduct(),
        pk.Exhaustive(),
        pk.MPLP(),
        pk.Portfolio(pk.MaxProduct(damping=0.999), pk.MaxProduct()),
    ],
    ids=lambda solver: type(solver).__name__,
)
def test_a_large_unary_hides_no_small_difference(solver):
    """The last variable is in its best state. Its 1e9 nats rounded all scores alike, so the first states stayed."""
    n = 16
    unaries = np.full(n, -0.25)
    unaries[[0, -1]] = -0.375, -0.125
    pairs = pk.Edges(np.stack([np.arange(n - 1), np.arange(1, n)], 1), 0.25)
    for large in (1.0, 1e9, -1e9):
        model = pk.FactorGraph(pk.Variables(x=pk.Binary(n), z=pk.Binary(1)), [pairs], {"x": unaries, "z": [large]})
        found = pk.solve(model, solver, num_sweeps=200).states
        assert found["x"].sum() == 0
        assert found["z"] == [large > 0]
