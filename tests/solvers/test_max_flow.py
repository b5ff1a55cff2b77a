"""The minimum cut on the host: large arrays cross to it and back, and rounding errors are no negative weights."""

import jax
import pytest

import pmp_kit as pk

KEY = jax.random.key(0)


@pytest.mark.slow
def test_large_callbacks_do_not_hang():
    """Many copies of a lattice cross to the host and back."""
    graph = pk.ising_lattice(24, coupling=0.3)
    x = pk.sample(KEY, graph, pk.PerturbAndMAP(pk.MaxFlow()), num_samples=40, num_sweeps=1)["x"]
    best = pk.trace(KEY, graph, pk.PMP(), num_sweeps=200, every=200, num_samples=40, observe=pk.observe.perturbed_score)
    flow = pk.trace(
        KEY, graph, pk.PerturbAndMAP(pk.MaxFlow()), num_sweeps=0, num_samples=40, observe=pk.observe.perturbed_score
    )
    assert x.shape == (40, 24, 24)
    assert (flow.values[-1] >= best.values[-1] - 1e-2).all()


def test_weights_of_one_pair_that_cancel_out_are_no_negative_weight():
    """Their sum is 0, but is below 0 when rounded."""
    factor = pk.Edges([[0, 1]] * 3, [0.1, 0.2, -0.3])
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [factor], {"x": [1.0, -1.0]})
    assert pk.solve(graph, pk.MaxFlow()).states["x"].tolist() == [1, 0]
