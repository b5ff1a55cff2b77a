"""What single samplers, colourings and noise families promise beyond the contract that all samplers keep."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from sampler_examples import FALSE_ALARM, chi_square, small_ising, small_potts, small_rbm
from scipy import stats

import pmp_kit as pk
from pmp_kit import noise
from pmp_kit.samplers import gradients

KEY = jax.random.key(0)


def check_colours(graph, colours):
    """Each variable has one colour, and no factor joins two of a colour."""
    assert sorted(np.concatenate(colours).tolist()) == list(range(graph.variables.count))
    for ids in colours:
        marked = np.zeros(graph.variables.count, bool)
        marked[ids] = True
        assert not any(factor.couples(marked) for factor in graph.factors)


@pytest.mark.parametrize(
    ("side", "periodic", "number"),
    [(4, True, 2), (6, True, 2), (5, False, 2), (3, True, 3), (5, True, 3), (7, True, 3)],
)
def test_lattices_take_two_colours_unless_they_are_odd_and_periodic(side, periodic, number):
    graph = pk.ising_lattice(side, periodic=periodic)
    colours = pk.colours(graph)
    check_colours(graph, colours)
    assert len(colours) == 2 if number == 2 else len(colours) in (3, 4)


def test_bipartite_graphs_take_two_colours_in_whatever_order_they_are_numbered():
    rng = np.random.default_rng(0)
    shuffled = rng.permutation(40)
    tree = np.array([[i, rng.integers(i)] for i in range(1, 40)])
    for graph in (
        small_rbm().graph(),
        pk.FactorGraph(pk.Variables(x=pk.Binary(40)), [pk.Edges(shuffled[tree], 1.0)]),
        pk.FactorGraph(
            pk.Variables(x=pk.Binary(40)), [pk.Edges(shuffled[rng.integers([0, 20], [20, 40], (90, 2))], 1.0)]
        ),
    ):
        colours = pk.colours(graph)
        check_colours(graph, colours)
        assert len(colours) == 2


def test_colours_of_other_graphs():
    rng = np.random.default_rng(1)
    pairs = rng.integers(200, size=(400, 2))
    sparse = pk.FactorGraph(pk.Variables(x=pk.Binary(200)), [pk.Edges(pairs[pairs[:, 0] != pairs[:, 1]], 1.0)])
    check_colours(sparse, pk.colours(sparse))
    assert len(pk.colours(sparse)) <= 6
    assert len(pk.colours(small_ising())) == 6
    assert [len(ids) for ids in pk.colours(pk.FactorGraph(pk.Variables(x=pk.Binary(7))))] == [7]
    check_colours(small_potts(), pk.colours(small_potts()))


def test_gibbs_by_colours_needs_as_many_steps_as_colours():
    model = pk.ising_lattice(6)
    sampler = pk.Gibbs(pk.colours(model))
    assert len(sampler.blocks) == 2
    x = pk.sample(KEY, model, sampler, num_samples=50, num_sweeps=3)["x"]
    assert 0.4 < x.mean() < 0.6


@pytest.mark.parametrize("inner", [pk.GibbsWithGradients(), pk.RandomScanGibbs(), pk.DiscreteLangevin(1.0)])
def test_tempering_takes_any_chain(inner):
    model = small_ising()
    sampler = pk.ParallelTempering((1.0, 2.0), inner)
    samples = pk.sample(KEY, model, sampler, num_samples=3_000, num_sweeps=60)
    assert chi_square(model, samples) > FALSE_ALARM


def test_tempering_crosses_a_barrier_that_gibbs_does_not():
    """A strong ferromagnet with all spins up at the start: half of the samples belong down."""
    model = pk.ising_lattice(4, coupling=0.7)
    up = jnp.ones((300, 1, 16))
    gibbs = pk.sample(KEY, model, pk.Gibbs(), num_samples=300, num_sweeps=100, previous=up)
    temperatures = np.geomspace(1, 4, 6)
    tempered = pk.sample(
        KEY, model, pk.ParallelTempering(temperatures), num_samples=300, num_sweeps=100,
        previous=jnp.ones((300, 6, 1, 16)),
    )  # fmt: skip
    down = [(samples["x"].mean((1, 2)) < 0.5).mean() for samples in (gibbs, tempered)]
    assert down[0] < 0.1
    assert down[1] == pytest.approx(0.5, abs=0.15)


def test_proposals_of_changes_go_by_their_weights():
    """One uniform number picks among all changes; what has no weight is never picked, not even at the ends."""
    shares = jnp.array([[[0.0], [1.0], [0.0]], [[3.0], [0.0], [0.0]]])
    uniform = jnp.array([0.0, 0.2, 0.26, 0.999999])
    row, variable = gradients.pick(jnp.broadcast_to(shares, (2, 3, 4)), uniform)
    assert list(zip(row.tolist(), variable.tolist(), strict=True)) == [(0, 1), (0, 1), (1, 0), (1, 0)]


def test_many_proposals_are_picked_as_often_as_their_shares_say():
    """In 23 entries, whose last block is not full, with shares of zero among them."""
    shares = np.arange(23.0) % 5
    uniform = (np.arange(100_000) + 0.5) / 100_000
    row, variable = gradients.pick(
        jnp.broadcast_to(jnp.array(shares, jnp.float32)[None, :, None], (1, 23, 100_000)), uniform.astype(np.float32)
    )
    assert not row.any()
    np.testing.assert_allclose(np.bincount(variable, minlength=23) / 100_000, shares / shares.sum(), atol=2e-5)


def test_langevin_moves_more_variables_with_larger_steps():
    model = pk.ising_lattice(6, coupling=0.05)
    start = jnp.ones((100, 1, 36))
    moved = []
    for step_size in (0.05, 0.1, 0.2):
        sampler = pk.DiscreteLangevin(step_size)
        x = pk.sample(KEY, model, sampler, num_samples=100, num_sweeps=1, previous=start)["x"]
        moved.append((x == 0).mean())
    assert moved[0] < 0.001 < moved[1] < moved[2]


def test_coordinate_ascent_finds_fewer_perturbed_maps_than_max_product():
    """The negative control (Appendix B.4): equal keys are equal noise, so that samples can be compared one by one."""
    model = small_ising(scale=1.5)
    solvers = pk.Exhaustive(), pk.MaxProduct(), pk.CoordinateAscent()
    exact, found, climbed = (
        pk.sample(KEY, model, pk.PerturbAndMAP(solver), num_samples=500, num_sweeps=50)["x"] for solver in solvers
    )
    right, poor = ((exact == other).all(1).mean() for other in (found, climbed))
    assert right > 0.95
    assert poor < 0.9


def test_persistent_noise_is_finite_and_exact_in_the_tails():
    """In float32 the normal's distribution function is 1 above 5.3; its logarithm is not 0, nor rough below that."""
    gamma = np.append(np.linspace(-7, 7, 57), [-12.0, 12.0])
    log_cdf, log_rest = stats.norm.logcdf(gamma), stats.norm.logsf(gamma)
    gumbel = noise.gumbel_of_normal(jnp.asarray(gamma, jnp.float32))
    np.testing.assert_allclose(gumbel, -np.euler_gamma - np.log(-log_cdf), rtol=2e-6, atol=2e-6)
    logistic = noise.logistic_of_normal(jnp.asarray(gamma, jnp.float32))
    np.testing.assert_allclose(logistic, log_cdf - log_rest, rtol=2e-6, atol=2e-6)


