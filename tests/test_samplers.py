"""Samplers against exact distributions. Chi-square tests use fixed keys and fail by chance once in 10,000."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

import pmp_kit as pk

KEY = jax.random.key(0)
FALSE_ALARM = 1e-4
EXACT_PMP = pk.PerturbAndMAP(pk.Exhaustive())


def chi_square(model, samples, evidence=None) -> float:
    """p-value of samples against the exact distribution; cells of less than 5 expected counts are joined."""
    variables = model.graph().variables
    p = np.asarray(pk.exact.probabilities(model, evidence), float)
    counts = np.bincount(pk.exact.index_of(variables, samples), minlength=p.size)
    expected = p / p.sum() * counts.sum()
    rare = expected < 5
    expected = np.append(expected[~rare], expected[rare].sum())
    counts = np.append(counts[~rare], counts[rare].sum())
    keep = expected > 0
    assert counts[~keep].sum() == 0, "a sample that the evidence forbids"
    return stats.chisquare(counts[keep], expected[keep]).pvalue


def small_ising(scale=0.5):
    rng = np.random.default_rng(0)
    weight = rng.normal(size=(6, 6), scale=scale)
    return pk.Ising(weight + weight.T, rng.normal(size=6))


def small_rbm():
    rng = np.random.default_rng(1)
    return pk.RBM(rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=3), visible=(2, 2))


def small_potts():
    rng = np.random.default_rng(2)
    variables = pk.Variables(x=pk.Categorical(3, states=3), y=pk.Binary(2))
    factors = [
        pk.EdgeTables([[0, 1], [1, 2], [2, 0]], rng.normal(size=(3, 3))),
        pk.EdgeTables([[2, 3]], rng.normal(size=(3, 2))),
        pk.Edges([[3, 4]], 1.0),
    ]
    return pk.FactorGraph(variables, factors, {"x": rng.normal(size=(3, 3))})


@pytest.mark.parametrize("sampler", [pk.PMP(), EXACT_PMP, pk.Gibbs()], ids=["PMP", "exact", "Gibbs"])
@pytest.mark.parametrize("states", [2, 4])
def test_independent_variables_are_sampled_exactly(sampler, states):
    """Lemma 1 of Papandreou and Yuille: with unaries alone, perturb-and-MAP is Gibbs sampling is the softmax."""
    unaries = np.random.default_rng(3).normal(size=(3, states))
    model = pk.FactorGraph(pk.Variables(x=pk.Categorical(3, states=states)), unaries=unaries)
    samples = pk.sample(KEY, model, sampler, num_samples=20_000, num_sweeps=1)
    assert chi_square(model, samples) > FALSE_ALARM


def test_other_noise_than_gumbel_is_not_the_softmax():
    """The chi-square test can fail: three states under uniform noise."""
    model = pk.FactorGraph(pk.Variables(x=pk.Categorical(1, states=3)), unaries=np.array([[2.0, 0.0, 0.0]]))
    samples = pk.sample(KEY, model, pk.PerturbAndMAP(pk.Exhaustive(), pk.Uniform()), num_samples=20_000, num_sweeps=1)
    assert chi_square(model, samples) < FALSE_ALARM


@pytest.mark.parametrize("coupling", [-1.0, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("sampler", [pk.PMP(), EXACT_PMP], ids=["PMP", "exact"])
def test_two_spins_match_the_closed_form(sampler, coupling):
    """P(s1 = s2) = 1 - 2 / (1 + e^{2J})^2 for J >= 0, which is not Gibbs' 1 / (1 + e^{-2J}); for J < 0 by symmetry."""
    samples = pk.sample(KEY, pk.CompleteIsing(coupling, spins=2), sampler, num_samples=100_000, num_sweeps=50)
    same = (samples["x"][:, 0] == samples["x"][:, 1]).mean()
    agree = 1 - 2 / (1 + np.exp(2 * abs(coupling))) ** 2
    truth = agree if coupling > 0 else 1 - agree
    error = np.sqrt(truth * (1 - truth) / 100_000)
    assert abs(same - truth) < 4 * error
    assert abs(same - 1 / (1 + np.exp(-2 * coupling))) > 10 * error


@pytest.mark.parametrize(
    ("model", "sampler"),
    [
        (small_ising(), pk.Gibbs()),
        (small_rbm(), pk.Gibbs()),
        (small_rbm(), pk.Gibbs(blocks=("h", "v"))),
        (small_potts(), pk.Gibbs()),
    ],
    ids=["ising", "rbm", "rbm by blocks", "potts"],
)
@pytest.mark.parametrize("clamped", [False, True])
def test_gibbs_reaches_the_exact_distribution(model, sampler, clamped):
    variables = model.graph().variables
    name = variables.names[0]
    known = np.full(variables[name].shape, pk.FREE)
    known.reshape(-1)[1] = 1
    evidence = {name: known} if clamped else None
    samples = pk.sample(KEY, model, sampler, num_samples=20_000, num_sweeps=60, evidence=evidence)
    assert chi_square(model, samples, evidence) > FALSE_ALARM


