"""Measures: cavities, stratified noise, effective sample size, moment and parameter errors, the panel."""

import itertools
import sys

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit import measures
from pmp_kit.measures import mmd as metrics

KEY = jax.random.key(0)


def chain(n=6, states=2, seed=0):
    rng = np.random.default_rng(seed)
    variables = pk.Variables(x=pk.Categorical(n, states=states))
    pairs = np.stack([np.arange(n - 1), np.arange(1, n)], 1)
    factor = pk.EdgeTables(pairs, rng.normal(size=(n - 1, states, states)))
    return pk.FactorGraph(variables, [factor], rng.normal(size=(n, states), scale=0.5))


def dense(n=10, scale=0.3, seed=0):
    rng = np.random.default_rng(seed)
    weight = np.triu(rng.normal(size=(n, n), scale=scale), 1)
    return pk.Ising(weight + weight.T, rng.normal(size=n, scale=0.5))


def exact_samples(model, number, seed=0):
    p = np.asarray(pk.exact.probabilities(model), float)
    index = np.random.default_rng(seed).choice(p.size, number, p=p / p.sum())
    return {name: np.asarray(x)[index] for name, x in pk.exact.states(model.graph().variables).items()}


# Cavities


@pytest.mark.parametrize("states", [2, 3])
def test_cavities_and_decoded_states_have_the_same_mean_on_a_chain(states):
    model = chain(states=states)
    p = measures.cavity_marginals(KEY, model, num_samples=4000, num_sweeps=30)
    x = pk.sample(jax.random.key(1), model, pk.PerturbAndMAP(pk.Exhaustive()), num_samples=20_000, num_sweeps=0)["x"]
    assert p.values["x"].shape == (6, states)
    np.testing.assert_allclose(p.values["x"].sum(-1), 1.0, atol=1e-5)
    for c in range(states):
        np.testing.assert_allclose(p.values["x"][:, c], (x == c).mean(0), atol=0.02)


def variance_ratio(model, samples=50, runs=40):
    """Variance of estimated marginals over runs: decoded states against cavities; and the difference of their means."""
    decoded, cavity = [], []
    for seed in range(runs):
        key = jax.random.key(seed)
        decoded.append(pk.sample(key, model, pk.PMP(), num_samples=samples, num_sweeps=30)["x"].mean(0))
        cavity.append(measures.cavity_marginals(key, model, num_samples=samples, num_sweeps=30).values["x"][..., 1])
    gap = np.abs(np.mean(decoded, 0) - np.mean(cavity, 0)).max()
    return np.var(decoded, 0).sum() / np.var(cavity, 0).sum(), gap


def test_cavities_have_less_variance():
    """Measured: 20 times less on a chain, 25 times on a weakly coupled dense model; the same means."""
    on_chain, gap = variance_ratio(chain())
    assert on_chain > 8.0
    assert gap < 0.03
    on_dense, gap = variance_ratio(dense())
    assert on_dense > 10.0
    assert gap < 0.03


def test_cavities_of_independent_variables_are_exact_with_any_scale():
    """Each marginal is softmax(unaries / scale) in every sample: no spread at all."""
    bias = np.linspace(-2, 2, 5)
    model = pk.Ising(np.zeros((5, 5)), bias)
    for scale in (1.0, 2.0):
        p = measures.cavity_marginals(KEY, model, pk.PMP(noise=pk.Gumbel(scale)), num_samples=3, num_sweeps=2)
        np.testing.assert_allclose(p.values["x"][:, 1], 1 / (1 + np.exp(-bias / scale)), rtol=1e-5)
        np.testing.assert_allclose(p.errors["x"], 0.0, atol=1e-6)


def test_errors_of_cavities_are_their_spread():
    runs = [measures.cavity_marginals(jax.random.key(s), chain(), num_samples=50, num_sweeps=20) for s in range(40)]
    spread = np.std([run.values["x"][:, 1] for run in runs], 0)
    np.testing.assert_allclose(spread.mean(), np.mean([run.errors["x"][:, 1] for run in runs]), rtol=0.2)


