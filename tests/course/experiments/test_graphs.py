"""Section 5.4 on nine nodes: conventions, data, and learning."""

import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course.experiments.graphs import scaled
from pmp_kit.course.experiments.graphs.data import GRAPHS, LATTICE, RANDOM, data, sparse, truth
from pmp_kit.course.experiments.graphs.learn import SpinIsing, run

pytestmark = pytest.mark.slow  # the notebook's quick profile runs these functions in the gate

TINY = {"nodes": 9, "samples": 64, "mixing": 320}


def test_the_true_graphs_are_those_of_appendix_b():
    lattice, bias = truth(LATTICE, 625)
    assert (np.count_nonzero(lattice, axis=1) == 4).all()
    assert set(np.unique(lattice)) == {-0.1, 0.0}
    assert not bias.any()
    random, bias = truth(RANDOM, 200)
    assert (random == random.T).all()
    assert abs(np.count_nonzero(random) / 200 - 4) < 0.5
    assert abs(random[random != 0].std() - 0.5) < 0.04
    assert (bias == 0.1).all()


@pytest.mark.parametrize("graph", GRAPHS)
def test_both_forms_of_the_truth_are_s_w_s(graph):
    """Learned and sparse form give log-odds of s'Ws + b's, each pair counted twice, over all 512 configurations."""
    weight, bias = truth(graph, 9)
    spins = 2 * pk.exact.states(sparse(graph, 9).variables)["x"] - 1
    scores = np.einsum("ni,ij,nj->n", spins, weight, spins) + spins @ bias
    expected = scores - scores.mean()
    dense = SpinIsing(jnp.asarray(weight, jnp.float32), jnp.asarray(bias, jnp.float32)).graph()
    for model in (dense, sparse(graph, 9)):
        found = np.asarray(pk.exact.log_weights(model))
        np.testing.assert_allclose(found - found.mean(), expected, atol=1e-4)


def test_the_gradient_is_the_product_of_spins():
    model = SpinIsing(jnp.zeros((4, 4)), jnp.zeros(4))
    x = np.random.default_rng(0).integers(0, 2, (20, 4))
    moments = pk.data_moments(model, {"x": x})
    gap = moments.weight - pk.data_moments(model, {"x": 1 - x}).weight  # the same products: constants cancel
    assert np.abs(gap).max() < 1e-5
    products = (2 * x - 1).T @ (2 * x - 1) / 20
    off = ~np.eye(4, dtype=bool)
    difference = moments.weight - pk.data_moments(model, {"x": np.zeros_like(x)}).weight
    np.testing.assert_allclose(np.asarray(difference)[off], products[off] - 1, atol=1e-5)


def test_data_have_the_moments_of_the_truth_and_say_whether_chains_mixed():
    found = data(RANDOM, **TINY)
    assert found["train"].shape == found["held_out"].shape == (64, 9)
    both = np.concatenate([found["train"], found["held_out"]])
    means = pk.exact.marginals(sparse(RANDOM, 9))["x"][:, 1]
    assert np.abs(both.mean(0) - means).max() < 0.2
    assert 0.9 < found["r_hat"] < 1.1


@pytest.fixture(scope="module")
def learned():
    common = TINY | {
        "graph": LATTICE,
        "sweeps": 3,
        "iterations": 60,
        "seed": 0,
        "rate": 0.005,
        "chains": 8,
        "draws": 64,
    }
    return {
        ("lattice", "PMP", 3): run(method="PMP", **common),
        ("lattice", "Gibbs", 3): run(method="Gibbs", updates=4, **common),
    }


def test_learning_finds_that_neighbours_differ(learned):
    there = truth(LATTICE, 9)[0] != 0
    for result in learned.values():
        weight = result["weight"].astype(float)
        assert weight[there].mean() < -0.03
        assert np.abs(weight - weight.T).max() < 1e-3
        assert result["train_s"] > 0


def test_the_true_lattice_can_have_smaller_couplings():
    weight = np.asarray(pk.exact.log_weights(sparse(LATTICE, 9)))
    smaller = np.asarray(pk.exact.log_weights(sparse(LATTICE, 9, 0.65)))
    np.testing.assert_allclose(smaller - smaller[0], 0.65 * (weight - weight[0]), atol=1e-4)
    found = scaled.scaled(0.65, 0, **TINY)
    assert found["rmse"] == pytest.approx(0.35 * 0.1 * (4 / 9) ** 0.5)
    assert np.isfinite(found["mmd"]).all()