def test_chains_go_on_where_they_stopped():
    """A chain that went on 50 times for one sweep is as good as one of 50 sweeps, and starts from its last state."""
    model = small_ising(scale=1.0)
    samples = pk.sample(KEY, model, pk.Gibbs(), num_samples=10_000, num_sweeps=1)
    assert chi_square(model, samples) < FALSE_ALARM
    for step in range(50):
        key = jax.random.fold_in(KEY, step)
        samples = pk.sample(key, model, pk.Gibbs(), num_samples=10_000, num_sweeps=1, previous=samples.chains)
    assert chi_square(model, samples) > FALSE_ALARM
    still = pk.sample(KEY, model, pk.Gibbs(), num_samples=10_000, num_sweeps=0, previous=samples.chains)
    np.testing.assert_array_equal(still["x"], samples["x"])


def test_a_chain_takes_new_evidence():
    model = small_potts()
    first = pk.sample(KEY, model, pk.Gibbs(), num_samples=50, num_sweeps=3)
    known = {"x": np.array([2, pk.FREE, pk.FREE])}
    then = pk.sample(KEY, model, pk.Gibbs(), num_samples=50, num_sweeps=0, previous=first.chains, evidence=known)
    assert (then["x"][:, 0] == 2).all()
    np.testing.assert_array_equal(then["x"][:, 1:], first["x"][:, 1:])


@pytest.mark.parametrize("sampler", [pk.PMP(), EXACT_PMP, pk.Gibbs()], ids=["PMP", "exact", "Gibbs"])
@pytest.mark.parametrize("model", [small_ising(), small_potts()], ids=["binary", "categorical"])
def test_samples_do_not_depend_on_the_chunk_or_on_how_many_are_drawn(sampler, model):
    name = model.graph().variables.names[0]
    samples = [
        pk.sample(KEY, model, sampler, num_samples=number, num_sweeps=20, chunk=chunk)[name][:10]
        for number, chunk in ((40, None), (40, 1), (40, 7), (10, 3))
    ]
    for other in samples[1:]:
        np.testing.assert_array_equal(samples[0], other)
    assert len(np.unique(samples[0].reshape(10, -1), axis=0)) > 1


@pytest.mark.parametrize("sampler", [pk.PMP(), EXACT_PMP, pk.Gibbs()], ids=["PMP", "exact", "Gibbs"])
def test_evidence_of_every_sample_is_kept(sampler):
    rng = np.random.default_rng(0)
    model = small_ising(scale=2.0)
    evidence = rng.integers(-1, 2, size=(200, 6))
    x = pk.sample(KEY, model, sampler, num_samples=200, num_sweeps=10, evidence={"x": evidence})["x"]
    np.testing.assert_array_equal(x[evidence >= 0], evidence[evidence >= 0])


def test_noise_of_scale_zero_gives_the_map():
    model = small_ising()
    x = pk.sample(KEY, model, pk.PMP(noise=pk.Gumbel(0.0)), num_samples=3, num_sweeps=100)["x"]
    np.testing.assert_array_equal(x, np.tile(pk.exact.map_state(model)["x"], (3, 1)))


def test_auxiliary_variables_are_not_perturbed():
    variables = pk.Variables(x=pk.Binary(1000), y=pk.Binary(1000, auxiliary=True))
    samples = pk.sample(KEY, pk.FactorGraph(variables), pk.PMP(), num_samples=1, num_sweeps=1)
    assert 400 < samples["x"].sum() < 600
    assert samples["y"].sum() == 1000  # a tie of exactly zero log-odds goes to 1


@pytest.mark.parametrize("noise", [pk.Gumbel, pk.Gaussian, pk.Uniform])
def test_noise_has_mean_zero_and_the_variance_of_a_gumbel(noise):
    draws = np.asarray(noise(scale=2.0).draw(KEY, (200_000,), jnp.float32))
    assert abs(draws.mean()) < 4 * draws.std() / np.sqrt(draws.size)
    assert draws.var() == pytest.approx(4 * np.pi**2 / 6, rel=0.02)
    odds = np.asarray(noise(scale=2.0).draw_log_odds(KEY, (200_000,), jnp.float32))
    assert odds.var() == pytest.approx(8 * np.pi**2 / 6, rel=0.02)


def test_block_gibbs_is_refused_where_a_block_is_coupled():
    with pytest.raises(ValueError, match=r"blocks: .*'x', of which two variables share a factor"):
        pk.sample(KEY, small_ising(), pk.Gibbs(blocks=("x",)), num_samples=1, num_sweeps=1)
