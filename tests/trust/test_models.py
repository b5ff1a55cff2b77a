"""Models, numbers and evidence of any kind: a clear error or a right answer."""

import jax
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pmp_kit as pk
from trust.tally import attempt

KEY = jax.random.key(0)
SEEDS = st.integers(0, 2**32 - 1)
many = settings(
    max_examples=150, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
WEIGHTS = [0.0, 1e-38, -1e-20, 1e-6, 0.5, -1.0, 3.0, 1e3, -1e6, 1e6]
BROKEN = [np.nan, np.inf, -np.inf]
ODD = [
    None,
    "1",
    b"1",
    1j,
    [],
    [[]],
    [1, [2]],
    {},
    object(),
    np.array("x"),
    True,
    -1,
    0,
    2.5,
    np.nan,
    np.inf,
    np.int8(3),
    [1, 2],
]
"""What somebody might pass for a number or an array."""


def edge_score(x, pairs, weight, bias):
    """Scores of states (N, n) in float64."""
    pairs = np.asarray(pairs, int).reshape(-1, 2)
    return (x[:, pairs[:, 0]] * x[:, pairs[:, 1]]) @ np.asarray(weight, float) + x @ np.asarray(bias, float)


def every_state(n: int):
    return np.indices((2,) * n).reshape(n, -1).T if n else np.zeros((1, 0), int)


def answered_like(pairs, weight, bias):
    """A check of (solution, samples): states are states, the score is theirs, and none beats the best there is."""

    def right(answer):
        solution, samples = answer
        x, largest = samples["x"], 1.0 + np.abs(weight).sum() + np.abs(bias).sum()
        assert np.isin(x, (0, 1)).all()
        best = edge_score(every_state(len(bias)), pairs, weight, bias).max()
        ours = edge_score(solution.states["x"][None], pairs, weight, bias)[0]
        assert abs(float(solution.score) - ours) <= 1e-5 * largest
        assert ours <= best + 1e-9 * largest

    return right


def run(model, **options):
    solution = pk.solve(model, num_sweeps=20)
    return solution, pk.sample(KEY, model, num_samples=3, num_sweeps=10, **options)


@many
@given(SEEDS)
def test_graphs_of_any_shape(seed):
    """Empty, disconnected, with double edges and self-loops."""
    draw = np.random.default_rng(seed)
    n, edges = draw.integers(0, 8), draw.integers(0, 12)
    pairs = draw.integers(0, max(n, 1) + (draw.random() < 0.1), (edges, 2))
    if draw.random() < 0.6:  # without self-loops, or nearly all cases are refused
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    weight, bias = draw.normal(size=len(pairs)), draw.normal(size=n)

    def call():
        graph = pk.FactorGraph(pk.Variables(x=pk.Binary(int(n))), [pk.Edges(pairs, weight)], {"x": bias})
        return run(graph)

    attempt("graphs_of_any_shape", call, answered_like(pairs, weight, bias))


@many
@given(SEEDS)
def test_weights_of_any_size(seed):
    """From 1e-38 to 1e6, and with nan and infinities, which are refused."""
    draw = np.random.default_rng(seed)
    n = 5
    weight = np.triu(draw.choice(WEIGHTS, (n, n)), 1)
    bias = draw.choice(WEIGHTS, n)
    if draw.random() < 0.3:
        weight[0, draw.integers(1, n)] = draw.choice(BROKEN)
    if draw.random() < 0.2:
        bias[draw.integers(n)] = draw.choice(BROKEN[:2])
    pairs = np.argwhere(np.triu(np.ones((n, n)), 1))

    def call():
        return run(pk.Ising(weight + weight.T, bias))

    def right(answer):
        assert np.isfinite(weight).all()
        assert np.isfinite(bias).all()
        answered_like(pairs, weight[tuple(pairs.T)], bias)(answer)

    attempt("weights_of_any_size", call, right)


ISING = pk.Ising(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, -2.0], [0.0, -2.0, 0.0]]), np.array([0.5, 0.0, -0.5]))
NUMBERS = ["num_samples", "num_sweeps", "chunk", "key", "evidence", "previous"]


@many
@given(st.sampled_from(NUMBERS), st.sampled_from(range(len(ODD))))
def test_arguments_of_sample(name, place):
    def call():
        options = {"key": KEY, "num_samples": 2, "num_sweeps": 3} | {name: ODD[place]}
        return pk.sample(options.pop("key"), ISING, **options)

    def right(samples):
        assert np.isin(samples["x"], (0, 1)).all()

    attempt("arguments_of_sample", call, right)


@many
@given(
    st.sampled_from(["damping", "start", "keep_best", "tolerance", "patience", "schedule"]),
    st.sampled_from(range(len(ODD))),
)
def test_arguments_of_max_product(name, place):
    def call():
        return pk.solve(ISING, pk.MaxProduct(**{name: ODD[place]}), num_sweeps=5)

    def right(solution):
        assert np.isin(solution.states["x"], (0, 1)).all()
        assert np.isfinite(solution.score)

    attempt("arguments_of_max_product", call, right)


