"""Graph lab and noise ribbon: what they show is what was measured, and what persistent PMP does."""

import itertools

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.course import explore
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


def test_the_best_samples_are_named_only_if_the_lead_is_clear():
    close = explore.GraphLab(graph="random graph", sweeps=2, kernel_scale=1)
    assert "PMP" in close.says(close.state).split("best samples")[1]
    assert "too close to tell" in close.says(close.state)
    lead = close.state._replace(quality_error=np.zeros_like(close.state.quality_error))
    assert lead.best == [int(lead.quality[:, lead.place].argmin())]


def test_every_coupling_is_on_the_axes():
    for graph, method, sweeps in itertools.product(compute.GRAPHS, lab.METHODS, lab.SWEEPS):
        state = compute.state(graph, method, "sweeps", sweeps, 10)
        assert max(np.abs(state.true).max(), np.abs(state.learned).max()) < compute.REACH[state.graph]


def test_a_pair_has_the_coupling_of_its_two_spins():
    state = compute.state("random graph", "PMP", "sweeps", 10, 10)
    first, second = state.ends.T
    assert (learn.truth(state.graph, lab.NODES)[0][first, second] == state.true).all()
    assert (first < second).all()


def test_page_15_says_on_which_graph_the_errors_of_the_couplings_order_the_samples():
    random, lattice = (compute.state(graph, "PMP", "sweeps", 10, 10) for graph in ("random graph", "lattice"))
    pmp, gwg = 0, 2
    assert (random.rmse[pmp] > random.rmse[gwg]).all()
    assert (random.quality[pmp] < random.quality[gwg]).all()
    assert (lattice.rmse[:, 1:].argmax(0) == pmp).all()
    assert (lattice.quality[:, 1:].argmax(0) == pmp).all()
    assert min(random.quality.min(), lattice.quality.min()) > 2, "no curve enters the band"


def test_at_equal_time_the_curves_move():
    state = compute.state("lattice", "PMP", "time", 10, 1)
    assert (state.budgets[:, -1] > state.budgets[:, 0]).all()
    assert state.budgets[2, -1] == state.budgets.max()  # of Gibbs-with-gradients


def test_without_rho_all_is_news_and_with_it_samples_drift():
    table = drift.table(0)
    shares = [table[rho, "warm", 5].changed for rho in drift.RHOS]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 0.4
    assert shares[-1] < 0.1


def test_the_share_of_changes_is_that_of_the_columns_of_the_ribbon():
    ribbon = explore.NoiseRibbon(rho=0.9, start="warm", sweeps=1)
    graph = pk.ising_lattice(drift.SIDE, drift.COUPLING)
    columns = np.asarray(drift.chain(jax.random.key(0), graph, 0.9, 1, True)[0])
    changes = [np.mean(old != new) for old, new in itertools.pairwise(columns)]
    assert f"{100 * np.mean(changes):.1f} % of the spins change in a step" in ribbon.says(ribbon.state)


def test_a_warm_start_helps_where_the_noise_is_nearly_the_old():
    table = drift.table(0)
    early = {start: [table[rho, start, 2].early for rho in drift.RHOS] for start in drift.STARTS}
    assert early["warm"][-1] < 0.3 * early["fresh"][-1]
    assert early["warm"][0] > 0.7 * early["fresh"][0]
    assert table[0.9, "fresh", 20].early < table[0.9, "fresh", 1].early


def test_red_spins_change_with_more_sweeps_from_the_same_start():
    """A warm start can lead to another fixed point, so it says nothing about the sweeps of a fresh one."""
    graph, table = pk.ising_lattice(drift.SIDE, drift.COUPLING), drift.table(0)
    for start in drift.STARTS:
        later, _ = drift.chain(jax.random.key(0), graph, 0.5, drift.MANY, start == "warm")
        assert (table[0.5, start, 20].reference == np.asarray(later)).all()
    ribbon = explore.NoiseRibbon(rho=0.5, start="fresh", sweeps=20)
    assert f"{100 * ribbon.state.chain.early:.1f} % have another state after 60 sweeps" in ribbon.says(ribbon.state)


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


def test_the_ribbon_opens_at_a_step_that_it_has():
    for step in (0, drift.STEPS):
        assert explore.NoiseRibbon(step=step).state.step == step
    with pytest.raises(ValueError, match="step: expected from 0 to 60, got 61"):
        explore.NoiseRibbon(step=61)