def test_persistent_pmp_learns():
    """The coupling of Section 5.1's spins from exact moments, ten warm sweeps a step."""
    truth = pk.CompleteIsing(0.3)
    result = pk.fit(
        KEY, pk.CompleteIsing(0.0), moments=pk.exact.moments(truth), sampler=pk.PersistentPMP(0.9),
        optimizer=optax.adam(0.02), steps=150, num_chains=200, num_sweeps=10, persistent=True,
    )  # fmt: skip
    assert 0.15 < result.model.coupling < 0.3  # perturb-and-MAP couples more strongly than Gibbs at equal coupling


def test_reversed_gumbel_noise_is_exact_for_two_states_and_wrong_for_three():
    for states, exact in ((2, True), (3, False)):
        scores = np.array([[2.0, 0.0, 0.0]])[:, :states]
        model = pk.FactorGraph(pk.Variables(x=pk.Categorical(1, states=states)), unaries=scores)
        sampler = pk.PerturbAndMAP(pk.Exhaustive(), pk.ReversedGumbel())
        samples = pk.sample(KEY, model, sampler, num_samples=20_000, num_sweeps=1)
        assert (chi_square(model, samples) > FALSE_ALARM) == exact


@pytest.mark.parametrize("family", [pk.Gumbel(), pk.ReversedGumbel()])
def test_differences_of_two_draws_are_logistic(family):
    first, second = (family.draw(key, (50_000,), jnp.float32) for key in jax.random.split(KEY))
    assert stats.kstest(np.asarray(first - second), "logistic").pvalue > FALSE_ALARM
    assert stats.kstest(np.asarray(family.draw_log_odds(KEY, (50_000,))), "logistic").pvalue > FALSE_ALARM


@pytest.mark.parametrize("kappa", [1, 3])
def test_sums_of_gammas_add_up_to_gumbels(kappa):
    """The sum of kappa draws of scale 1 / sqrt(kappa) is Gumbel noise; a single one is not."""
    family = pk.SumOfGamma(kappa**-0.5, kappa=kappa)
    draws = np.asarray(family.draw(KEY, (kappa, 20_000), jnp.float32))
    assert stats.kstest(draws.sum(0), "gumbel_r", args=(-np.euler_gamma, 1)).pvalue > FALSE_ALARM
    single = stats.kstest(np.sqrt(kappa) * draws[0], "gumbel_r", args=(-np.euler_gamma, 1)).pvalue
    assert (single > FALSE_ALARM) == (kappa == 1)


def test_gibbs_with_gradients_corrects_the_fields_of_dense_models():
    """The same model as a list of pairs, whose fields are computed anew, gives the same samples."""
    dense = small_ising(scale=1.0, spins=9)
    first, second = np.triu_indices(9, 1)
    pairs = pk.Edges(np.stack([first, second], 1), dense.weight[first, second])
    listed = pk.FactorGraph(dense.graph().variables, [pairs], {"x": dense.bias})
    evidence = {"x": np.where(np.arange(9) == 4, 1, pk.FREE)}
    one, other = (
        pk.sample(jax.random.key(0), model, pk.GibbsWithGradients(), num_samples=300, num_sweeps=7, evidence=evidence)
        for model in (dense, listed)
    )
    assert (one["x"] == other["x"]).mean() > 0.999
