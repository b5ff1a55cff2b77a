"""A dense model of several tiles is the same model as its pairs one by one."""

import numpy as np
import pytest

import pmp_kit as pk


def symmetric(k, seed=0):
    half = np.triu(np.random.default_rng(seed).normal(size=(k, k)), 1).astype(np.float32)
    return half + half.T


@pytest.mark.parametrize("solver", [pk.SumProduct(), pk.MaxProduct(keep_best=False)], ids=["sum", "max"])
def test_a_dense_model_of_several_tiles_is_the_same_model_as_its_edges(solver):
    k, rng = 100, np.random.default_rng(2)
    weight, variables, unaries = 0.3 * symmetric(k), pk.Variables(x=pk.Binary(k)), {"x": rng.normal(size=k)}
    first, second = np.triu_indices(k, 1)
    dense = pk.FactorGraph(variables, [pk.DensePairwise(np.arange(k), weight)], unaries)
    edges = pk.FactorGraph(variables, [pk.Edges(np.stack([first, second], 1), weight[first, second])], unaries)
    runs = [pk.solve(graph, solver, num_sweeps=2) for graph in (dense, edges)]
    np.testing.assert_array_equal(runs[0].states["x"], runs[1].states["x"])
    np.testing.assert_allclose(runs[0].score, runs[1].score, rtol=1e-4)
    if runs[0].marginals is not None:
        np.testing.assert_allclose(runs[0].marginals["x"], runs[1].marginals["x"], atol=1e-4)
        np.testing.assert_allclose(runs[0].log_partition, runs[1].log_partition, rtol=1e-4)
