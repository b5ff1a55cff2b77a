"""Predicted times: the table is returned at its points, interpolated in between, and scaled to the machine."""

import numpy as np
import pytest

from pmp_kit.course.experiments.graphs.data import RANDOM, sparse
from pmp_kit.course.experiments.speed import costs, workloads
from pmp_kit.course.experiments.speed.costs import Setting


@pytest.fixture
def law():
    """A table that follows a power law: 1 ns a variable and chain, 2 ms a call."""
    sizes, chains = np.array(costs.SIZES)[:, None], np.array(costs.CHAINS)
    shape = len(costs.MODELS), len(costs.SAMPLERS), len(costs.SIZES), len(costs.CHAINS)
    return costs.Table(
        np.array(costs.SIZES),
        np.array(costs.CHAINS),
        np.full(shape, 2e-3),
        np.broadcast_to(1e-9 * sizes * chains, shape).copy(),
    )


@pytest.mark.parametrize(("size", "chains"), [(777, 33), (20_000, 300)])
def test_a_power_law_is_found_again(law, size, chains):
    expected = 2e-3 + 100 * 1e-9 * size * chains
    assert costs.seconds(Setting("lattice", "Gibbs", size, chains), 100, law) == pytest.approx(expected)


def test_a_machine_that_takes_twice_as_long_is_predicted_so(monkeypatch):
    setting = Setting("lattice", "PMP", 400, 16)
    slow = {"PMP": costs.Yardstick(2.0, 1.0)}
    monkeypatch.setattr(costs, "yardsticks", lambda device: slow)
    assert costs.predict(setting, 50) == pytest.approx(2 * costs.seconds(setting, 50))


def test_the_table_of_the_kit_is_complete_and_grows():
    table = costs.table()
    shape = len(costs.MODELS), len(costs.SAMPLERS), len(table.sizes), len(table.chains)
    assert table.call.shape == table.sweep.shape == shape
    assert (table.call >= 0).all()
    assert (table.sweep > 0).all()
    assert (table.sweep[:, :, -1] > table.sweep[:, :, 0]).all()


def test_a_sweep_is_the_difference_of_two_calls(monkeypatch):
    monkeypatch.setattr(costs.timing, "timed", lambda run, sweeps: 0.003 + 0.001 * sweeps)
    call, sweep = costs.measure(lambda sweeps: None)
    assert (call, sweep) == (pytest.approx(0.003), pytest.approx(0.001))


def test_the_random_graph_is_that_of_the_graphs_that_are_learned():
    timed, learned = workloads.erdos_renyi(60, 1).model, sparse(RANDOM, 60)
    np.testing.assert_array_equal(timed.factors[0].scopes, learned.factors[0].scopes)
    np.testing.assert_allclose(timed.factors[0].weight, learned.factors[0].weight, rtol=1e-6)
    np.testing.assert_allclose(timed.planes(), learned.planes(), atol=1e-5)