@many
@given(st.sampled_from(["weight", "bias", "shape"]), st.sampled_from(range(len(ODD))))
def test_arguments_of_ising(name, place):
    def call():
        return run(pk.Ising(**{"weight": np.zeros((3, 3)), "bias": np.zeros(3)} | {name: ODD[place]}))

    def right(answer):
        assert np.isin(answer[1]["x"], (0, 1)).all()

    attempt("arguments_of_ising", call, right)


@many
@given(SEEDS)
def test_evidence_of_any_kind(seed):
    """Free, partial, contradicting a hard factor, of the wrong shape, kind or range."""
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
    known = evidence if given_as == "text" else np.asarray(values, float)

    def call():
        return pk.solve(graph, num_sweeps=50, evidence={"x": values})

    def right(solution):
        x = solution.states["x"]
        assert given_as != "text"
        assert (x[known >= 0] == known[known >= 0]).all()
        possible = (known == 1).sum() <= 1 <= (known != 0).sum()
        assert np.isneginf(solution.score) or x.sum() == 1
        assert possible or np.isneginf(solution.score)

    attempt("evidence_of_any_kind", call, right)


@many
@given(SEEDS)
def test_samples_do_not_depend_on_chunks(seed):
    draw = np.random.default_rng(seed)
    chunk, sampler = int(draw.integers(1, 12)), [pk.PMP(), pk.Gibbs(), pk.GibbsWithGradients()][draw.integers(3)]
    key = jax.random.key(seed)

    def call():
        return [pk.sample(key, ISING, sampler, num_samples=9, num_sweeps=4, chunk=c)["x"] for c in (None, chunk)]

    attempt("samples_do_not_depend_on_chunks", call, lambda both: np.testing.assert_array_equal(*both))


def test_samples_do_not_depend_on_jit():
    for seed in range(3):
        key = jax.random.key(seed)
        compiled = pk.sample(key, ISING, num_samples=2, num_sweeps=6)["x"]

        def call(key=key):
            with jax.disable_jit():
                return pk.sample(key, ISING, num_samples=2, num_sweeps=6)["x"]

        attempt(
            "samples_do_not_depend_on_jit",
            call,
            lambda x, compiled=compiled: np.testing.assert_array_equal(x, compiled),
        )


def refused_or_sampled(kind: str, make) -> None:
    """A model made from odd arguments: refused, or one that can be sampled and scored."""

    def right(answer):
        solution, samples = answer
        assert all(np.isin(block, np.arange(10)).all() for block in samples.values())
        assert not np.isnan(solution.score)

    attempt(kind, lambda: run(make()), right)


IDS = pk.Variables(x=pk.Binary(4), y=pk.Categorical(2, states=3))
FACTORS = {
    "Edges": {"pairs": [[0, 1]], "weight": 1.0},
    "EdgeTables": {"pairs": [[0, 1]], "table": np.eye(2)},
    "Potts": {"pairs": [[4, 5]], "weight": 1.0, "states": 3},
    "DensePairwise": {"at": [0, 1, 2], "weight": np.zeros((3, 3))},
    "Bipartite": {"rows": [0, 1], "columns": [2, 3], "weight": np.zeros((2, 2))},
    "ExactlyK": {"ids": [[0, 1, 2]], "k": 1},
    "AtMostK": {"ids": [[0, 1, 2]], "k": 1},
    "Parity": {"ids": [[0, 1, 2]], "odd": True},
    "Or": {"parents": [[0, 1]], "child": [2]},
    "And": {"parents": [[0, 1]], "child": [2]},
}


@many
@given(st.data(), st.sampled_from(sorted(FACTORS)), st.sampled_from(range(len(ODD))))
def test_arguments_of_factors(data, name, place):
    arguments = FACTORS[name]
    argument = data.draw(st.sampled_from(sorted(arguments)))
    odd = arguments | {argument: ODD[place]}
    refused_or_sampled("arguments_of_factors", lambda: pk.FactorGraph(IDS, [getattr(pk, name)(**odd)]))


@many
@given(st.sampled_from(["key", "visible", "hidden", "scale"]), st.sampled_from(range(len(ODD))))
def test_arguments_of_rbm(name, place):
    odd = {"key": KEY, "visible": 4, "hidden": 2, "scale": 0.1} | {name: ODD[place]}
    refused_or_sampled("arguments_of_rbm", lambda: pk.rbm(**odd))


FIT = (
    """model data sampler optimizer steps batch_size num_chains num_sweeps persistent positive l1 l2 resume callback"""
)


@many
@given(st.sampled_from(FIT.split()), st.sampled_from(range(len(ODD))))
def test_arguments_of_fit(name, place):
    def call():
        options = {"model": ISING, "data": {"x": np.eye(3, dtype=int)}, "steps": 2, "num_sweeps": 2} | {
            name: ODD[place]
        }
        return pk.fit(KEY, options.pop("model"), options.pop("data"), **options)

    def right(result):
        assert all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(result.model))

    attempt("arguments_of_fit", call, right)
