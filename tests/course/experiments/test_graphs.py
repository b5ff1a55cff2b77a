"""Section 5.4 on nine nodes: conventions, data, learning in each regime, and the tables made of it."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course.experiments.graphs import data as structured_data
from pmp_kit.course.experiments.graphs import lab as structured_lab
from pmp_kit.course.experiments.graphs import learn as structured
from pmp_kit.course.experiments.graphs import scaled, tables
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


def test_the_penalty_is_that_of_w(monkeypatch):
    """`structured.run` hands pk.fit a quarter of L1: the factor's weights are 8 W, and w_ij and w_ji count once."""
    from pmp_kit.learning.ascent import add_penalty

    handed = {}

    def fit(*arguments, **options):
        handed.update(options)
        raise InterruptedError  # nothing has to be learned

    monkeypatch.setattr(structured, "fit", fit)
    with pytest.raises(InterruptedError):
        run(LATTICE, 9, "PMP", 1, 1, 0, 64, 320)
    model = SpinIsing(jnp.array([[0.0, 0.3], [0.3, 0.0]]), jnp.zeros(2))
    nothing = jax.tree.map(jnp.zeros_like, eqx.filter(model, eqx.is_inexact_array))
    found = add_penalty(nothing, model, handed["l1"], 0.0).weight
    np.testing.assert_allclose(np.asarray(found), structured.L1 * (1 - np.eye(2)), atol=1e-6)


def test_data_have_the_moments_of_the_truth_and_say_whether_chains_mixed():
    found = data(RANDOM, **TINY)
    assert found["train"].shape == found["held_out"].shape == (64, 9)
    both = np.concatenate([found["train"], found["held_out"]])
    means = pk.exact.marginals(sparse(RANDOM, 9))["x"][:, 1]
    assert np.abs(both.mean(0) - means).max() < 0.2
    assert 0.9 < found["r_hat"] < 1.1


def test_committed_data_are_read_and_the_lab_has_all_numbers():
    names = [f"data, {g}, 49 nodes, 2000 samples, 1600 sweeps" for g in GRAPHS]
    assert all(0.98 < structured_data.stored(name)["r_hat"] < 1.02 for name in names)
    assert structured_data.stored("data, lattice, 9 nodes") is None
    table, shape = structured_lab.load(), (2, 3, len(structured_lab.SWEEPS), len(structured_lab.SEEDS))
    assert table["rmse"].shape == table["seconds"].shape == shape
    assert table["sigmas"].shape == (*shape, 3)
    assert (table["rmse"] > 0).all()
    seeds = structured_lab.results()
    assert len(seeds) == len(structured_lab.SEEDS)
    assert seeds[1][RANDOM, "Gibbs", structured_lab.SWEEPS[2]]["rmse"] == pytest.approx(table["rmse"][1, 1, 2, 1])


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


def test_judging_the_truth_itself_finds_no_error():
    beside = structured.references(LATTICE, **TINY)
    assert beside["real data"]["rmse"] == 0
    assert abs(tables.sd(beside["real data"])) < 4
    np.testing.assert_allclose(beside["independent pixels"]["rmse"], 0.1 * (4 / 9) ** 0.5, rtol=1e-6)


def test_the_true_lattice_can_have_smaller_couplings():
    weight = np.asarray(pk.exact.log_weights(sparse(LATTICE, 9)))
    smaller = np.asarray(pk.exact.log_weights(sparse(LATTICE, 9, 0.65)))
    np.testing.assert_allclose(smaller - smaller[0], 0.65 * (weight - weight[0]), atol=1e-4)
    found = scaled.scaled(0.65, 0, **TINY)
    assert found["rmse"] == pytest.approx(0.35 * 0.1 * (4 / 9) ** 0.5)
    assert np.isfinite(found["mmd"]).all()


def test_tables(learned):
    beside = {LATTICE: structured.references(LATTICE, **TINY)}
    lines = tables.table([learned], beside, "sweeps").splitlines()
    assert len(lines) == 1 + 2 + 2
    assert lines[3].startswith("lattice: PMP, 3 sweeps")
    rows = tables.rows([learned, learned], "quick")
    assert [row["name"] for row in rows[:2]] == [
        "lattice, PMP, 3 sweeps: sd from new data, scale 10",
        "lattice, PMP, 3 sweeps: RMSE of W",
    ]
    assert rows[0]["error"] == 0
    assert rows[1]["value"] == learned["lattice", "PMP", 3]["rmse"]
    assert tables.rows([learned], "quick")[0]["error"] is None
    ratio = learned["lattice", "Gibbs", 3]["train_s"] / learned["lattice", "PMP", 3]["train_s"]
    assert tables.slower([learned], LATTICE, "Gibbs") == pytest.approx(ratio)


def test_tables_take_methods_with_fewer_seeds(learned):
    places = ("lattice", "PMP", 3), ("lattice", "Gibbs", 3)
    second = {places[0]: learned[places[0]] | {"rmse": 0.5}}
    rows = {row["name"]: row for row in tables.rows([learned, second], "quick")}
    twice, once = (rows[f"lattice, {method}, 3 sweeps: RMSE of W"] for method in ("PMP", "Gibbs"))
    mine = learned[places[0]]["rmse"]
    assert twice["value"] == pytest.approx((mine + 0.5) / 2)
    assert twice["error"] == pytest.approx((0.5 - mine) / 2)
    assert twice["size"].endswith("seeds: 2")
    assert (once["value"], once["error"]) == (learned[places[1]]["rmse"], None)
    assert once["size"].endswith("seeds: 1")
    table = tables.table([learned, second], {LATTICE: {}}, "sweeps")
    assert f"{(mine + 0.5) / 2:11.4f}" in table
    assert tables.slower([learned, second], LATTICE, "Gibbs") == tables.slower([learned], LATTICE, "Gibbs")


def test_columns_stay_apart_however_far_the_samples_are():
    runs = {(None, s): {"mmd": np.array([0, 4_179_140.0, 0.0]), "null": np.ones(3)} for s in (1, 5)}
    assert tables.warm_table(runs).split()[-2:] == ["4.2e+06", "4.2e+06"]


def test_a_method_learns_from_as_many_seeds_as_it_has(monkeypatch):
    seeds = {LATTICE: structured.each(2, 2, 1), RANDOM: structured.each(1, 1, 1)}
    monkeypatch.setitem(structured.SIZES["paper"], "seeds", seeds)
    monkeypatch.setitem(structured.SIZES["paper"], "sweeps", (5,))
    monkeypatch.setattr(structured, "pieces", lambda _, settings: {name: of["seed"] for name, of in settings.items()})
    first, second = structured.reset("paper", 40)
    assert first == {(graph, method, 5): 40 for graph in GRAPHS for method in structured.METHODS}
    assert second == {(LATTICE, method, 5): 41 for method in ("PMP", "Gibbs")}


def test_sweeps_needed_is_the_least_that_is_as_good():
    def result(far):
        return {"mmd": np.array([0, far, 0.0]), "null": np.ones(3)}

    runs = {(None, 1): result(9), (None, 5): result(4), (0.9, 1): result(4.9), (0.9, 5): result(3)}
    assert tables.sweeps_needed(runs, None) == 5
    assert tables.sweeps_needed(runs, 0.9) == 1
    assert tables.sweeps_needed(runs | {(0.9, 1): result(7), (0.9, 5): result(6)}, 0.9) is None
    assert "     4.9" in tables.warm_table(runs)
