"""Random models, numbers and evidence get a clear error if they are invalid and a correct answer otherwise."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import pmp_kit as pk
from trust.attempts import asked, attempt

SEEDS = st.integers(0, 2**32 - 1)
many = settings(
    max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)


def edge_score(x, pairs, weight, bias):
    """Scores of states (N, n) in float64."""
    pairs = np.asarray(pairs, int).reshape(-1, 2)
    return (x[:, pairs[:, 0]] * x[:, pairs[:, 1]]) @ np.asarray(weight, float) + x @ np.asarray(bias, float)


def every_state(n: int):
    return np.indices((2,) * n).reshape(n, -1).T


def without_loops(pairs, n: int) -> bool:
    """Whether a graph is a forest. Two edges between the same variables are a loop."""
    joined = coo_array((np.ones(len(pairs)), pairs.T), (n, n))
    return len(pairs) + connected_components(joined, directed=False)[0] == n


def answered_like(pairs, weight, bias):
    """Return a check of (solution, samples): states are valid, and the score is that of the solution's states.

    On a graph without loops it is also the best score.
    """

    def right(answer):
        solution, samples = answer
        x, largest = samples["x"], 1.0 + np.abs(weight).sum() + np.abs(bias).sum()
        assert np.isin(x, (0, 1)).all()
        best = edge_score(every_state(len(bias)), pairs, weight, bias).max()
        ours = edge_score(solution.states["x"][None], pairs, weight, bias)[0]
        assert abs(float(solution.score) - ours) <= 8 * np.finfo(np.float32).eps * largest
        if without_loops(pairs[weight != 0.0], len(bias)):
            assert ours >= best - 8 * np.finfo(np.float32).eps * largest

    return right


@many
@given(SEEDS)
def test_graphs_of_any_shape(seed):
    """Test graphs that are empty or disconnected, or have double edges, self-loops or ids of missing variables."""
    draw = np.random.default_rng(seed)
    n, edges = draw.integers(0, 8), draw.integers(0, 12)
    pairs = draw.integers(0, max(n, 1) + (draw.random() < 0.1), (edges, 2))
    if draw.random() < 0.6:  # remove self-loops, because otherwise nearly all cases must be refused
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    weight, bias = draw.normal(size=len(pairs)), draw.normal(size=n)
    must_refuse = n == 0 or (pairs >= n).any() or (pairs[:, 0] == pairs[:, 1]).any()

    def call():
        return asked(pk.FactorGraph(pk.Variables(x=pk.Binary(int(n))), [pk.Edges(pairs, weight)], {"x": bias}))

    attempt(call, answered_like(pairs, weight, bias), bool(must_refuse))


@many
@given(SEEDS)
def test_evidence_of_any_kind(seed):
    """Test evidence that is free, partial, in conflict with a hard factor, or of a wrong shape, type or range."""
    draw = np.random.default_rng(seed)
    graph = pk.FactorGraph(
        pk.Variables(x=pk.Binary(5)), [pk.ExactlyOne(np.arange(5)[None])], {"x": draw.normal(size=5)}
    )
    evidence = draw.choice([pk.FREE, 0, 1], draw.choice([5, 5, 5, 5, 4, 6]))
    if draw.random() < 0.1:
        evidence[0] = draw.choice([2, -2, 100])
    given_as = draw.choice(["int", "float", "half", "text", "bool"], p=[0.6, 0.1, 0.1, 0.1, 0.1])
    values = {
        "int": evidence,
        "float": evidence * 1.0,
        "half": evidence + 0.5,
        "text": evidence.astype(str),
        "bool": evidence > 0,
    }[given_as]
    of_no_kind = given_as in ("half", "text")
    known = evidence if of_no_kind else values.astype(int)
    must_refuse = of_no_kind or known.shape != (5,) or not np.isin(known, (pk.FREE, 0, 1)).all()

    def right(solution):
        x = solution.states["x"]
        assert (x[known >= 0] == known[known >= 0]).all()
        possible = (known == 1).sum() <= 1 <= (known != 0).sum()
        assert np.isneginf(solution.score) == (not possible)
        assert not possible or x.sum() == 1

    call = lambda: pk.solve(graph, num_sweeps=50, evidence={"x": values})  # noqa: E731
    attempt(call, right, bool(must_refuse))