def test_cavities_respect_evidence_and_auxiliary_variables():
    variables = pk.Variables(x=pk.Binary(2), copy=pk.Binary(1, auxiliary=True))
    graph = pk.FactorGraph(variables, [pk.Edges([[0, 2]], 20.0)], {"copy": [-10.0]})  # copy = x[0]
    p = measures.cavity_marginals(KEY, graph, num_samples=400, num_sweeps=20, evidence={"x": [pk.FREE, 1]})
    np.testing.assert_allclose(p.values["x"][1], [0.0, 1.0])
    x = pk.sample(KEY, graph, num_samples=400, num_sweeps=20, evidence={"x": [pk.FREE, 1]})
    assert p.values["copy"][0, 1] == pytest.approx(x["copy"].mean())
    assert p.errors["copy"][0, 1] == pytest.approx(x["copy"].std() / 20, rel=0.05)


# Stratified noise


@pytest.mark.parametrize("planes", [1, 3])
def test_stratified_noise_has_one_draw_in_each_stratum(planes):
    noise = np.asarray(pk.StratifiedGumbel().draw_together(KEY, (planes, 4, 50), np.float32))
    uniform = 1 / (1 + np.exp(-noise)) if planes == 1 else np.exp(-np.exp(-(noise + np.euler_gamma)))
    strata = np.sort(np.floor(uniform * 50 * (1 - 1e-6)), axis=-1)
    assert (np.abs(strata - np.arange(50)) <= 1).all()
    correlation = np.corrcoef(noise.reshape(-1, 50))
    assert np.abs(correlation - np.eye(len(correlation))).max() < 0.6  # variables are ordered independently


def test_stratified_samples_do_not_depend_on_the_chunk():
    model, sampler = dense(), pk.PMP(noise=pk.StratifiedGumbel())
    options = {"num_samples": 20, "num_sweeps": 10}
    whole, parts = (pk.sample(KEY, model, sampler, chunk=chunk, **options)["x"] for chunk in (20, 3))
    np.testing.assert_array_equal(whole, parts)


def test_stratified_samples_follow_the_same_distribution():
    model = chain()
    sampler = pk.PMP(noise=pk.StratifiedGumbel())
    x = pk.sample(KEY, model, sampler, num_samples=20_000, num_sweeps=20)["x"]
    y = pk.sample(KEY, model, pk.PMP(), num_samples=20_000, num_sweeps=20)["x"]
    np.testing.assert_allclose(x.T @ x / 20_000, y.T @ y / 20_000, atol=0.02)


def moment_spread(noise, runs=60):
    """Spread over runs of first and second moments of 100 samples of Section 5.1's model: the gradient's statistics."""
    model = pk.CompleteIsing(0.331)
    first, second = [], []
    for seed in range(runs):
        x = pk.sample(jax.random.key(seed), model, pk.PMP(noise=noise), num_samples=100, num_sweeps=20)["x"]
        first.append(x.mean(0))
        second.append((x.T @ x / 100)[np.triu_indices(4, 1)])
    return np.std(first, 0).mean(), np.std(second, 0).mean()


def test_stratified_noise_has_less_variance():
    """Measured: 45 % less spread, of means and of second moments."""
    plain, stratified = moment_spread(pk.Gumbel()), moment_spread(pk.StratifiedGumbel())
    assert stratified[0] < 0.75 * plain[0]
    assert stratified[1] < 0.75 * plain[1]


def test_stratified_noise_works_in_training():
    result = pk.fit(
        KEY, pk.Ising(np.zeros((10, 10)), np.zeros(10)), exact_samples(dense(), 500),
        pk.PMP(noise=pk.StratifiedGumbel()), steps=3, num_sweeps=5, batch_size=30,
    )  # fmt: skip
    assert np.isfinite(result.history["gap"]).all()


# Chains


def autoregressive(phi, draws, chains, seed=0):
    rng = np.random.default_rng(seed)
    x = np.zeros((draws, chains))
    x[0] = rng.normal(size=chains)
    for t in range(1, draws):
        x[t] = phi * x[t - 1] + np.sqrt(1 - phi**2) * rng.normal(size=chains)
    return x


