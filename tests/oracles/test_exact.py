"""Exact enumeration and the conventions of energies, against NumPy in float64."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from factor_examples import examples
from oracle import joint_scores, joint_states, log_partition
from symmetric import symmetric

import pmp_kit as pk

TIGHT = 1e-11


def mixed_model(seed=0):
    """A model of two tables and unaries over mixed cardinalities, and its oracle."""
    rng = np.random.default_rng(seed)
    variables = pk.Variables(x=pk.Categorical(2, states=3), y=pk.Binary(2))
    unaries = [rng.normal(size=c) for c in variables.cardinalities]
    tables = [((0, 1), rng.normal(size=(3, 3))), ((1, 2), rng.normal(size=(3, 2))), ((2, 3), rng.normal(size=(2, 2)))]
    factors = [pk.EdgeTables([ids], table) for ids, table in tables]
    graph = pk.FactorGraph(variables, factors, {"x": np.stack(unaries[:2]), "y": np.stack(unaries[2:])})
    return graph, unaries, tables


def test_log_partition_probabilities_and_marginals():
    graph, unaries, tables = mixed_model()
    scores = joint_scores(unaries, tables)
    p = np.exp(scores - log_partition(scores))
    np.testing.assert_allclose(pk.exact.log_partition(graph), log_partition(scores), rtol=TIGHT)
    np.testing.assert_allclose(pk.exact.probabilities(graph), p, rtol=TIGHT, atol=TIGHT)
    every = joint_states(graph.variables.cardinalities)
    marginals = pk.exact.marginals(graph)
    for i in range(2):
        for c in range(3):
            np.testing.assert_allclose(marginals["x"][i, c], p[every[:, i] == c].sum(), rtol=TIGHT)
    np.testing.assert_allclose(marginals["y"][1, 1], p[every[:, 3] == 1].sum(), rtol=TIGHT)
    best = every[scores.argmax()]
    found = pk.exact.map_state(graph)
    assert [*found["x"], *found["y"]] == best.tolist()


def test_evidence_equals_conditioning():
    graph, unaries, tables = mixed_model(1)
    scores, every = joint_scores(unaries, tables), joint_states(graph.variables.cardinalities)
    agrees = (every[:, 1] == 2) & (every[:, 2] == 1)
    evidence = {"x": np.array([pk.FREE, 2]), "y": np.array([1, pk.FREE])}
    np.testing.assert_allclose(pk.exact.log_partition(graph, evidence), log_partition(scores[agrees]), rtol=TIGHT)
    p = np.asarray(pk.exact.probabilities(graph, evidence))
    assert (p[~agrees] == 0).all()
    solved = pk.solve(graph, pk.Exhaustive(), evidence=evidence)
    best = every[agrees][scores[agrees].argmax()]
    for found in (solved.states, pk.exact.map_state(graph, evidence)):
        assert [*found["x"], *found["y"]] == best.tolist()
    np.testing.assert_allclose(solved.score, scores[agrees].max(), rtol=TIGHT)
    np.testing.assert_allclose(solved.bound, scores[agrees].max(), rtol=TIGHT)


def test_kl_is_infinite_only_where_mass_is_missed():
    p, q = jnp.array([0.5, 0.5, 0.0]), jnp.array([0.25, 0.5, 0.25])
    np.testing.assert_allclose(pk.exact.kl(p, q), 0.5 * np.log(2.0))
    assert pk.exact.kl(q, p) == np.inf


def test_nan_is_passed_on():
    """A sum over the other states alone would look like a result."""
    one_nan = pk.NWise([[0, 1]], np.zeros((2, 2)))
    one_nan = eqx.tree_at(lambda factor: factor.table, one_nan, one_nan.table.at[1, 1].set(jnp.nan))
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [one_nan])
    assert np.isnan(pk.exact.log_partition(graph))
    assert np.isnan(eqx.filter_grad(pk.exact.log_partition)(graph).unaries).all()
    assert np.isnan(jax.jit(pk.exact.kl)(jnp.full(2, jnp.nan), jnp.full(2, 0.5)))


def test_spin_conventions_of_the_paper():
    """The energy -s'Ws - b's of spins is that of bits with weight 8 W and bias 2 b - 4 W 1, up to a known constant."""
    rng = np.random.default_rng(0)
    weight, bias = rng.normal(size=(6, 6)), rng.normal(size=6)
    weight = symmetric(weight) / 2
    spins = 2 * joint_states([2] * 6) - 1
    scores = np.einsum("si,ij,sj->s", spins, weight, spins) + spins @ bias
    ours_weight, ours_bias, offset = pk.spins_to_binary(2 * weight, bias)  # each pair counted twice in E2
    np.testing.assert_allclose(ours_weight, 8 * weight, atol=TIGHT)
    np.testing.assert_allclose(ours_bias, 2 * bias - 0.5 * (8 * weight).sum(1), atol=TIGHT)
    binary = pk.exact.log_partition(pk.Ising(ours_weight, ours_bias))
    np.testing.assert_allclose(binary, log_partition(scores) + bias.sum() - weight.sum(), rtol=TIGHT)
    np.testing.assert_allclose(offset, weight.sum() - bias.sum(), rtol=TIGHT)
    coupling, field, back = pk.binary_to_spins(ours_weight, ours_bias)
    np.testing.assert_allclose(coupling, 2 * weight, atol=TIGHT)
    np.testing.assert_allclose(field, bias, atol=TIGHT)
    np.testing.assert_allclose(back, offset, rtol=TIGHT)


def test_a_diagonal_is_a_constant_for_spins_and_refused_for_bits():
    """s s = 1, and the score of spins is a sum over pairs i < j. But x x = x would be lost."""
    matrix, bias = np.arange(9.0).reshape(3, 3), np.array([0.5, -1.0, 2.0])
    matrix = matrix + matrix.T
    pairs = zip(pk.spins_to_binary(matrix, bias), pk.spins_to_binary(symmetric(matrix) / 2, bias), strict=True)
    for one, other in pairs:
        np.testing.assert_allclose(one, other, atol=TIGHT)
    for refusing in (pk.binary_to_spins, pk.Ising, lambda weight, _: pk.DensePairwise(range(3), weight)):
        with pytest.raises(ValueError, match=r"weight: expected a diagonal of 0, got 8.0 at \[1, 1\]; .* the bias"):
            refusing(matrix, bias)


def test_lattice_counts_every_edge_once():
    lattice = pk.ising_lattice(3, coupling=0.3, bias=0.2)
    spins = 2 * joint_states([2] * 9).reshape(-1, 3, 3) - 1
    bonds = (spins * np.roll(spins, 1, 1)).sum((1, 2)) + (spins * np.roll(spins, 1, 2)).sum((1, 2))
    truth = 0.3 * bonds + 0.2 * spins.sum((1, 2))
    ours = np.asarray(pk.exact.log_weights(lattice))
    np.testing.assert_allclose(ours - ours[0], truth - truth[0], atol=TIGHT)


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_moments_of_every_factor_are_the_gradient_of_log_z(example):
    sizes = example.variables.cardinalities
    graph = pk.FactorGraph(example.variables, [example.factor])
    moments = pk.exact.moments(graph)
    scores = joint_scores([np.zeros(c) for c in sizes], example.tables)
    p = np.exp(scores - log_partition(scores))
    expected = np.einsum("s,sic->ic", p, joint_states(sizes)[..., None] == np.arange(example.variables.num_states))
    np.testing.assert_allclose(moments.unaries, expected, atol=TIGHT)
    rng = np.random.default_rng(0)
    direction = jax.tree.map(lambda leaf: jnp.asarray(rng.normal(size=leaf.shape)), moments)
    products = jax.tree.map(lambda moment, along: (moment * along).sum(), moments, direction)
    assert sum(jax.tree.leaves(products)) == pytest.approx(slope(graph, direction), abs=1e-8)


def slope(graph, direction, step=1e-5):
    """The derivative of log Z along a direction of all parameters, as a finite difference."""
    ends = (eqx.apply_updates(graph, jax.tree.map(lambda d, s=s: s * d, direction)) for s in (step, -step))
    up, down = map(jax.jit(pk.exact.log_partition), ends)  # traced, because a matrix that is not symmetric is refused
    return float(up - down) / (2 * step)
