"""What the reports of faults at mixed scales of the scores said."""

import numpy as np
import pytest
from symmetric import symmetric

import pmp_kit as pk


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