@pytest.mark.parametrize("phi", [0.0, 0.5, 0.9, -0.4])
def test_effective_sample_size_of_an_autoregression(phi):
    """T (1 - phi) / (1 + phi) for AR(1), in closed form."""
    size = measures.effective_sample_size(autoregressive(phi, 20_000, 4))
    assert size == pytest.approx(80_000 * (1 - phi) / (1 + phi), rel=0.12)


def test_effective_sample_size_tells_the_spread_of_the_mean():
    """The definition: variance of the mean over many runs = variance / size. Here for Gibbs sampling of a model."""
    model = pk.CompleteIsing(0.4)
    values = pk.trace(KEY, model, pk.Gibbs(), num_sweeps=600, num_samples=200).values["x"][101:]  # (500, 200, 4)
    size = np.mean([measures.effective_sample_size(values[:, s : s + 1]) for s in range(0, 200, 5)], 0)
    truth = values.reshape(-1, 4).var(0) / values.mean(0).var(0)
    np.testing.assert_allclose(size, truth, rtol=0.2)  # about 100 of 500


def test_mcse_is_the_spread_of_means_over_runs():
    runs = np.stack([autoregressive(0.5, 2000, 4, seed) for seed in range(200)], -1)
    spread = runs.mean((0, 1)).std()
    np.testing.assert_allclose(measures.mcse(runs[..., :20]).mean(), spread, rtol=0.15)
    assert measures.mcse(runs[..., 0]) == pytest.approx(np.sqrt(3.0 / 8000), rel=0.25)  # (1 + phi) / (1 - phi) = 3


def test_r_hat_sees_chains_that_disagree_drift_or_spread_differently():
    mixed = autoregressive(0.5, 2000, 4)
    assert measures.r_hat(mixed) < 1.01
    assert measures.r_hat(mixed + np.arange(4)) > 1.2
    assert measures.r_hat(mixed + np.linspace(0, 3, 2000)[:, None]) > 1.2
    assert measures.r_hat(mixed * [1, 1, 1, 5]) > 1.05  # the same mean: only the folded ranks see it
    assert measures.effective_sample_size(mixed + np.arange(4)) < 40


def test_r_hat_of_states_is_that_of_their_ranks():
    """For states 0 and 1 ranks are an affine function: the plain split R-hat, by hand."""
    x = np.random.default_rng(0).integers(0, 2, (40, 2)) | (np.arange(2) == 1) & (np.arange(40) % 3 == 0)[:, None]
    halves = np.concatenate([x[:20], x[20:]], 1)
    inside = halves.var(0, ddof=1).mean()
    expected = np.sqrt((inside * 19 / 20 + halves.mean(0).var(ddof=1)) / inside)
    assert measures.r_hat(x) == pytest.approx(expected, rel=1e-6)


def test_shapes_of_chain_measures():
    values = np.stack([autoregressive(0.3, 100, 3, seed) for seed in range(4)], -1).reshape(100, 3, 2, 2)
    values[..., 1, 1] = 7.0  # never moves
    for measure in (measures.effective_sample_size, measures.r_hat, measures.mcse):
        got = measure(values)
        assert got.shape == (2, 2)
        assert np.isnan(got[1, 1])
        assert got[0, 1] == measure(values[..., 0, 1])


def test_without_arviz_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz_stats.base.array", None)
    with pytest.raises(ImportError, match=r'pip install "pmp_kit\[diagnostics\]"'):
        measures.r_hat(np.zeros((8, 2)))


# Errors


def test_moment_errors_by_hand():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 2, (30, 5)), rng.integers(0, 2, (40, 5))
    got = measures.moment_errors(x, y)
    assert got.first == pytest.approx(np.sqrt(np.mean((x.mean(0) - y.mean(0)) ** 2)))
    gaps = [(x[:, i] * x[:, j]).mean() - (y[:, i] * y[:, j]).mean() for i, j in itertools.combinations(range(5), 2)]
    assert got.second == pytest.approx(np.sqrt(np.mean(np.square(gaps))))


