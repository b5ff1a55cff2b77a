"""Graph lab and noise ribbon: what they show is what was measured, and what persistent PMP does."""

import jax
import numpy as np

import pmp_kit as pk
from pmp_kit.course.experiments.graphs import lab, learn
from pmp_kit.course.explore.drift import compute as drift
from pmp_kit.course.explore.graphs import compute


def test_the_lab_shows_means_and_standard_errors_of_what_was_measured():
    table = lab.load()
    state = compute.state("random graph", "Gibbs", "sweeps", 10, 10)
    assert (state.method, state.place) == (1, 2)
    np.testing.assert_allclose(state.quality[1, 2], table["sigmas"][1, 1, 2, :, 1].mean(), rtol=1e-5)
    spread = table["rmse"][1, 1, 2].std(ddof=1) / len(lab.SEEDS) ** 0.5
    np.testing.assert_allclose(state.rmse_error[1, 2], spread, rtol=1e-4)
    assert state.budgets[2].tolist() == list(lab.SWEEPS)
    assert state.true.shape == state.learned.shape


def test_a_pair_has_the_coupling_of_its_two_spins():
    state = compute.state("random graph", "PMP", "sweeps", 10, 10)
    first, second = state.ends.T
    assert (learn.truth(state.graph, lab.NODES)[0][first, second] == state.true).all()
    assert (first < second).all()


def test_without_rho_all_is_news_and_with_it_samples_drift():
    table = drift.table(0)
    shares = [table[rho, "warm", 5].changed for rho in drift.RHOS]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.4
    assert shares[-1] < 0.1


def test_the_chain_is_that_of_persistent_pmp():
    """The noise of one step and the next: correlation sqrt(rho) of the normals, and the states that the kit finds."""
    _, noise = drift.chain(jax.random.key(3), pk.ising_lattice(drift.SIDE, drift.COUPLING), 0.5, 1, True)
    x = np.asarray(noise)
    found = np.corrcoef(x[:-1].ravel(), x[1:].ravel())[0, 1]
    assert abs(found - 0.70) < 0.04
    states, noise = drift.chain(jax.random.key(3), pk.ising_lattice(drift.SIDE, drift.COUPLING), 0.5, 60, False)
    graph = pk.ising_lattice(drift.SIDE, drift.COUPLING)
    perturbed = pk.FactorGraph(
        graph.variables, graph.factors,
        {"x": np.asarray(graph.planes())[0].reshape(8, 8) + np.asarray(noise)[-1].reshape(8, 8)},
    )  # fmt: skip
    solution = pk.solve(perturbed, pk.MaxProduct(keep_best=False, tolerance=0.0), num_sweeps=60).states["x"]
    assert (np.asarray(states)[-1] == (solution.ravel() > 0)).all()