def test_moment_errors_of_many_states_by_hand():
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 3, (30, 3)), rng.integers(0, 3, (40, 3))
    got = measures.moment_errors({"x": x}, {"x": y})
    first = [(x[:, i] == c).mean() - (y[:, i] == c).mean() for i in range(3) for c in (1, 2)]
    assert got.first == pytest.approx(np.sqrt(np.mean(np.square(first))))
    second = [
        ((x[:, i] == c) & (x[:, j] == d)).mean() - ((y[:, i] == c) & (y[:, j] == d)).mean()
        for i, j in itertools.combinations(range(3), 2) for c in (1, 2) for d in (1, 2)
    ]  # fmt: skip
    assert got.second == pytest.approx(np.sqrt(np.mean(np.square(second))))


def test_parameter_errors_leave_out_what_counts_for_nothing():
    rng = np.random.default_rng(0)
    weight, other = rng.normal(size=(2, 4, 4))
    weight, other = weight + weight.T, other + other.T
    got = measures.parameter_errors(pk.Ising(weight, np.zeros(4)), pk.Ising(other, np.full(4, 0.5)))
    off = ~np.eye(4, dtype=bool)
    assert got.factors == pytest.approx(np.sqrt(np.mean((weight - other)[off] ** 2)), rel=1e-5)
    assert got.unaries == pytest.approx(0.5)


def test_parameter_errors_do_not_see_constants_of_unaries():
    variables = pk.Variables(x=pk.Categorical(2, states=3), y=pk.Binary(1))
    unaries = np.random.default_rng(0).normal(size=(3, 3))
    one, other = (pk.FactorGraph(variables, unaries=u) for u in (unaries, unaries + np.array([[1.0], [2.0], [3.0]])))
    assert measures.parameter_errors(one, other).unaries == pytest.approx(0.0, abs=1e-6)
    assert measures.parameter_errors(one, other).factors == 0.0
    odd = unaries.copy()
    odd[2, :2] += [0.0, 0.6]  # the third state of y does not exist
    gap = measures.parameter_errors(pk.FactorGraph(variables, unaries=odd), other).unaries
    assert gap == pytest.approx(np.sqrt(2 * 0.3**2 / 8), rel=1e-5)


def test_parameter_errors_see_every_parameter():
    """Two tables that differ in one entry far from the state of mean 1/2, and by 7 nats."""
    variables, table = pk.Variables(x=pk.Binary(3)), np.zeros((2, 2, 2))
    other = table.copy()
    other[1, 0, 1] = 7.0
    one, two = (pk.FactorGraph(variables, [pk.NWise([0, 1, 2], t)]) for t in (table, other))
    assert measures.parameter_errors(one, two).factors == pytest.approx(7.0 / np.sqrt(8))
    one, two = (pk.FactorGraph(variables, [pk.CountPotential([0, 1, 2], [0.0, 1.0, 0.0, f])]) for f in (0.0, 2.0))
    assert measures.parameter_errors(one, two).factors == pytest.approx(1.0)


def test_parameter_errors_of_groups_of_dense_factors_leave_out_each_diagonal():
    variables, at = pk.Variables(x=pk.Binary(2, 3)), np.arange(6).reshape(2, 3)
    one, other = (pk.FactorGraph(variables, [pk.DensePairwise(at, np.full((2, 3, 3), w))]) for w in (1.0, 3.0))
    assert measures.parameter_errors(one, other).factors == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("make", "scores"),
    [
        (lambda scores: pk.NWise([0, 1, 2], scores), np.arange(8.0).reshape(2, 2, 2)),
        (lambda scores: pk.EdgeTables([[0, 1]], scores), np.arange(4.0).reshape(2, 2)),
        (lambda scores: pk.CountPotential([0, 1, 2], scores), np.arange(4.0)),
    ],
    ids=["NWise", "EdgeTables", "CountPotential"],
)
def test_forbidden_entries_are_no_parameters(make, scores):
    """What is left differs by 1 everywhere; forbidden entries would make the mean smaller."""
    scores = np.where(scores == 1.0, -np.inf, scores)
    one, other = (pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [make(s)]) for s in (scores, scores + 1.0))
    assert measures.parameter_errors(one, other).factors == pytest.approx(1.0)
    moved = pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [make(np.where(np.isinf(scores), 0.0, scores))])
    with pytest.raises(ValueError, match=r"model: expected the (wiring|factors) of the truth"):
        measures.parameter_errors(moved, one)


def test_parameter_errors_of_unaries_leave_out_forbidden_states():
    variables = pk.Variables(x=pk.Categorical(2, states=3))
    unaries = np.array([[0.0, 1.0, -np.inf], [0.0, 0.0, 0.0]])
    shift = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    one, other = (pk.FactorGraph(variables, unaries=u) for u in (unaries, unaries + shift))
    assert measures.parameter_errors(one, other).unaries == pytest.approx(np.sqrt(2 / 5))  # +-1 of two of five


def test_divergence_by_hand():
    model = dense(n=3)
    samples = {"x": np.array([[0, 0, 0], [0, 0, 1], [0, 0, 1], [1, 1, 1]])}
    p = np.asarray(pk.exact.probabilities(model), float)
    counts = np.array([1, 2, 0, 0, 0, 0, 0, 1])
    q = (counts + 0.5) / 8
    assert measures.divergence(model, samples) == pytest.approx(np.sum(p * np.log(p / q)), rel=1e-5)
    assert measures.divergence(model, samples, pseudo_count=0.0) == np.inf


def test_divergence_of_exact_samples_is_its_bias():
    """(M - 1) / 2N on average."""
    model = dense(n=4)
    got = np.mean([measures.divergence(model, exact_samples(model, 2000, seed)) for seed in range(30)])
    assert got == pytest.approx(15 / 4000, rel=0.25)


# The panel


def test_panel_rows_are_the_single_measures():
    model = dense()
    train, test = exact_samples(model, 400, 1), exact_samples(model, 300, 2)
    pmp = pk.sample(KEY, model, num_samples=200, num_sweeps=20)
    table = measures.panel(KEY, {"PMP": pmp, "truth": exact_samples(model, 250, 3)}, test, training=train, truth=model)
    assert [row.name for row in table] == ["PMP", "truth", "real data", "independent pixels"]
    assert [d.scale for d in table[0].mmd] == [1.0, 10.0, 50.0]
    assert table[0].mmd == metrics.mmd_panel(pmp, test)
    assert table[2].mmd == metrics.mmd_panel(train, test)
    assert (table[0].first, table[0].second) == measures.moment_errors(pmp, test)
    assert table[0].kl == measures.divergence(model, pmp)


def test_panel_tells_structure_from_none_and_truth_from_error():
    """Strong couplings: independent pixels have the right means, and everything else wrong."""
    model = pk.CompleteIsing(0.3, spins=8)
    train, test, more = (exact_samples(model, 1000, seed) for seed in (1, 2, 3))
    table = {row.name: row for row in measures.panel(KEY, {"truth": more}, test, training=train, truth=model)}
    pixels, truth, real = table["independent pixels"], table["truth"], table["real data"]
    assert pixels.first < 0.05
    assert pixels.second > 3 * max(truth.second, real.second)
    assert pixels.mmd[1].sigmas > 20 > 5 > max(abs(truth.mmd[1].sigmas), abs(real.mmd[1].sigmas))
    assert pixels.kl > 5 * truth.kl


def test_panel_prints_a_row_for_each():
    x = np.random.default_rng(0).integers(0, 2, (60, 6))
    table = measures.panel(
        KEY, {"mine": pk.Samples({"x": x[:20]}, None, x[:20, 0])}, pk.Samples({"x": x}, None, x[:, 0])
    )
    lines = str(table).splitlines()
    assert len(lines) == 4
    assert "MMD^2 x10" in lines[0]
    assert "KL" not in lines[0]
    assert [line.split("  ")[0] for line in lines[1:]] == ["mine", "real data", "independent pixels"]
    assert len({len(line) for line in lines}) == 1
    assert repr(table) == str(table)


def test_panel_of_many_states():
    x = np.random.default_rng(0).integers(0, 4, (2000, 5))
    x[:, 1] = x[:, 0]
    table = measures.panel(KEY, {}, {"x": x})
    assert [row.name for row in table] == ["real data", "independent pixels"]
    assert table[1].second > 2 * table[0].second
